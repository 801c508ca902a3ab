//go:build unix

package plan

import (
	"fmt"
	"io"
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

func readOwn(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, missing(err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, missing(err)
	}
	if !fi.Mode().IsRegular() || !ours(fi) {
		return nil, fmt.Errorf("%w: %s", ErrForeign, path)
	}
	data := make([]byte, fi.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return data, nil
}

func ours(fi os.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
