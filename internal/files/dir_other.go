//go:build !linux && !darwin

package files

import (
	"errors"
	"os"
)

// openDir opens a directory, and nothing else: a pipe would block.
func openDir(path string) (*os.File, error) {
	if !IsDir(path) {
		return nil, &os.PathError{Op: "open", Path: path, Err: errors.New("not a directory")}
	}
	return os.Open(path)
}
