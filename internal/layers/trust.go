package layers

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/internal/files"
)

// Trust records that a human has seen these files of a directory and the
// programs that they start, and replaces an earlier record of it. It uses the
// bytes that were shown, not the current content of the files.
//
// The record is replaced in one step. Copies of what was trusted before stay
// beside it, because someone may just be reading the record that names them.
func Trust(d Dirs, dir string, seen []File, pins map[string]string, now time.Time) error {
	dir = files.Real(filepath.Clean(dir))
	rec := &Record{Dir: dir, Time: now, Pins: pins}
	home := recordDir(d, dir)
	if err := os.MkdirAll(filepath.Join(home, "files"), 0o700); err != nil {
		return fmt.Errorf("trust %s: %w", dir, err)
	}
	for _, f := range seen {
		rel, err := filepath.Rel(dir, f.Path)
		if err != nil || !filepath.IsLocal(rel) {
			return fmt.Errorf("trust %s: found %s, expected a file inside of the directory", dir, f.Path)
		}
		t := TrustedFile{Path: f.Path, Digest: digestOf(f.Data)}
		if err := files.Replace(copyPath(home, t.Digest), f.Data); err != nil {
			return fmt.Errorf("trust %s: %w", dir, err)
		}
		rec.Files = append(rec.Files, t)
	}
	text := rec.format()
	if err := files.Replace(filepath.Join(home, "record"), text); err != nil {
		return fmt.Errorf("trust %s: %w", dir, err)
	}
	for _, identity := range identify(dir) {
		path := filepath.Join(repositoryDir(d, identity), contentOf(dir, seen))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("trust %s: %w", dir, err)
		}
		if err := files.Replace(path, text); err != nil {
			return fmt.Errorf("trust %s: %w", dir, err)
		}
	}
	return nil
}

// Forget drops the record of a directory and the copies that belong to it, and
// what clones of its repository are trusted by.
func Forget(d Dirs, dir string) error {
	dir = files.Real(filepath.Clean(dir))
	for _, identity := range identities(dir) {
		if err := os.RemoveAll(repositoryDir(d, identity)); err != nil {
			return fmt.Errorf("forget %s: %w", dir, err)
		}
	}
	home := recordDir(d, dir)
	// The record is removed first: without its copies it would be an error, but
	// copies without a record do no harm.
	if err := os.Remove(filepath.Join(home, "record")); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("forget %s: %w", dir, err)
	}
	if err := os.RemoveAll(home); err != nil {
		return fmt.Errorf("forget %s: %w", dir, err)
	}
	return nil
}

// Status returns what is trusted in a directory, nil if nothing is.
func Status(d Dirs, dir string) (*Record, error) {
	return readRecord(d, files.Real(filepath.Clean(dir)))
}
