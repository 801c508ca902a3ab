// Package sample writes a repository to try the Agent Runtime in: a registry
// with two abilities, a hook for each moment, and a script for a model.
package sample

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/files"
)

//go:embed all:files
var sample embed.FS

// Write writes the sample into a directory and returns what it wrote. Nothing
// that is there is overwritten.
func Write(dir string) ([]string, error) {
	sub, err := fs.Sub(sample, "files")
	if err != nil {
		return nil, err
	}
	var names []string
	err = fs.WalkDir(sub, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		switch _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); {
		case err == nil:
			return fmt.Errorf("%s already exists", filepath.Join(dir, name))
		case !errors.Is(err, os.ErrNotExist):
			return err
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		data, err := fs.ReadFile(sub, name)
		if err != nil {
			return nil, err
		}
		mode := os.FileMode(0o644)
		if strings.HasSuffix(name, ".sh") {
			mode = 0o755
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = files.Create(path, data, mode)
		}
		if err != nil {
			for _, made := range names[:i] { // so that it can be tried again
				err = errors.Join(err, os.Remove(filepath.Join(dir, filepath.FromSlash(made))))
			}
			return nil, err
		}
	}
	return names, nil
}
