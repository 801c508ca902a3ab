package trammel_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits on what one person can read at a time.
const (
	maxColumns = 140
	maxFile    = 16 << 10
	maxPackage = 6000
)

// Lines, files and packages stay readable. Text that cannot be broken (a
// struct's tag, a raw string) may be longer.
func TestLimits(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	size := map[string]int{}
	for _, name := range strings.Fields(string(out)) {
		if strings.Contains(name, "testdata/") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			continue // deleted, and not committed yet
		}
		if len(data) > maxFile {
			t.Errorf("%s has %d bytes, at most %d", name, len(data), maxFile)
		}
		n, raw := 0, false // raw: inside a raw string
		for line := range bytes.Lines(data) {
			n++
			quotes := bytes.Count(line, []byte("`"))
			if utf8.RuneCount(line) > maxColumns+1 && !raw && quotes == 0 {
				t.Errorf("%s:%d has %d characters, at most %d", name, n, utf8.RuneCount(line)-1, maxColumns)
			}
			raw = raw != (quotes%2 == 1)
		}
		if !strings.HasSuffix(name, "_test.go") {
			size[filepath.Dir(name)] += n
		}
	}
	for dir, n := range size {
		if n > maxPackage {
			t.Errorf("package %s has %d lines, at most %d", dir, n, maxPackage)
		}
	}
}

// internal packages are the ground: they import the root package and each
// other, and nothing that stands on them.
func TestInternalImports(t *testing.T) {
	for _, p := range list(t, "./internal/...") {
		for _, imp := range p.Imports {
			if ours(imp) && imp != module && !strings.HasPrefix(imp, module+"/internal/") {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
	}
}
