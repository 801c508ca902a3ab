package paths

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
)

// Hookless reports whether a directory is in a repository without hooks: none in
// its hooks directory, and no setting that names another one. If that is unknown,
// it returns false.
func Hookless(w trammel.World, dir string) bool {
	for range 32 {
		if info, err := w.Lstat(path.Join(dir, ".git")); err == nil {
			return info.IsDir() && noHooks(w, path.Join(dir, ".git"))
		}
		if dir = path.Dir(dir); dir == "/" || dir == "." {
			break
		}
	}
	return false
}

func noHooks(w trammel.World, git string) bool {
	for _, file := range [...]string{git + "/config", w.Home() + "/.gitconfig", w.Home() + "/.config/git/config", "/etc/gitconfig"} {
		if _, err := w.Lstat(file); err != nil {
			continue
		}
		text, err := w.ReadFile(file, 1<<16)
		if lower := strings.ToLower(string(text)); err != nil || strings.Contains(lower, "hookspath") || strings.Contains(lower, "[include") {
			return false
		}
	}
	if _, err := w.Lstat(git + "/hooks"); err != nil {
		return true
	}
	entries, err := w.ReadDir(git+"/hooks", 100)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".sample") {
			return false
		}
	}
	return err == nil && len(entries) < 100
}
