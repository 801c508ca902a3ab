package examples

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// Processes holds whole processes, below processes/.
//
//go:embed processes
var Processes embed.FS

// CopyProcess writes the files of a process to a directory. It replaces none.
func CopyProcess(name, dir string) error {
	from, err := fs.Sub(Processes, "processes/"+name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	return os.CopyFS(dir, from)
}
