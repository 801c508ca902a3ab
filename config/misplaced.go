package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel/internal/layers"
)

// misnamed are the names that people give to a configuration which nobody reads.
var misnamed = []string{"trammel.yml", "trammel.json", ".trammel.yaml", ".trammel.yml",
	".trammel/trammel.yaml", ".trammel/trammel.yml", ".trammel/config.yaml", ".github/trammel.yaml"}

// misplaced looks for files in the directories of a set that look like its
// configuration, and have no effect.
func misplaced(set *layers.Set) (found []Finding) {
	dirs := []string{set.Root}
	for i := range set.Files {
		dirs = append(dirs, set.Files[i].Dir)
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if dir == "" {
			continue
		}
		for _, name := range misnamed {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if read := slices.ContainsFunc(set.Files, func(f layers.File) bool { return f.Path == path }); read {
				continue
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found = append(found, Finding{Code: "not-read", File: path, Message: "no file of this name and place is read, so its rules are not in force",
					Fix: "move it to " + filepath.Join(dir, layers.FileName)})
			}
		}
	}
	return found
}
