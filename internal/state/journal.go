package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// Journal is a file of lines that several processes share and that does not
// grow for ever: one write per line, under a lock, with the old file put aside
// when it is full.
type Journal struct {
	Path string
	// Size is how large it may become before it is put aside, as path.1; the
	// one before becomes path.2. 0 is for no bound.
	Size int64
	// Keep is how many old ones are kept.
	Keep int
}

// Append adds a line, which must hold no line break. Either all of it is in the
// file afterwards or nothing.
func (j Journal) Append(ctx context.Context, line []byte) error {
	held, err := hold(ctx, j.Path+".lock")
	if err != nil {
		return err
	}
	defer held.Unlock()
	if err := j.append(line); err != nil {
		return fmt.Errorf("append to %s: %w", j.Path, err)
	}
	return nil
}

func (j Journal) append(line []byte) error {
	file, size, err := j.open()
	if err != nil {
		return err
	}
	if j.Size > 0 && size > 0 && size+int64(len(line))+1 > j.Size {
		file.Close()
		if err := j.putAside(); err != nil {
			return err
		}
		if file, size, err = j.open(); err != nil {
			return err
		}
	}
	defer file.Close()
	text := make([]byte, 0, len(line)+2)
	if !endsWhole(file, size) {
		text = append(text, '\n') // what a crash cut off stays a line of its own
	}
	text = append(append(text, line...), '\n')
	if _, err := file.Write(text); err != nil {
		return errors.Join(err, file.Truncate(size))
	}
	return nil
}

func (j Journal) open() (*os.File, int64, error) {
	file, err := os.OpenFile(j.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("it is no regular file: %s", info.Mode())
	}
	if err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

func endsWhole(file *os.File, size int64) bool {
	var last [1]byte
	if size == 0 {
		return true
	}
	_, err := file.ReadAt(last[:], size-1)
	return err == nil && last[0] == '\n'
}

// putAside makes room for a new file.
func (j Journal) putAside() error {
	if j.Keep <= 0 {
		return os.Remove(j.Path)
	}
	for n := j.Keep - 1; n > 0; n-- {
		if err := os.Rename(j.old(n), j.old(n+1)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(j.Path, j.old(1))
}

func (j Journal) old(n int) string { return j.Path + "." + strconv.Itoa(n) }
