package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// current is the file that is being appended to, open and recovered.
type current struct {
	file *os.File
	size int64
	tail Receipt // of the last record, here or in the segment before
	// forged is true if the last record does not match its hash. It is not
	// checked for a long record.
	forged bool
	// strange counts the complete lines at the end that are not records.
	strange uint64
}

// open opens the current file, moves a torn tail away and finds the last
// record. The caller holds the lock.
func (l *Log) open() (c *current, err error) {
	path := filepath.Join(l.dir, currentName)
	file, err := openAppend(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close() // c is nil by now
		}
	}()
	c = &current{file: file}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	c.size = info.Size()
	if l.left.isIn(info) {
		c.tail = l.left.tail
		return c, nil
	}
	if c.size > 0 && !c.readTail() {
		if err := l.recover(c); err != nil {
			return nil, err
		}
	}
	if c.size == 0 {
		if c.tail, err = lastOfSegments(l.dir); err == nil && l.opts.Fsync {
			err = syncDir(l.dir)
		}
	}
	return c, err
}

// left is the file as this process left it. Where nobody has changed it since, its end
// need not be read.
type left struct {
	info os.FileInfo // nil if it is unknown
	tail Receipt
}

func (l *left) isIn(now os.FileInfo) bool {
	return l.info != nil && os.SameFile(l.info, now) && l.info.Size() == now.Size() && l.info.ModTime().Equal(now.ModTime())
}

// readTail reads the position of the last record, and reports whether the file
// ends with a complete one.
func (c *current) readTail() bool {
	var buf [4 << 10]byte
	n := min(int64(len(buf)), c.size)
	if _, err := c.file.ReadAt(buf[:n], c.size-n); err != nil || buf[n-1] != '\n' {
		return false
	}
	r, _, ok := parseSuffix(buf[:n-1])
	c.tail = r
	c.forged = ok && forgery(buf[:n-1], n == c.size)
	return ok
}

// add appends a record to the same file.
func (c *current) add(body []byte, fsync bool) error {
	r := c.tail.next(body)
	line := r.line(body)
	if err := c.write(line, fsync); err != nil {
		return err
	}
	c.tail = r
	return nil
}

// recover moves everything after the last line ending into torn/: a writer was
// stopped there. It is copied before it is cut off, so that a crash in between
// loses nothing. A complete line that is not a record was changed, not torn; it
// stays, for Verify to find, and the chain continues from the last record
// before it.
func (l *Log) recover(c *current) error {
	end, err := lastEnd(c.file, c.size)
	if err == nil && end < c.size {
		err = l.putAside(c, end)
	}
	if err != nil {
		return fmt.Errorf("recover a torn tail: %w", err)
	}
	whole, tail, err := lastWhole(c.file, end)
	if err != nil {
		return fmt.Errorf("recover a torn tail: %w", err)
	}
	if whole == 0 && end > 0 {
		if tail, err = lastOfSegments(l.dir); err != nil {
			return err
		}
	}
	changed, err := countLines(io.NewSectionReader(c.file, whole, end-whole))
	if err != nil {
		return err
	}
	tail.Seq += changed
	c.tail, c.strange = tail, changed
	return nil
}

func (l *Log) putAside(c *current, end int64) error {
	dir := filepath.Join(l.dir, tornName)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	name := fmt.Sprintf("at-%012d-%d", end, time.Now().UnixNano())
	if err := copyTo(filepath.Join(dir, name), io.NewSectionReader(c.file, end, c.size-end), l.opts.Fsync); err != nil {
		return err
	}
	if err := c.file.Truncate(end); err != nil {
		return err
	}
	c.size = end
	return nil
}

// lastEnd finds the last line ending.
func lastEnd(file io.ReaderAt, size int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for to := size; to > 0; {
		from := max(0, to-int64(len(buf)))
		part := buf[:to-from]
		if _, err := file.ReadAt(part, from); err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		to = from
	}
	return 0, nil
}

func countLines(r io.Reader) (n uint64, err error) {
	buf := make([]byte, 64<<10)
	for {
		got, err := r.Read(buf)
		n += uint64(bytes.Count(buf[:got], []byte{'\n'}))
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// lastWhole finds the end of the last complete line of a file, from the back. A
// line is complete if it has an ending and the shape of a record; only Verify
// checks its hash.
func lastWhole(file io.ReaderAt, size int64) (end int64, tail Receipt, err error) {
	for window := min(size, 1<<20); ; window = min(size, 2*window) {
		data := make([]byte, window)
		from := size - window
		if _, err := file.ReadAt(data, from); err != nil && err != io.EOF {
			return 0, tail, err
		}
		for last := bytes.LastIndexByte(data, '\n'); last >= 0; {
			before := bytes.LastIndexByte(data[:last], '\n')
			if before < 0 && from > 0 {
				break // the line begins before the window
			}
			if r, _, ok := parseLine(data[before+1 : last]); ok {
				return from + int64(last) + 1, r, nil
			}
			last = before
		}
		if from == 0 {
			return 0, tail, nil
		}
	}
}

func copyTo(path string, from io.Reader, fsync bool) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	if err == nil && fsync {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// write appends one line, in one call. If that fails or writes too little, the
// file is truncated to its old size, so that a full disk leaves no partial
// record.
func (c *current) write(line []byte, fsync bool) error {
	err := writeEnd(c.file, line, c.size)
	if err == nil && fsync {
		err = c.file.Sync()
	}
	if err != nil {
		return errors.Join(err, c.file.Truncate(c.size))
	}
	c.size += int64(len(line))
	return nil
}
