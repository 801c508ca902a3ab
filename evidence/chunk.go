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
)

// chunkSize is how much of a file is read at once. A line that is longer makes
// its chunk larger. Tests have smaller ones.
var chunkSize = 256 << 10

// chunk is some lines of a file, in a row. All have an end, except maybe the
// last one of the file.
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

// eachChunk calls fn for each chunk of a file. The chunk is fn's to free.
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
	for _, seg := range s.segments {
		file, err := os.Open(filepath.Join(s.dir, seg.name))
		if err != nil {
			return fmt.Errorf("read evidence: %w", err)
		}
		err = eachChunk(file, seg.name, fn)
		file.Close()
		if err != nil {
			return err
		}
	}
	if s.current == nil {
		return nil
	}
	return eachChunk(io.NewSectionReader(s.current, 0, s.size), currentName, fn)
}

// chunks gives a function each chunk of a log, in order.
type chunks func(func(*chunk) error) error

// parallel has work done on each chunk by all processors, and calls merge with
// what came of it, one after another in the order of the log.
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
			for range order { // the reader ends when it sees that
			}
			return err
		}
		j.free()
	}
	return readErr
}

var errStopped = errors.New("stopped")
