// Package started finds the files that command hooks start.
package started

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/files"
)

// By are the files that a command line starts in the directory base of a project.
func By(line, project, base string) (paths []string) {
	home, _ := os.UserHomeDir()
	set := effects.Derive(&trammel.Action{Command: line}, &model.Setting{Dir: base, Project: project,
		World: &world.Frozen{HomeDir: home, Env: map[string]string{"HOME": home, "TRAMMEL_PROJECT": project}}})
	for i := range set.Runs {
		if r := &set.Runs[i]; strings.ContainsAny(r.Path, `/\`) && !strings.Contains(r.Path, "$") { // only the shell can expand it
			if paths = append(paths, r.Path); !filepath.IsAbs(r.Path) {
				paths[len(paths)-1] = filepath.Join(r.Dir.Abs, r.Path)
			}
		}
	}
	piped := map[int]bool{} // runs that write code
	for i := range set.Codes {
		c := &set.Codes[i]
		if c.File.Abs != "" {
			paths = append(paths, c.File.Abs)
		}
		piped[c.Run] = true
		if c.Origin == model.Piped {
			piped[set.Runs[c.Run].From] = true
		}
	}
	for i := range set.Files {
		f := &set.Files[i]
		if f.Op == effects.Read && f.Path.Abs != "" && f.Run >= 0 && (piped[f.Run] || slices.Contains(shells, set.Runs[f.Run].Program)) {
			paths = append(paths, f.Path.Abs)
		}
	}
	return paths
}

// shells run what they are given on standard input.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "fish"}

// Outside are the paths, each once and absolute, without programs that come with the system.
func Outside(paths []string, base string) (out []string) {
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		path = filepath.Clean(path)
		if !ofTheSystem(path) && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// ofTheSystem reports whether a program comes with the system and its packages,
// which replace it without asking.
func ofTheSystem(path string) bool {
	for _, dir := range []string{"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec", "/usr/share", "/nix/store", "/snap",
		"/System"} {
		if files.Within(dir, path) {
			return true
		}
	}
	return false
}
