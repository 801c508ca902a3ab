package buildcheck

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/builds"
)

// component is a directory that is built on its own, and how.
type component struct {
	dir    string // relative to the project, with slashes
	checks [][]string
}

// componentsOf finds the components that changed files belong to: for each file
// the nearest directory with a build file. more is how many were left out.
func componentsOf(root string, files []string, most int) (out []component, more int) {
	known := map[string]*component{}
	for _, file := range files {
		file = path.Clean(filepath.ToSlash(file))
		if !filepath.IsLocal(file) {
			continue
		}
		for dir := path.Dir(file); ; dir = path.Dir(dir) {
			c, seen := known[dir]
			if !seen {
				if checks := checksIn(filepath.Join(root, filepath.FromSlash(dir))); len(checks) > 0 {
					c = &component{dir, checks}
				}
				known[dir] = c
				if c != nil {
					out = append(out, *c)
				}
			}
			if c != nil || dir == "." {
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b component) int { return strings.Compare(a.dir, b.dir) })
	if len(out) > most {
		return out[:most], len(out) - most
	}
	return out, 0
}

// checksIn returns the commands that check a component, from its build files.
func checksIn(dir string) (checks [][]string) {
	if text, ok := builds.File(dir, "Makefile"); ok && builds.HasTarget(text, "check") {
		return [][]string{{"make", "check"}} // an explicit check target wins
	}
	if _, ok := builds.File(dir, "go.mod"); ok {
		checks = append(checks, []string{"go", "build", "./..."}, []string{"go", "vet", "./..."})
	}
	if text, ok := builds.File(dir, "package.json"); ok {
		for _, script := range builds.Scripts(text, "lint", "build", "test") {
			checks = append(checks, []string{"npm", "run", "--silent", script})
		}
	}
	if _, ok := builds.File(dir, "Cargo.toml"); ok {
		checks = append(checks, []string{"cargo", "check", "--quiet"})
	}
	if _, ok := builds.File(dir, "pyproject.toml"); ok {
		checks = append(checks, []string{"python3", "-m", "compileall", "-q", "."})
	}
	return checks
}
