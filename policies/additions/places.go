package additions

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
)

// places lists the directories to search for files.
func places(w trammel.World, dir string) []string {
	var out []string
	if home := w.Home(); home != "" {
		out = append(out, home)
	}
	if !filepath.IsAbs(dir) {
		return out
	}
	var up []string
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		up = append(up, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	slices.Reverse(up)
	return append(out, up...)
}

// known reports whether a file was seen under another name.
func known(seen []os.FileInfo, info os.FileInfo) bool {
	return slices.ContainsFunc(seen, func(s os.FileInfo) bool { return os.SameFile(s, info) })
}
