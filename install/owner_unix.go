//go:build unix

package install

import (
	"fmt"
	"os"
	"syscall"
)

// keepOwner gives a new file to the owner of the one that it replaces, so that
// root can wire another user's agent, and the settings stay the user's.
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

// exposed says why users other than root can change a file of an administrator,
// "" if they cannot.
func exposed(info os.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Uid != 0 {
		return fmt.Sprintf("it belongs to user id %d, expected root", st.Uid)
	}
	if perm := info.Mode().Perm(); perm&0o022 != 0 {
		return fmt.Sprintf("others can write it (mode %04o)", perm)
	}
	return ""
}
