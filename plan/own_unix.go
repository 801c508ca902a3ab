//go:build unix

package plan

import (
	"os"
	"syscall"
)

// guarded refuses links and does not block on pipes.
const guarded = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// closed reports whether only we can enter a directory.
func closed(fi os.FileInfo) bool { return fi.Mode().Perm()&0o077 == 0 && ours(fi) }

func ours(fi os.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
