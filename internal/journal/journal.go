// Package journal appends lines to files that several processes share and that
// do not grow for ever: one write per line, under a lock, with the old file put
// aside when it is full.
package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
)

// File is a file of lines.
type File struct {
	Path string
	// Size is how large it may become before it is put aside, as path.1; the
	// one before becomes path.2. 0 is for no bound.
	Size int64
	// Keep is how many old ones are kept.
	Keep int
}

// maxWait is how long the lock is waited for: its holder needs it for one write.
const maxWait = 2 * time.Second

// Append adds a line, which must hold no line break. Either all of it is in the
// file afterwards or nothing.
func (f File) Append(ctx context.Context, line []byte) error {
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	held, err := flock.Lock(ctx, f.Path+".lock")
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
			return err
		}
		held, err = flock.Lock(ctx, f.Path+".lock")
	}
	if err != nil {
		return err
	}
	defer held.Unlock()
	if err := f.append(line); err != nil {
		return fmt.Errorf("append to %s: %w", f.Path, err)
	}
	return nil
}

func (f File) append(line []byte) error {
	file, size, err := f.open()
	if err != nil {
		return err
	}
	if f.Size > 0 && size > 0 && size+int64(len(line))+1 > f.Size {
		file.Close()
		if err := f.putAside(); err != nil {
			return err
		}
		if file, size, err = f.open(); err != nil {
			return err
		}
	}
	defer file.Close()
	text := make([]byte, 0, len(line)+2)
	if !endsWhole(file, size) {
		text = append(text, '\n') // what a crash cut off stays a line of its own
	}
	text = append(append(text, line...), '\n')
	if _, err := file.Write(text); err != nil {
		return errors.Join(err, file.Truncate(size))
	}
	return nil
}

func (f File) open() (*os.File, int64, error) {
	file, err := os.OpenFile(f.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("it is no regular file: %s", info.Mode())
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func endsWhole(file *os.File, size int64) bool {
	var last [1]byte
	if size == 0 {
		return true
	}
	_, err := file.ReadAt(last[:], size-1)
	return err == nil && last[0] == '\n'
}

// putAside makes room for a new file.
func (f File) putAside() error {
	if f.Keep <= 0 {
		return os.Remove(f.Path)
	}
	for n := f.Keep - 1; n > 0; n-- {
		if err := os.Rename(f.old(n), f.old(n+1)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(f.Path, f.old(1))
}

func (f File) old(n int) string { return f.Path + "." + strconv.Itoa(n) }
