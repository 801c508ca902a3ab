package state

import (
	"errors"
	"io"
	"os"
)

type file struct{ *os.File }

var noFile file

// replacesOpen is true where a file can be put in the place of one that somebody reads.
const replacesOpen = false

// openFile opens a file that is there.
func openFile(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	return file{f}, err
}

// missing reports whether nothing has this name.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}

// readAll reads the file, up to most bytes of it.
func (f file) readAll(most int) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(f, 0, int64(most)))
}

// write puts data at the beginning of the file.
func (f file) write(data []byte) error {
	_, err := f.WriteAt(data, 0)
	return err
}

func (f file) close() { f.Close() }
