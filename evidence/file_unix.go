//go:build !windows

package evidence

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// openAppend opens a file for reading and appending, makes it if there is
// none, and refuses a symbolic link. os.OpenFile would first offer the file to
// the poller, which takes longer than to write to it.
func openAppend(path string) (*os.File, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_APPEND|syscall.O_CREAT|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0o600)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.ELOOP):
			return nil, fmt.Errorf("%s is a symbolic link, expected a file", path)
		case err != nil:
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
		return os.NewFile(uintptr(fd), path), nil
	}
}

// syncDir makes a new name in dir last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// writeEnd writes behind the end, which is at size.
func writeEnd(file *os.File, data []byte, size int64) error {
	_, err := file.Write(data)
	return err
}
