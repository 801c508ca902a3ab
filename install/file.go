package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/files"
)

func digest(data []byte) string { return canonical.Digest(data) }

// maxFile is the maximum size of a settings file.
const maxFile = 64 << 20

// read returns a file's bytes and whether it exists. A broken link is an error,
// because its purpose is unknown.
func read(path string) ([]byte, bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return nil, false, fmt.Errorf("it is a link to a file that does not exist")
		}
		return nil, false, nil
	}
	switch {
	case err != nil:
		return nil, false, err
	case !info.Mode().IsRegular():
		return nil, false, fmt.Errorf("found %s, expected a file", info.Mode())
	case info.Size() > maxFile:
		return nil, false, fmt.Errorf("it has %d bytes, expected at most %d", info.Size(), maxFile)
	}
	data, err := os.ReadFile(path)
	return data, err == nil, err
}

// writable refuses a file that its owner has made read-only, even if the system
// would let us replace it.
func writable(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("the file is read-only (mode %s); to have it changed, make it writable first", info.Mode().Perm())
	}
	return nil
}

// replace writes a file so that a reader sees the old content or the new. A
// link stays, and its target is written; mode and owner stay, too.
func replace(path string, data []byte, mode os.FileMode) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, os.ErrNotExist) {
		target, err = path, nil
	}
	if err != nil {
		return err
	}
	old, err := os.Stat(target)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err == nil {
		mode = old.Mode().Perm()
	}
	return files.ReplaceWith(target, data, func(f *os.File) error {
		if err := f.Chmod(mode); err != nil || old == nil {
			return err
		}
		return keepOwner(f, old)
	})
}

// makeDirs makes a directory and those above it, and returns the ones that
// were not there, outermost first.
func makeDirs(dir string) ([]string, error) {
	var missing []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil {
			break
		} else if !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		missing = append([]string{at}, missing...)
		if at == filepath.Dir(at) {
			break
		}
	}
	return missing, os.MkdirAll(dir, 0o755)
}
