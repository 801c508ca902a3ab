//go:build unix

package install

import (
	"fmt"
	"os"
	"syscall"
)

// executable says why a program cannot be started, nil if it can.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("trammel-hook: %w", err)
	}
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("trammel-hook: %s has mode %s, expected a file that can be run", path, info.Mode())
	}
	return nil
}

// keepOwner gives a new file to the owner of the one that it replaces, so that
// root can wire another user's agent without taking the settings from them.
func keepOwner(f *os.File, old os.FileInfo) error {
	have, err := f.Stat()
	if err != nil {
		return err
	}
	was, ok1 := old.Sys().(*syscall.Stat_t)
	is, ok2 := have.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 || was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	return f.Chown(int(was.Uid), int(was.Gid))
}
