package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/plural"
)

// Entry is a record in the log. Body and Line are valid until the function that
// received the entry returns.
type Entry struct {
	Receipt
	Body    []byte // the record, in canonical JSON
	Line    []byte // the whole line without its line ending
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

// Damage is about lines of a log that are not records. Whoever reads a log gets
// all records, and then this error.
type Damage struct {
	File  string // of the first
	Line  int
	Lines int
}

func (d *Damage) Error() string {
	return fmt.Sprintf("%s of the log cannot be read, from %s:%d on; see: trammel evidence verify", plural.Of(d.Lines, "line"), d.File, d.Line)
}

// ExceptDamage is err, or nil if it only says that lines are not records.
func ExceptDamage(err error) error {
	if _, ok := errors.AsType[*Damage](err); ok {
		return nil
	}
	return err
}

// and adds damage further down in the log.
func (d *Damage) and(err error) *Damage {
	more, ok := errors.AsType[*Damage](err)
	switch {
	case !ok:
		return d
	case d == nil:
		return more
	}
	return &Damage{d.File, d.Line, d.Lines + more.Lines}
}

// ended is what reading a log returns: why it ended, else the damage.
func (d *Damage) ended(err error) error {
	switch {
	case errors.Is(err, ErrStop):
		return nil
	case err == nil && d != nil:
		return d
	}
	return err
}

// Scan calls fn for each record, oldest first, as of the moment it is called.
// It skips what a killed writer left after the last record. It does not check
// the chain: use Verify for that.
func Scan(dir string, fn func(Entry) error) error {
	snap, err := takeSnapshot(dir)
	if err != nil {
		return err
	}
	defer snap.close()
	var bad *Damage
	err = snap.lines(func(l rawLine) error {
		e, ok, err := l.entry()
		if bad = bad.and(err); !ok {
			return nil
		}
		return fn(e)
	})
	return bad.ended(err)
}

// snapshot is the log at one moment: its files, oldest first, all open, each up
// to its size at that moment. Rotating and pruning do not affect it.
type snapshot struct {
	files []part
	head  head // as the last writer left it
	known bool
}

type part struct {
	file *os.File
	name string
	size int64
}

// takeSnapshot waits for a writer to finish, if there is one.
func takeSnapshot(dir string) (*snapshot, error) {
	s := &snapshot{}
	held, err := flock.Reader(filepath.Join(dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	if held != nil {
		defer held.Unlock()
		s.head, s.known = readHead(held)
	}
	list, err := segments(dir)
	for _, seg := range append(list, segment{name: currentName}) {
		if err == nil {
			err = s.open(dir, seg.name)
		}
	}
	if err != nil {
		s.close()
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	return s, nil
}

func (s *snapshot) open(dir, name string) error {
	file, size, err := openSized(dir, name)
	switch {
	case name == currentName && errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil:
		s.files = append(s.files, part{file, name, size})
	}
	return err
}

// openRegular opens a file of a log. Opening a pipe would wait for its other end.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return os.Open(path)
}

// openSized opens a file of a log, up to its current size.
func openSized(dir, name string) (*os.File, int64, error) {
	file, err := openRegular(filepath.Join(dir, name))
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func (s *snapshot) close() {
	for _, p := range s.files {
		p.file.Close()
	}
}

// rawLine is an unchecked line of a file.
type rawLine struct {
	data   []byte // without its line ending
	ended  bool   // it had a line ending
	file   string
	number int
}

// entry reads the line as a record. A line without a line ending is not a record yet.
func (l *rawLine) entry() (e Entry, ok bool, err error) {
	if !l.ended {
		return e, false, nil
	}
	e = Entry{Line: l.data, Segment: l.file, Number: l.number}
	if e.Receipt, e.Body, ok = parseLine(l.data); !ok {
		return e, false, &Damage{l.file, l.number, 1}
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

// chunkSize is how much of a file is read at once. A longer line makes its
// chunk larger. Tests use smaller ones.
var chunkSize = 256 << 10

// chunk is some lines of a file, in a row. All have a line ending, except maybe
// the last one of the file.
type chunk struct {
	data   []byte
	file   string
	number int // of the first line
}

var buffers = sync.Pool{New: func() any { b := make([]byte, chunkSize); return &b }}

func (c *chunk) free() {
	if cap(c.data) <= 4*chunkSize {
		b := c.data[:cap(c.data)]
		buffers.Put(&b)
	}
}

// lines calls fn for each line of the chunk.
func (c *chunk) lines(fn func(rawLine) error) error {
	l := rawLine{file: c.file, number: c.number}
	for rest := c.data; len(rest) > 0; l.number++ {
		l.data, rest, l.ended = bytes.Cut(rest, newline)
		if err := fn(l); err != nil {
			return err
		}
	}
	return nil
}

var newline = []byte{'\n'}

// eachChunk calls fn for each chunk of a file. fn must free the chunk.
func eachChunk(r io.Reader, name string, fn func(*chunk) error) error {
	buf, have, number := *buffers.Get().(*[]byte), 0, 1
	for {
		n, err := io.ReadFull(r, buf[have:])
		if have += n; err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return fmt.Errorf("read %s: %w", name, err)
		}
		end := bytes.LastIndexByte(buf[:have], '\n') + 1
		if err != nil {
			end = have
		} else if end == 0 { // the line goes on
			buf = append(buf, make([]byte, len(buf))...)
			continue
		}
		next := *buffers.Get().(*[]byte)
		for len(next) <= have-end {
			next = append(next, make([]byte, len(next))...)
		}
		have = copy(next, buf[end:have])
		if end > 0 {
			c := &chunk{data: buf[:end], file: name, number: number}
			number += bytes.Count(c.data, newline)
			if err := fn(c); err != nil {
				return err
			}
		}
		if buf = next; err != nil {
			return nil
		}
	}
}

// chunks calls fn for every chunk of every file, in order.
func (s *snapshot) chunks(fn func(*chunk) error) error {
	for _, p := range s.files {
		if err := eachChunk(io.NewSectionReader(p.file, 0, p.size), p.name, fn); err != nil {
			return err
		}
	}
	return nil
}

// chunks gives a function each chunk of a log, in order.
type chunks func(func(*chunk) error) error

// parallel calls work for each chunk, on all processors, and merge with each
// result, in the order of the log.
func parallel[T any](all chunks, work func(*chunk) T, merge func(*chunk, T) error) error {
	type job struct {
		*chunk
		result chan T
	}
	workers := runtime.GOMAXPROCS(0)
	todo, order, stop := make(chan job, workers), make(chan job, 4*workers), make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	for range workers {
		wg.Go(func() {
			for j := range todo {
				j.result <- work(j.chunk)
			}
		})
	}
	var readErr error
	wg.Go(func() {
		defer close(order)
		defer close(todo)
		readErr = all(func(c *chunk) error {
			j := job{c, make(chan T, 1)}
			select {
			case order <- j:
			case <-stop:
				return errStopped
			}
			todo <- j
			return nil
		})
	})
	for j := range order {
		if err := merge(j.chunk, <-j.result); err != nil {
			close(stop)
			for range order { // then the reader stops
			}
			return err
		}
		j.free()
	}
	return readErr
}

var errStopped = errors.New("stopped")
