//go:build unix

package world

import (
	"os"
	"syscall"
)

// Readlink implements trammel.World. Nearly all names that are looked at are no links,
// and for these os.Readlink makes a buffer and an error of its own.
func (System) Readlink(path string) (string, error) {
	var short [256]byte
	for {
		switch n, err := syscall.Readlink(path, short[:]); {
		case err == syscall.EINTR:
		case err != nil:
			return "", err
		case n == len(short):
			return os.Readlink(path)
		default:
			return string(short[:n]), nil
		}
	}
}
