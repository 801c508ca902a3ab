//go:build unix

package world

import (
	"errors"
	"os"
	"syscall"
)

// readlink is os.Readlink, but the usual answers, that there is no link or nothing
// at all, cost little: every part of every path is asked about.
func readlink(path string) (string, error) {
	var buf [256]byte
	n, err := syscall.Readlink(path, buf[:])
	switch {
	case errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOENT):
		return "", err
	case err != nil || n == len(buf):
		return os.Readlink(path)
	}
	return string(buf[:n]), nil
}
