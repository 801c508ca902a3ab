package buildcheck

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/strict"
)

// component is a directory that is built on its own, and how.
type component struct {
	dir    string // from the project on, in slashes
	checks [][]string
}

// componentsOf finds the components that changed files belong to: for each file
// the nearest directory that says how it is built. more is how many were left
// out.
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

// checksIn are the commands that check a component, from its build files.
func checksIn(dir string) (checks [][]string) {
	if text, ok := readFile(dir, "Makefile"); ok && hasTarget(text, "check") {
		return [][]string{{"make", "check"}} // who has one has said what a check is
	}
	if _, ok := readFile(dir, "go.mod"); ok {
		checks = append(checks, []string{"go", "build", "./..."}, []string{"go", "vet", "./..."})
	}
	if text, ok := readFile(dir, "package.json"); ok {
		for _, script := range scriptsOf(text, "lint", "build", "test") {
			checks = append(checks, []string{"npm", "run", "--silent", script})
		}
	}
	if _, ok := readFile(dir, "Cargo.toml"); ok {
		checks = append(checks, []string{"cargo", "check", "--quiet"})
	}
	if _, ok := readFile(dir, "pyproject.toml"); ok {
		checks = append(checks, []string{"python3", "-m", "compileall", "-q", "."})
	}
	return checks
}

// maxBuildFile is the most of a build file that is read.
const maxBuildFile = 1 << 20

func readFile(dir, name string) ([]byte, bool) {
	file := filepath.Join(dir, name)
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxBuildFile {
		return nil, false
	}
	text, err := os.ReadFile(file)
	return text, err == nil
}

func hasTarget(makefile []byte, target string) bool {
	for line := range bytes.Lines(makefile) {
		if name, _, ok := bytes.Cut(line, []byte(":")); ok && slices.Contains(strings.Fields(string(name)), target) &&
			!bytes.HasPrefix(line, []byte("\t")) {
			return true
		}
	}
	return false
}

// scriptsOf are those of the wanted scripts that a package has. What npm puts
// there for a test that was never written is none.
func scriptsOf(manifest []byte, wanted ...string) (out []string) {
	obj, err := strict.Object(manifest, strict.Limits{})
	if err != nil {
		return nil
	}
	scripts, _ := obj["scripts"].(map[string]any)
	for _, name := range wanted {
		if line, ok := scripts[name].(string); ok && !strings.Contains(line, "no test specified") {
			out = append(out, name)
		}
	}
	return out
}
