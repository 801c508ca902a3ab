// Package testfile writes the files that tests need.
package testfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Write writes a file, and makes the directories above it. Who may read the file
// may look into these.
func Write(t testing.TB, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), mode|0o700|mode&0o444>>2); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// Tree writes files below a directory, by their names with slashes. Scripts can
// be executed.
func Tree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		mode := os.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		Write(t, filepath.Join(dir, filepath.FromSlash(name)), text, mode)
	}
}
