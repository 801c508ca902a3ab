//go:build unix

package plan

import (
	"fmt"
	"os"
	"syscall"
)

// private makes sure that nobody else can put a plan into the directory.
func private(dir string) error {
	fi, err := os.Lstat(dir)
	if err != nil {
		return missing(err)
	}
	if !fi.IsDir() || fi.Mode().Perm()&0o077 != 0 || !ours(fi) {
		return fmt.Errorf("%w: %s must be a directory of mode 0700 that belongs to you", ErrForeign, dir)
	}
	return nil
}

func openOwn(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, missing(err)
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, missing(err)
	}
	if !fi.Mode().IsRegular() || !ours(fi) {
		f.Close()
		return nil, 0, fmt.Errorf("%w: %s", ErrForeign, path)
	}
	return f, fi.Size(), nil
}

func ours(fi os.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
