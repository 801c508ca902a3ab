package plan

import (
	"fmt"
	"os"
)

// private makes sure that nobody else can write to a directory.
func private(dir string) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return missing(err)
	}
	if !fi.IsDir() || !closed(fi) {
		return fmt.Errorf("%w: %s must be a directory of mode 0700 that belongs to you", ErrForeign, dir)
	}
	return nil
}

// openOwn opens a file that must belong to the user, and returns its size.
func openOwn(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|guarded, 0)
	if err != nil {
		return nil, 0, missing(err)
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, missing(err)
	}
	if !fi.Mode().IsRegular() || !ours(fi) {
		f.Close()
		return nil, 0, fmt.Errorf("%w: %s", ErrForeign, path)
	}
	return f, fi.Size(), nil
}
