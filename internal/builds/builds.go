// Package builds reads what a project declares about its own builds and tests,
// and says with which variables they are run. It runs nothing.
package builds

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/strict"
)

// maxFile is the maximum size of a build file.
const maxFile = 1 << 20

// File reads a build file of a directory. It ignores links and files that are
// too large.
func File(dir, name string) ([]byte, bool) {
	file := filepath.Join(dir, name)
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, false
	}
	text, err := os.ReadFile(file)
	return text, err == nil
}

// HasTarget reports whether a Makefile, or a file that names its targets in the
// same way, has a target.
func HasTarget(makefile []byte, target string) bool {
	for line := range bytes.Lines(makefile) {
		if name, _, ok := bytes.Cut(line, []byte(":")); ok && slices.Contains(strings.Fields(string(name)), target) &&
			!bytes.HasPrefix(line, []byte("\t")) {
			return true
		}
	}
	return false
}

// Scripts are those of the wanted scripts that an npm package has. It ignores
// npm's placeholder for a missing test.
func Scripts(manifest []byte, wanted ...string) (out []string) {
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

// Environ is the part of the environment that builds need, without the hosts'
// variables.
func Environ() []string {
	var env []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if slices.Contains([]string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "USERPROFILE",
			"LOCALAPPDATA", "APPDATA", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "NVM_DIR"}, name) ||
			strings.HasPrefix(name, "GO") {
			env = append(env, pair)
		}
	}
	return append(env, "CI=true")
}
