package layers

import (
	"os"
	"path/filepath"
	"slices"
)

// misnamed are the names that people give to a configuration which nobody reads.
var misnamed = []string{"trammel.yml", "trammel.json", ".trammel.yaml", ".trammel.yml",
	".trammel/trammel.yaml", ".trammel/trammel.yml", ".trammel/config.yaml", ".github/trammel.yaml"}

// Misplaced are the files in the directories of a set that look like its
// configuration, and have no effect.
func (s *Set) Misplaced() (found []string) {
	dirs := []string{s.Root}
	for i := range s.Files {
		dirs = append(dirs, s.Files[i].Dir)
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		for _, name := range misnamed {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if dir == "" || slices.ContainsFunc(s.Files, func(f File) bool { return f.Path == path }) {
				continue
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found = append(found, path)
			}
		}
	}
	return found
}
