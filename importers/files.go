package importers

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/files"
)

// Find reads the files that a source has in a project and in a home directory.
func (s *Source) Find(project, home string) ([]File, error) {
	var out []File
	for _, pattern := range s.Files {
		rest, user := strings.CutPrefix(pattern, "~/")
		dir := project
		if user {
			dir = home
		}
		paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(rest)))
		if err != nil || dir == "" {
			continue
		}
		slices.Sort(paths)
		for _, path := range paths {
			f, err := Load(path, home)
			if err != nil {
				return nil, err
			}
			if f.User = user; !user {
				if rel, err := filepath.Rel(project, path); err == nil {
					f.Path = rel
				}
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// Load reads a file. One directly in a hidden directory of the home directory is
// the user's own.
func Load(path, home string) (File, error) {
	data, err := files.Named(path)
	f := File{Path: path, Data: data}
	if abs, err := filepath.Abs(path); err == nil && home != "" {
		rel, err := filepath.Rel(home, abs)
		f.User = err == nil && strings.HasPrefix(rel, ".") && !strings.HasPrefix(rel, "..")
	}
	return f, err
}
