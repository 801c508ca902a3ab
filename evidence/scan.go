package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
)

// Entry is a record as it stands in the log. Body and Line are valid until the
// function that got the entry returns.
type Entry struct {
	Receipt
	Body    []byte // the record, in canonical JSON
	Line    []byte // the whole line without its end
	Segment string // the file's name
	Number  int    // of the line in the file, from 1
}

// Record returns the body decoded.
func (e *Entry) Record() (map[string]any, error) {
	v, err := decode(e.Body)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", e.Segment, e.Number, err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s:%d: the body is not an object", e.Segment, e.Number)
	}
	return m, nil
}

// ErrStop, returned by the function given to Scan, ends the scan without an error.
var ErrStop = errors.New("stop")

// Scan calls fn for each record, oldest first, as of the moment it is called.
// What a killed writer left behind the last record is passed over. It does not
// check the chain: that is what Verify is for.
func Scan(dir string, fn func(Entry) error) error {
	snap, err := takeSnapshot(dir)
	if err != nil {
		return err
	}
	defer snap.close()
	err = snap.lines(func(l rawLine) error {
		if e, ok, err := l.entry(); err != nil || !ok {
			return err
		} else {
			return fn(e)
		}
	})
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

// snapshot is the log at one moment: older segments, which do not change, and
// the current file, open, up to its size at that moment. A rotation afterwards
// changes neither.
type snapshot struct {
	dir      string
	segments []segment
	current  *os.File
	size     int64
	head     head // as the last writer left it
	known    bool
}

// takeSnapshot waits for a writer to finish, if there can be one: a copy of a
// log on a medium that cannot be written needs no lock.
func takeSnapshot(dir string) (*snapshot, error) {
	s := &snapshot{dir: dir}
	if _, err := os.Lstat(filepath.Join(dir, lockName)); err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		held, err := flock.Lock(ctx, filepath.Join(dir, lockName))
		switch {
		case err == nil:
			defer held.Unlock()
			s.head, s.known = readHead(held)
		case ctx.Err() != nil:
			return nil, fmt.Errorf("read evidence: %w", err)
		}
	}
	var err error
	if s.segments, err = segments(dir); err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	s.current, err = os.Open(filepath.Join(dir, currentName))
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	info, err := s.current.Stat()
	if err != nil {
		s.close()
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	s.size = info.Size()
	return s, nil
}

func (s *snapshot) close() {
	if s.current != nil {
		s.current.Close()
	}
}

// rawLine is a line of some file, before anything is believed of it.
type rawLine struct {
	data   []byte // without its end
	ended  bool   // it had one
	file   string
	number int
}

// entry reads the line as a record. One without an end is none yet.
func (l *rawLine) entry() (e Entry, ok bool, err error) {
	if !l.ended {
		return e, false, nil
	}
	e = Entry{Line: l.data, Segment: l.file, Number: l.number}
	if e.Receipt, e.Body, ok = parseLine(l.data); !ok {
		return e, false, fmt.Errorf("%s:%d: not a record", l.file, l.number)
	}
	return e, true, nil
}

// lines calls fn for every line of every file, in order.
func (s *snapshot) lines(fn func(rawLine) error) error {
	return s.chunks(func(c *chunk) error {
		defer c.free()
		return c.lines(fn)
	})
}

func eachLine(r io.Reader, name string, fn func(rawLine) error) error {
	return eachChunk(r, name, func(c *chunk) error {
		defer c.free()
		return c.lines(fn)
	})
}
