//go:build unix

package procgroup

import (
	"os"
	"strconv"
	"syscall"
)

// keepListed marks the descriptors that a directory of the system lists.
func keepListed(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
	return nil
}
