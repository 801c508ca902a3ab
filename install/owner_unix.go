//go:build unix

package install

import (
	"os"
	"syscall"
)

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
