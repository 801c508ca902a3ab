package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// Directory is the absolute path of a directory that exists; "" is the current
// one.
func Directory(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	switch info, err := os.Stat(abs); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no directory %s", abs)
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file, expected a directory", abs)
	}
	return abs, nil
}

// DirectoryOf is an error if the file that a flag names would be in a directory
// that does not exist. An address, and nothing, are in none.
func DirectoryOf(flag, path string) error {
	if path == "" || strings.Contains(path, "://") {
		return nil
	}
	if _, err := Directory(filepath.Dir(path)); err != nil {
		return Usagef("--%s %s: %w; create it first, or correct the path", flag, path, err)
	}
	return nil
}

// Found finds the configuration for a directory; "" is the current one.
func Found(dir string) (*full.Program, *layers.Set, error) {
	p, err := Program()
	if err != nil {
		return nil, nil, err
	}
	abs, err := Directory(dir)
	if err != nil {
		return nil, nil, err
	}
	set, err := layers.Find(p.Dirs, abs)
	if err == nil && p.Admit(set) {
		set, err = layers.Find(p.Dirs, abs)
	}
	return p, set, err
}

// Loaded compiles what Found finds.
func Loaded(dir string) (*full.Program, *layers.Set, *plan.Plan, error) {
	p, set, err := Found(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	compiled, err := p.Compile(set)
	return p, set, compiled, err
}
