package plan

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/files"
)

// Cache stores compiled plans in a directory that only its user can enter. The
// file name contains the project and the digest of all sources, so a change to
// any source is a miss. Files are checked before they are used.
type Cache struct{ Dir string }

// CacheIn returns the cache below the user's cache directory.
func CacheIn(dir string) Cache { return Cache{filepath.Join(dir, "plans")} }

// Load opens the plan for these sources. Any error means: compile again. The
// file, which is never written to, stays open as long as the plan is used.
func (c Cache) Load(project, digest string) (*Plan, error) {
	file, size, err := c.open(project, digest)
	if err != nil {
		return nil, err
	}
	p, err := Open(file, size, digest)
	if err != nil {
		file.Close()
	}
	return p, err
}

// LoadWhole is Load for a long-running process: every hook is read and checked
// at once, and no file stays open.
func (c Cache) LoadWhole(project, digest string) (*Plan, error) {
	file, size, err := c.open(project, digest)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data := make([]byte, size)
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	p, err := Decode(data, digest)
	if err == nil {
		_, err = p.All()
	}
	return p, err
}

func (c Cache) open(project, digest string) (file *os.File, size int64, err error) {
	if err := private(c.Dir); err != nil {
		return nil, 0, err
	}
	return openOwn(c.path(project, digest))
}

// Save stores a plan and removes older ones of the project.
func (c Cache) Save(project, digest string, data []byte) error {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return fmt.Errorf("plan cache: %w", err)
	}
	if err := private(c.Dir); err != nil {
		return err
	}
	path := c.path(project, digest)
	if err := files.Replace(path, data); err != nil {
		return fmt.Errorf("plan cache: %w", err)
	}
	c.dropOthers(project, filepath.Base(path))
	return nil
}

func (c Cache) path(project, digest string) string {
	return filepath.Join(c.Dir, project+"-"+short(digest)+".plan")
}

// dropOthers removes the project's other plans. Any that it cannot remove do no harm.
func (c Cache) dropOthers(project, keep string) {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), project+"-") && e.Name() != keep {
			os.Remove(filepath.Join(c.Dir, e.Name()))
		}
	}
}

// short is the part of a digest used in file names; the plan contains all of it.
func short(digest string) string {
	digest = strings.TrimPrefix(digest, "sha256:")
	return digest[:min(len(digest), 32)]
}

func missing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return ErrMissing
	}
	return fmt.Errorf("plan cache: %w", err)
}
