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

func readOwn(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, missing(err)
	}
	return data, nil
}
