package repository

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// tagged is a field with a tag, which Go does not let us break.
var tagged = regexp.MustCompile("^\\t\\S+ +\\S+ +`json:")

// Lines, files and packages stay readable. Only a field with its tag may be longer.
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
		n := 0
		for line := range bytes.Lines(data) {
			n++
			if columns := utf8.RuneCount(line) - 1; columns > maxColumns && !tagged.Match(line) {
				t.Errorf("%s:%d has %d characters, at most %d", name, n, columns, maxColumns)
			}
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
