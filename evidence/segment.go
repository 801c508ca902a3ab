package evidence

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	segmentPrefix = "segment-"
	segmentSuffix = ".jsonl"
)

// segment is a file of older records, which never changes.
type segment struct {
	name  string
	first uint64
}

func segmentName(first uint64) string {
	return fmt.Sprintf("%s%012d%s", segmentPrefix, first, segmentSuffix)
}

// segments lists the segments in dir, oldest first.
func segments(dir string) ([]segment, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []segment
	for _, e := range entries {
		number := strings.TrimSuffix(strings.TrimPrefix(e.Name(), segmentPrefix), segmentSuffix)
		if first, _ := strconv.ParseUint(number, 10, 64); segmentName(first) == e.Name() {
			out = append(out, segment{e.Name(), first})
		}
	}
	slices.SortFunc(out, func(a, b segment) int { return cmp.Compare(a.first, b.first) })
	return out, nil
}

// rotate turns the current file into a segment and starts a new one. If the
// file cannot be renamed (a reader on Windows), it stays current and the next
// append tries again.
func (l *Log) rotate(c *current) (*current, error) {
	first, err := firstSeq(c.file)
	if err != nil {
		return c, nil // Verify will report what is wrong with it
	}
	if err := c.file.Close(); err != nil {
		return nil, err
	}
	path := filepath.Join(l.dir, currentName)
	target := filepath.Join(l.dir, segmentName(first))
	if _, err := os.Lstat(target); errors.Is(err, os.ErrNotExist) {
		if err := os.Rename(path, target); err == nil && l.opts.Fsync {
			if err := syncDir(l.dir); err != nil {
				return nil, err
			}
		}
	}
	return l.open()
}

// firstSeq reads the number of a file's first record.
func firstSeq(file *os.File) (uint64, error) {
	if _, err := file.Seek(0, 0); err != nil {
		return 0, err
	}
	line, err := bufio.NewReader(file).ReadBytes('\n')
	if err != nil {
		return 0, err
	}
	r, _, ok := parseLine(line[:len(line)-1])
	if !ok {
		return 0, errors.New("the first line is not a record")
	}
	return r.Seq, nil
}

// lastOfSegments returns the place of the last record of the newest segment,
// or none if there is no segment. A segment that does not end with a record is
// an error: continuing after it would hide what is missing.
func lastOfSegments(dir string) (Receipt, error) {
	list, err := segments(dir)
	if err != nil || len(list) == 0 {
		return Receipt{}, err
	}
	return lastOf(dir, list[len(list)-1].name)
}

// lastOf returns the place of the last record of a segment.
func lastOf(dir, name string) (Receipt, error) {
	file, size, err := openSized(dir, name)
	if err != nil {
		return Receipt{}, err
	}
	defer file.Close()
	c := current{file: file, size: size}
	if c.size == 0 || !c.readTail() {
		return Receipt{}, fmt.Errorf("%s does not end with a complete record; see trammel evidence verify", name)
	}
	return c.tail, nil
}
