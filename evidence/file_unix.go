//go:build !windows

package evidence

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// openAppend opens a file for reading and appending, creates it if it is
// missing, and refuses a symbolic link. os.OpenFile would first register the
// file with the poller, which takes longer than the write.
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

// syncDir makes a new name in dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// writeEnd writes at the end, which is at size.
func writeEnd(file *os.File, data []byte, size int64) error {
	_, err := file.Write(data)
	return err
}
