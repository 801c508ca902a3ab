// Package sse reads and writes the streams of events over which MCP travels on
// HTTP, and keeps their bytes: ids, types, retry times and comments.
package sse

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// Event is a block of lines of a stream: an event, or a comment or a blank line
// on its own.
type Event struct {
	lines [][]byte // as they came, with their ends
}

// TooLarge is the error for an event that exceeds the limit. It was read to its end,
// so the next one can be read.
type TooLarge struct{ Max int }

func (e *TooLarge) Error() string { return fmt.Sprintf("the event has more than %d bytes", e.Max) }

// Reader reads events from a stream. It never holds more than the limit.
type Reader struct {
	in  *bufio.Reader
	max int
	// started is set after the first line, returned after a line that ended
	// with a carriage return, whose line feed may follow.
	started, returned bool
}

// NewReader reads events of at most max bytes.
func NewReader(r io.Reader, max int) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 16<<10), max: max}
}

// Next returns the next event. A comment outside an event is returned at once:
// it shows that the stream is alive. An event without a blank line after it is
// dropped. The error is a *TooLarge, after which the next event can be read, or
// what ended the stream.
func (r *Reader) Next() (*Event, error) {
	e := &Event{}
	size, large := 0, false
	for {
		line, err := r.line(r.max - size)
		if err != nil {
			return nil, err
		}
		size += len(line)
		large = large || size > r.max
		blank := len(text(line)) == 0
		switch {
		case blank && large:
			return nil, &TooLarge{r.max}
		case large:
			e.lines = nil
			continue
		}
		e.lines = append(e.lines, line)
		if blank || len(e.lines) == 1 && line[0] == ':' {
			return e, nil
		}
	}
}

// line reads a line with its end: a line feed, a carriage return, or both. A
// line longer than the limit is read to its end, but mostly dropped.
func (r *Reader) line(most int) ([]byte, error) {
	var line []byte
	for {
		if _, err := r.in.Peek(1); err != nil {
			return nil, err
		}
		part, _ := r.in.Peek(r.in.Buffered())
		if r.returned && part[0] == '\n' {
			r.in.Discard(1)
			r.returned = false
			continue
		}
		r.returned = false
		end := bytes.IndexAny(part, "\r\n")
		if end >= 0 {
			part = part[:end+1+len(feed(part[end:]))]
		}
		if len(line) <= max(most, 0) {
			line = append(line, part...)
		}
		r.in.Discard(len(part))
		if end < 0 {
			continue
		}
		r.returned = part[len(part)-1] == '\r'
		if !r.started {
			r.started = true
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		return line, nil
	}
}

// feed reads the line feed that belongs to a carriage return, if it is there.
func feed(end []byte) []byte {
	if len(end) > 1 && end[0] == '\r' && end[1] == '\n' {
		return end[1:2]
	}
	return nil
}

// text is a line without its end.
func text(line []byte) []byte { return bytes.TrimRight(line, "\r\n") }
