package plan

import (
	"fmt"
	"os"
)

// private: a user's local application data is closed to other users by its
// inherited access list; there is no mode to check.
func private(dir string) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return missing(err)
	}
	if !fi.IsDir() {
		return fmt.Errorf("%w: %s is not a directory", ErrForeign, dir)
	}
	return nil
}

func openOwn(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, missing(err)
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, missing(err)
	}
	return f, fi.Size(), nil
}
