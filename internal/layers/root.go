package layers

import (
	"os"
	"path/filepath"
)

// Root is the project's root as in Find, from the names of files alone: it
// works even if the files cannot be read, so that this can be recorded.
func Root(d Dirs, anchors ...string) string {
	dirs, first, err := chain(anchors)
	if err != nil || len(dirs) == 0 {
		return ""
	}
	for _, dir := range dirs[:first] {
		for _, mark := range []string{filepath.Join(dir, FileName), filepath.Join(dir, RepositoryHooks), filepath.Join(dir, ".git"),
			recordDir(d, dir)} {
			if info, err := os.Lstat(mark); err == nil && (filepath.Base(mark) == ".git" || !foreign(info, dir)) {
				return dir
			}
		}
	}
	return dirs[0]
}
