// Package worldtest provides a World without leftover files, so that a test about /tmp/x
// gives the same result whether or not that directory exists.
package worldtest

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

// Only is this machine with an empty /tmp, which is where temporary files go, and without
// people's files, except for what lies below a directory.
func Only(root string) trammel.World { return only{root: root} }

type only struct {
	world.System
	root string
}

// visible says whether a path is below the root, above it, or a part of the system.
func (o only) visible(path string) bool {
	path = filepath.Clean(path)
	if inside(o.root, path) || inside(path, o.root) {
		return true
	}
	if slices.Contains([]string{"/tmp", "/var/tmp", "/dev/shm", "/home"}, path) {
		return true
	}
	top, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return !inside("/dev/shm", path) && !slices.Contains([]string{"tmp", "var", "home", "root", "work", "opt", "srv", "mnt", "data"}, top)
}

// inside says whether a path is a directory or lies in it.
func inside(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

func missing(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: fs.ErrNotExist} }

// Lstat implements trammel.World.
func (o only) Lstat(path string) (fs.FileInfo, error) {
	if !o.visible(path) {
		return nil, missing("lstat", path)
	}
	return o.System.Lstat(path)
}

// Readlink implements trammel.World.
func (o only) Readlink(path string) (string, error) {
	if !o.visible(path) {
		return "", missing("readlink", path)
	}
	return o.System.Readlink(path)
}

// ReadFile implements trammel.World.
func (o only) ReadFile(path string, max int) ([]byte, error) {
	if !o.visible(path) {
		return nil, missing("open", path)
	}
	return o.System.ReadFile(path, max)
}

// ReadDir implements trammel.World.
func (o only) ReadDir(path string, max int) ([]fs.DirEntry, error) {
	if !o.visible(path) {
		return nil, missing("open", path)
	}
	entries, err := o.System.ReadDir(path, max)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !o.visible(filepath.Join(path, e.Name())) }), err
}

// LookupEnv implements trammel.World.
func (o only) LookupEnv(name string) (string, bool) {
	if name == "TMPDIR" {
		return "", false
	}
	return o.System.LookupEnv(name)
}
