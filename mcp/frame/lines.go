// Package frame reads and writes the messages of MCP as bytes: lines of JSON-RPC
// that are read strictly, and passed on as they came.
package frame

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
)

// DefaultMax is how many bytes a message may have where nobody says otherwise.
const DefaultMax = 64 << 20

// TooLarge is the error of a message beyond the limit. The line was read to its
// end, so the next one can be read; Head and Tail are what was kept of it.
type TooLarge struct {
	Max        int
	Head, Tail []byte
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the message has more than %d bytes", e.Max)
}

// endSize is how much is kept of each end of a message that is too large.
const endSize = 4 << 10

// Reader takes lines from a stream. No more than the limit is ever held.
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

// Next returns the next line that is not blank, without its end. It is the
// caller's to keep. The error is a *TooLarge, after which the next line can be
// read, or what ended the stream. A last line without an end is a line.
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

// line reads to the end of a line. Its parts are joined once it is known how long
// it is: memory that grows with a line would be several times as much.
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

// copied is how long a message may be to be copied, so that one write is enough
// for it and the end of its line.
const copied = 64 << 10

// Write writes a message and the end of its line. Line ends inside of it become
// spaces: to a reader of lines, what stands between two of them is a message.
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

// oneLine is a message without line ends. JSON has them only as white space.
func oneLine(message []byte) []byte {
	if bytes.IndexByte(message, '\r') < 0 && bytes.IndexByte(message, '\n') < 0 { // ContainsAny looks at one byte at a time
		return message
	}
	message = bytes.ReplaceAll(message, []byte("\r"), []byte(" "))
	return bytes.ReplaceAll(message, []byte("\n"), []byte(" "))
}
