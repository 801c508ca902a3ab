package library

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/internal/files"
)

// Installed is a process of the library.
type Installed struct {
	Label
	Dir    string `json:"dir"`
	Intact bool   `json:"intact"` // its files are those that were installed
}

// Install installs an archive into the library at a directory. Nothing is
// visible there before everything was checked: names, digest, and the process
// itself.
func Install(library string, r io.Reader) (Installed, error) {
	if err := os.MkdirAll(library, 0o700); err != nil {
		return Installed{}, err
	}
	fresh, err := os.MkdirTemp(library, ".new-*")
	if err != nil {
		return Installed{}, err
	}
	defer os.RemoveAll(fresh)
	l, err := unpack(r, fresh)
	if err != nil {
		return Installed{}, err
	}
	d, err := valid(fresh)
	switch {
	case err != nil:
		return Installed{}, err
	case d.Revision != l.Digest:
		return Installed{}, errors.New("the files do not match the label: the digest differs")
	case d.Manifest.ID != l.ID || d.Manifest.Version != l.Version:
		return Installed{}, fmt.Errorf("the label says %s %s, but the manifest says %s %s", l.ID, l.Version, d.Manifest.ID, d.Manifest.Version)
	}
	dir := filepath.Join(library, l.ID, l.Version)
	if have, err := files.Tree(dir); err == nil {
		if have == l.Digest {
			return Installed{l, dir, true}, nil
		}
		return Installed{}, fmt.Errorf("a different %s %s is installed: a changed process needs a new version", l.ID, l.Version)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return Installed{}, err
	}
	if err := files.Replace(dir+".digest", []byte(l.Digest)); err != nil {
		return Installed{}, err
	}
	return Installed{l, dir, true}, os.Rename(fresh, dir)
}

// List lists the library, by id and version.
func List(library string) ([]Installed, error) {
	notes, err := filepath.Glob(filepath.Join(library, "*", "*.digest"))
	out := []Installed{}
	for _, note := range notes {
		digest, err := os.ReadFile(note)
		if err != nil {
			return out, err
		}
		dir := note[:len(note)-len(".digest")]
		now, err := files.Tree(dir)
		if errors.Is(err, os.ErrNotExist) {
			continue // it was never completed, or is gone
		}
		out = append(out, Installed{Label{format, filepath.Base(filepath.Dir(dir)), filepath.Base(dir), string(digest)}, dir,
			err == nil && now == string(digest)})
	}
	return out, err
}
