package sample

import (
	"os"
	"path/filepath"
	"testing"
)

// What could not be written completely can be tried again.
func TestWriteAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inTheWay := filepath.Join(dir, ".system")
	if err := os.Symlink(filepath.Join(dir, "none", "none"), inTheWay); err != nil {
		t.Skip(err)
	}
	if _, err := Write(dir); err == nil {
		t.Fatal("a directory was made where a link is")
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir); err != nil {
		t.Error(err)
	}
	if _, err := Write(dir); err == nil {
		t.Error("what is there was overwritten")
	}
}
