//go:build !windows

package flock

import (
	"errors"
	"fmt"
	"syscall"
)

// handle is a bare descriptor: an os.File would register it with the poller,
// which costs more than the lock.
type handle int

func open(path string) (handle, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC|syscall.O_NOFOLLOW, 0o600)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.ELOOP):
			return -1, fmt.Errorf("it is a symbolic link, expected a file: %w", err)
		}
		return handle(fd), err
	}
}

func (h handle) tryLock() error {
	err := h.flock(syscall.LOCK_EX | syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrBusy
	}
	return err
}

func (h handle) unlock() error { return h.flock(syscall.LOCK_UN) }

func (h handle) close() error { return syscall.Close(int(h)) }

func (h handle) read(p []byte) int {
	n, _ := syscall.Pread(int(h), p, 0)
	return n
}

func (h handle) write(p []byte) error {
	_, err := syscall.Pwrite(int(h), p, 0)
	return err
}

func (h handle) flock(how int) error {
	for {
		if err := syscall.Flock(int(h), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
