package layers

import (
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel/internal/files"
)

// Trusting is the set as it will be once a person has trusted what is in it.
func (s *Set) Trusting() *Set {
	out := &Set{Root: s.Root, Pins: s.Pins, Bundles: s.Bundles}
	for _, f := range s.Files {
		if f.Pinned {
			continue
		}
		f.Trust = Trusted
		out.Files = append(out.Files, f)
	}
	out.Digest = out.digest()
	return out
}

// WithUser is the set with one more file of the user, as if it stood among their
// drop-ins.
func (s *Set) WithUser(d Dirs, name string, data []byte) *Set {
	out := *s
	at := slices.IndexFunc(s.Files, func(f File) bool { return f.Layer > User })
	if at < 0 {
		at = len(s.Files)
	}
	out.Files = slices.Insert(slices.Clone(s.Files), at, File{Layer: User, Path: filepath.Join(d.User, DropIn, name), Dir: d.User, Data: data,
		Trust: Trusted})
	out.Digest = out.digest()
	return &out
}

// With is the set with the project's own files replaced by those that another
// directory has, as if they stood in the project. It reports false if there are
// none.
func (s *Set) With(dir string) (*Set, bool, error) {
	dir = files.Real(dir)
	other, err := Find(Dirs{}, dir)
	if err != nil {
		return nil, false, err
	}
	var files []File
	for _, f := range other.Files {
		if f.Dir != dir {
			continue
		}
		rel, err := filepath.Rel(dir, f.Path)
		if err != nil {
			return nil, false, err
		}
		f.Dir, f.Path = s.Root, filepath.Join(s.Root, rel)
		files = append(files, f)
	}
	return s.Replacing(files, s.Bundles), len(files) > 0, nil
}

// Replacing is the set with other files and bundles of the project.
func (s *Set) Replacing(files []File, bundles map[string]Bundle) *Set {
	out := &Set{Root: s.Root, Pins: s.Pins, Bundles: bundles}
	out.Files = slices.DeleteFunc(slices.Clone(s.Files), func(f File) bool { return f.Layer == Project && f.Dir == s.Root })
	out.Files = append(out.Files, files...)
	out.Digest = out.digest()
	return out
}
