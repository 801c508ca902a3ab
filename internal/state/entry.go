package state

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"strconv"
	"strings"
)

// entry is the open file of a slot, whose lock is held. Its size is a power of
// two, so that what it holds can mostly be changed in place.
type entry struct {
	slot
	file file
	size int // 0: there is none yet
}

const (
	minSize = 128
	// maxInPlace is up to where a file is changed in place: a write within one
	// page is done or not when its process is killed. Only a machine that
	// loses its power can tear it, and then the check tells.
	maxInPlace = 4096
	// maxFile is how large a file may be; none is read beyond it.
	maxFile = 4 << 20
)

// open reads what the slot keeps, nil if nothing. The caller closes the entry.
// A lossy one that is damaged keeps nothing, and is replaced.
func (s slot) open(lossy bool) (entry, []byte, error) {
	e := entry{slot: s, file: noFile}
	f, err := openFile(s.path())
	switch {
	case errors.Is(err, os.ErrNotExist):
		return e, nil, nil
	case err != nil:
		return e, nil, err
	}
	e.file = f
	data, err := f.readAll(maxFile + 1)
	if err != nil {
		e.close()
		return e, nil, err
	}
	e.size = len(data)
	body, err := unwrap(data)
	if err != nil {
		e.close()
		if lossy {
			return e, nil, nil
		}
		return e, nil, fmt.Errorf("%s cannot be used: %w; remove it to start again", s.path(), err)
	}
	return e, body, nil
}

func (e *entry) close() {
	if e.file != noFile {
		e.file.close()
		e.file = noFile
	}
}

// write keeps a body instead of the one that was read: in place where it fits,
// as a new file else. What fits needs no room on the disk.
func (e *entry) write(body []byte) error {
	need := sizeOf(len(body))
	if need > maxFile {
		return fmt.Errorf("%s: %d bytes are too many to store", e.path(), len(body))
	}
	if e.file != noFile && need <= e.size && e.size <= maxInPlace {
		return e.file.write(wrap(body, e.size))
	}
	e.close() // not every system puts a file in the place of an open one
	return replace(e.path(), wrap(body, need))
}

// replace puts a file in place whole.
func replace(path string, data []byte) error {
	next := path + ".next"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		os.Remove(next)
		return err
	}
	return os.Rename(next, path)
}

// The form of a file: a line with a check and a length, a body of that length,
// and line ends up to the size of the file.
const (
	magic   = "trammel-state-1 "
	sumSize = 16
)

// sizeOf is how large the file of a body is at least.
func sizeOf(body int) int {
	need := len(magic) + sumSize + len(" 262144\n") + body
	return max(minSize, 1<<bits.Len(uint(need-1)))
}

func wrap(body []byte, size int) []byte {
	dst := append(make([]byte, 0, size), magic...)
	check := sum(body)
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[check>>shift&15])
	}
	dst = append(strconv.AppendInt(append(dst, ' '), int64(len(body)), 10), '\n')
	dst = append(dst, body...)
	for len(dst) < size {
		dst = append(dst, padding[:min(len(padding), size-len(dst))]...)
	}
	return dst
}

// padding fills a file up to its size.
const padding = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"

var errDamaged = errors.New("it is damaged")

func unwrap(data []byte) ([]byte, error) {
	text := string(data)
	rest, ok := strings.CutPrefix(text, magic)
	head, rest, cut := strings.Cut(rest, "\n")
	check, length, two := strings.Cut(head, " ")
	n, err := strconv.ParseUint(length, 10, 32)
	if !ok || !cut || !two || err != nil || len(check) != sumSize || uint64(len(rest)) < n || len(data) > maxFile {
		return nil, fmt.Errorf("%w: %d bytes, %.40q", errDamaged, len(data), text)
	}
	body := data[len(data)-len(rest):][:n]
	if string(wrap(body, len(data))) != text || len(data)&(len(data)-1) != 0 || len(data) < minSize {
		return nil, fmt.Errorf("%w: its content does not match its check", errDamaged)
	}
	return body, nil
}

// sum is FNV-1a: it finds accidents, not forgers.
func sum(data []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range data {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
