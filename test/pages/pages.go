// Package pages holds the pages of the project against the program: what is
// generated is up to date, what can be copied works, and what is linked is there.
package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Root is the root of the repository, seen from this package.
const Root = "../.."

// Compile says whether a file can be used as trammel.yaml of a user, or of the
// machine.
func Compile(name, text string, layer layers.Layer) error {
	p := full.New(layers.Dirs{})
	dir, err := filepath.Abs(filepath.Join(Root, "examples"))
	if err != nil {
		return err
	}
	set := &layers.Set{Root: dir, Files: []layers.File{{Path: name, Layer: layer, Dir: dir, Data: []byte(text), Trust: layers.Trusted}}}
	_, err = config.Compile(set, p.Known())
	return err
}

// Keep compares a page with what it should be and, with update, writes it. It
// returns what is wrong, or "".
func Keep(page, want, command string, update bool) string {
	path := filepath.Join(Root, page)
	if update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err.Error()
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			return err.Error()
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	if string(have) != want {
		return fmt.Sprintf("%s is out of date: %s", page, command)
	}
	return ""
}

// Rows are the lines of a table, each cut at " | " into n parts; the last one
// takes the rest. Empty lines and comments are left out.
func Rows(path string, n int) ([][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.SplitN(line, " | ", n)
		if len(row) != n {
			return nil, fmt.Errorf("%s:%d has %d parts, expected %d", path, number, len(row), n)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
