package bundles

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/internal/files"
)

// ReadDir reads a bundle from a directory: every file except .git, which is not part of
// the bundle. Links are refused.
func ReadDir(dir string) (*Bundle, error) {
	list, err := dirFiles(dir)
	if err != nil {
		return nil, err
	}
	b, err := New(list)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return b, nil
}

func dirFiles(dir string) ([]File, error) {
	var list []File
	total := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case rel == ".git" && d.IsDir():
			return filepath.SkipDir
		case rel == "." && d.Type()&fs.ModeSymlink != 0, rel == ".git":
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file, and a bundle can only have regular files", path)
		case len(list) == MaxFiles:
			return fmt.Errorf("%s has more than %d files", dir, MaxFiles)
		}
		data, err := files.ReadInside(dir, filepath.ToSlash(rel), MaxFile+1)
		if err != nil {
			return err
		}
		if total += len(data); len(data) > MaxFile || total > maxTotal {
			return fmt.Errorf("%s: a file of a bundle can have at most %d bytes, and all files together %d", path, MaxFile, maxTotal)
		}
		list = append(list, File{filepath.ToSlash(rel), data})
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: %w", dir, os.ErrNotExist)
	}
	return list, err
}
