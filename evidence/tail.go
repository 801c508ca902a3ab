package evidence

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// tailEvery is how often Tail looks for new records.
const tailEvery = 100 * time.Millisecond

// ErrRestarted is returned for a log that was removed and started again.
var ErrRestarted = errors.New("a new log was started")

// Tail calls fn for each record from number from on, and then for each that is
// appended, until ctx ends or fn returns an error; ErrStop ends it without one.
// It follows the log across rotations and may begin before the log exists. For
// a log that was removed and started again it returns ErrRestarted. It passes
// over lines that are not records.
func Tail(ctx context.Context, dir string, from uint64, fn func(Entry) error) error {
	f := follower{dir: dir, next: max(from, 1), fn: fn}
	defer f.close()
	ticker := time.NewTicker(tailEvery)
	defer ticker.Stop()
	for {
		if err := f.poll(); err != nil {
			if errors.Is(err, ErrStop) {
				return nil
			}
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Since calls fn for each record from number from on, up to the last; ErrStop
// ends it without an error. If the log has fewer records, it returns
// ErrRestarted.
func (l *Log) Since(from uint64, fn func(Entry) error) error {
	f := follower{dir: l.dir, next: max(from, 1), fn: fn, strict: true}
	defer f.close()
	if err := f.poll(); !errors.Is(err, ErrStop) {
		return err
	}
	return nil
}

// follower reads the current file as it grows, and the segments that it becomes.
type follower struct {
	dir    string
	next   uint64 // the record to come
	last   uint64 // the highest record that was read since catching up, passed on or not
	hash   string // of the last record that was passed on
	fn     func(Entry) error
	strict bool     // a line that is not a record is an error
	file   *os.File // the current file, when it was opened
	offset int64    // up to where it has been read
	number int      // of the last line that was read
}

func (f *follower) close() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
}

func (f *follower) poll() error {
	if f.file != nil {
		same, err := f.stillCurrent()
		if err != nil {
			return err
		}
		// Read what was written before it was renamed, too.
		if err := f.read(); err != nil || same {
			return err
		}
		f.close()
	}
	return f.catchUp()
}

// stillCurrent reports whether the open file has not been rotated away.
func (f *follower) stillCurrent() (bool, error) {
	mine, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Stat(filepath.Join(f.dir, currentName))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, now), err
}

// catchUp reads the segments from the next record on, and then the current
// file. The current one is opened first: if it is rotated meanwhile, it is also
// among the segments, and repeated records are recognized by their numbers.
func (f *follower) catchUp() error {
	f.last = 0
	file, err := openRegular(filepath.Join(f.dir, currentName))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	list, listErr := segments(f.dir)
	if listErr != nil && !errors.Is(listErr, os.ErrNotExist) {
		err = listErr
	}
	for i, s := range list {
		if i+1 < len(list) && list[i+1].first <= f.next {
			continue
		}
		if readErr := ignoreMissing(f.segment(s.name)); readErr != nil { // a missing segment was just pruned
			err = readErr
			break
		}
	}
	if file == nil {
		return ignoreMissing(err)
	}
	f.file, f.offset, f.number = file, 0, 0
	if err == nil {
		err = f.read()
	}
	if err == nil && 0 < f.last && f.last+1 < f.next {
		err = ErrRestarted
	}
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func (f *follower) segment(name string) error {
	file, err := openRegular(filepath.Join(f.dir, name))
	if err != nil {
		return err
	}
	defer file.Close()
	return eachLine(file, name, f.line)
}

// read reads the complete lines after the offset.
func (f *follower) read() error {
	first := f.number
	return eachLine(io.NewSectionReader(f.file, f.offset, 1<<62), currentName, func(l rawLine) error {
		if !l.ended {
			return nil
		}
		f.offset += int64(len(l.data)) + 1
		f.number = first + l.number
		l.number = f.number
		return f.line(l)
	})
}

// line passes on a record, unless it was passed on before.
func (f *follower) line(l rawLine) error {
	if !l.ended {
		return nil
	}
	r, body, ok := parseLine(l.data)
	switch {
	case !ok && f.strict:
		return &Damage{l.file, l.number, 1}
	case !ok:
		return nil
	case r.Seq+1 == f.next && f.hash != "" && r.Hash != f.hash:
		return ErrRestarted
	}
	if f.last = max(f.last, r.Seq); r.Seq < f.next {
		return nil
	}
	f.hash = r.Hash
	f.next = r.Seq + 1
	return f.fn(Entry{Receipt: r, Body: body, Line: l.data, Segment: l.file, Number: l.number})
}

// Last is the position of the last record, zero if there is none yet.
func Last(dir string) (Receipt, error) {
	file, size, err := openSized(dir, currentName)
	if errors.Is(err, os.ErrNotExist) {
		return lastOfSegments(dir)
	}
	if err != nil {
		return Receipt{}, err
	}
	defer file.Close()
	if end, tail, err := lastWhole(file, size); err != nil || end > 0 {
		return tail, err
	}
	return lastOfSegments(dir)
}
