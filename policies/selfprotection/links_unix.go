//go:build unix

package selfprotection

import (
	"io/fs"
	"syscall"
)

// otherNames reports whether a file may have other names.
func otherNames(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || st.Nlink > 1
}
