//go:build linux || darwin

package files

import (
	"errors"
	"os"
	"syscall"
)

// openDir opens a directory, and nothing else: a pipe would block. os.Open would
// try to register it with the poller, which takes six more calls.
func openDir(path string) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
		return os.NewFile(uintptr(fd), path), nil
	}
}
