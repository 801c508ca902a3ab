package effects

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkCaps holds the limits in the source against testdata/caps.txt: a new limit
// has to say what becomes of what lies beyond it (guards.md, "Caps that forget").
func checkCaps(t *testing.T, cases []limitCase) {
	t.Helper()
	data, err := os.ReadFile("testdata/caps.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		name, how, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			continue
		}
		known[name] = true
		if title, ok := strings.CutPrefix(how, "case "); ok && !slices.ContainsFunc(cases, func(c limitCase) bool { return c.name == title }) {
			t.Errorf("%s: there is no case %q", name, title)
		}
	}
	found := limitsInSource(t)
	for name := range found {
		if !known[name] {
			t.Errorf("%s is a limit, and testdata/caps.txt does not say what becomes of what lies beyond it", name)
		}
	}
	for name := range known {
		if !found[name] {
			t.Errorf("testdata/caps.txt has %s, and the source does not", name)
		}
	}
}

// limitsInSource are the constants named max…, by package.
func limitsInSource(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.CONST {
				for _, spec := range decl.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						if strings.HasPrefix(strings.ToLower(name.Name), "max") {
							found[file.Name.Name+" "+name.Name] = true
						}
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
