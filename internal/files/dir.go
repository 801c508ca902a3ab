package files

import (
	"errors"
	"io"
	"os"
)

// List returns at most so many entries of a directory, in no order, also through
// a link.
func List(path string, most int) ([]os.DirEntry, error) {
	dir, err := openDir(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(most)
	if errors.Is(err, io.EOF) { // an empty directory
		err = nil
	}
	return entries, err
}
