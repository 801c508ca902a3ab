// Package frame reads and writes the messages of MCP as bytes: lines of
// JSON-RPC that are read strictly and passed on unchanged.
package frame

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// DefaultMax is the default limit for the size of a message, in bytes.
const DefaultMax = 64 << 20

// TooLarge is the error for a message that exceeds the limit. The line was read to its
// end, so the next one can be read; Head and Tail are its first and last bytes.
type TooLarge struct {
	Max        int
	Head, Tail []byte
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the message has more than %d bytes", e.Max)
}

// endSize is how much is kept of each end of a message that is too large.
const endSize = 4 << 10

// Reader reads lines from a stream. It never holds more than the limit.
type Reader struct {
	in  *bufio.Reader
	max int
}

// NewReader reads lines of at most max bytes; 0 is DefaultMax.
func NewReader(r io.Reader, max int) *Reader {
	if max <= 0 {
		max = DefaultMax
	}
	return &Reader{bufio.NewReaderSize(r, 64<<10), max}
}

// Next returns the next line that is not blank, without its line ending. The
// caller may keep it. The error is a *TooLarge, after which the next line can
// be read, or what ended the stream. A last line without an end is a line.
func (r *Reader) Next() ([]byte, error) {
	for {
		line, err := r.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return line, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// line reads to the end of a line. Its parts are joined at the end: growing a
// buffer would take several times the memory.
func (r *Reader) line() ([]byte, error) {
	var parts [][]byte
	size := 0
	for {
		part, err := r.in.ReadSlice('\n')
		parts, size = append(parts, bytes.Clone(part)), size+len(part)
		if size > r.max+1 {
			return nil, r.skip(bytes.Join(parts, nil), err)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line := parts[0]
		if len(parts) > 1 {
			line = bytes.Join(parts, nil)
		}
		return bytes.TrimSuffix(line, []byte("\n")), err
	}
}

// skip reads to the end of a line that is too large.
func (r *Reader) skip(line []byte, err error) error {
	large := &TooLarge{Max: r.max, Head: bytes.Clone(line[:min(endSize, len(line))])}
	tail := bytes.Clone(line[len(line)-min(endSize, len(line)):])
	for errors.Is(err, bufio.ErrBufferFull) {
		var part []byte
		part, err = r.in.ReadSlice('\n')
		tail = append(tail, part...)
		tail = append(tail[:0], tail[len(tail)-min(endSize, len(tail)):]...)
	}
	large.Tail = bytes.TrimSpace(tail)
	return large
}

// Writer writes lines, each whole and at once. It is safe for concurrent use.
type Writer struct {
	mu  sync.Mutex
	out io.Writer
	buf []byte
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{out: w} }

// copied is the largest message that is copied, so that one write is enough for
// it and its line ending.
const copied = 64 << 10

// Write writes a message and a line ending. Line endings inside the message
// become spaces: a reader would take each line for a message.
func (w *Writer) Write(message []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	message = oneLine(message)
	end := []byte("\n")
	if len(message) <= copied {
		w.buf = append(append(w.buf[:0], message...), '\n')
		message, end = w.buf, nil
	}
	_, err := w.out.Write(message)
	if err == nil && end != nil {
		_, err = w.out.Write(end)
	}
	return err
}

// oneLine removes line endings from a message. In JSON they can only be white space.
func oneLine(message []byte) []byte {
	if bytes.IndexByte(message, '\r') < 0 && bytes.IndexByte(message, '\n') < 0 { // ContainsAny looks at one byte at a time
		return message
	}
	message = bytes.ReplaceAll(message, []byte("\r"), []byte(" "))
	return bytes.ReplaceAll(message, []byte("\n"), []byte(" "))
}
