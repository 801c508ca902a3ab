package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/flock"
)

// Close turns the current file into a segment, which never changes, if it holds
// a record.
func (l *Log) Close(ctx context.Context) error {
	return l.locked(ctx, func(*flock.Held, bool) error {
		c, err := l.open()
		if err != nil {
			return err
		}
		if c.size > 0 {
			if c, err = l.rotate(c); err != nil {
				return err
			}
		}
		return c.file.Close()
	})
}

// Hold calls do while nobody else appends or starts reading.
func (l *Log) Hold(ctx context.Context, do func() error) error {
	return l.locked(ctx, func(*flock.Held, bool) error { return do() })
}

// First is the number of the first record, zero if there is none.
func First(dir string) (uint64, error) {
	list, err := segments(dir)
	if err != nil || len(list) > 0 {
		if err == nil {
			return list[0].first, nil
		}
		return 0, err
	}
	file, size, err := openSized(dir, currentName)
	if err != nil {
		return 0, ignoreMissing(err)
	}
	defer file.Close()
	if size == 0 {
		return 0, nil
	}
	return firstSeq(file)
}

// Closed is the name of the segment that holds a record, or will hold it when
// its file is closed.
func Closed(file string, first uint64) string {
	if file == currentName {
		return segmentName(first)
	}
	return file
}

// HasSegment reports whether a segment exists. It is an error if the segment
// does not end with this record.
func HasSegment(dir, name string, last Receipt) (bool, error) {
	if filepath.Base(name) != name || !strings.HasPrefix(name, segmentPrefix) {
		return false, fmt.Errorf("%q is not the name of a segment", name)
	}
	r, err := lastOf(dir, name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case r.Seq != last.Seq || r.Hash != last.Hash:
		return false, fmt.Errorf("%s ends with record %d, %s, expected record %d, %s", name, r.Seq, r.Hash, last.Seq, last.Hash)
	}
	return true, nil
}

// RemoveSegment removes a segment that ends with this record. A missing segment
// is not an error. Earlier changes of the directory are on disk before the
// segment is removed, and the removal is on disk when this returns.
func RemoveSegment(dir, name string, last Receipt) error {
	if there, err := HasSegment(dir, name, last); err != nil || !there {
		return err
	}
	if err := syncDir(dir); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncDir(dir)
}
