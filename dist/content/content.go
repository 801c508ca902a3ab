// Package content is what a package is made of: the files that it installs and
// what it says about itself. The packages beside it write it in one format each.
package content

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// File is one file or directory, as it is once installed. All belong to root.
type File struct {
	Path string // slash-separated, relative to the root
	Mode fs.FileMode
	Data []byte
}

// Package is one package for one processor. The same value gives the same bytes.
type Package struct {
	Version Version
	Arch    string    // as Go names it
	Time    time.Time // of every file, and of the build
	Files   []File
}

// What every package says about the project.
const (
	Name        = "trammel"
	Summary     = "hooks that an AI agent cannot talk its way past"
	Description = "One engine for hooks, policy, human approval and evidence, for every AI agent."
	License     = "Apache-2.0"
	URL         = "https://github.com/trammel-dev/trammel"
	Maintainer  = "The Trammel authors <trammel@trammel.dev>"
)

// Size is how many bytes the files have.
func (p *Package) Size() (n int64) {
	for _, f := range p.Files {
		n += int64(len(f.Data))
	}
	return n
}

// Sorted are the files in the order of their paths, a directory before what is
// in it.
func Sorted(files []File) []File {
	return slices.SortedFunc(slices.Values(files), func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
}

// WithParents are the files, sorted, with every directory that leads to them.
func WithParents(files []File) []File {
	out := slices.Clone(files)
	seen := map[string]bool{".": true}
	for _, f := range files {
		if f.Mode.IsDir() {
			seen[f.Path] = true
		}
	}
	for _, f := range files {
		for dir := path.Dir(f.Path); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			out = append(out, File{Path: dir, Mode: fs.ModeDir | 0o755})
		}
	}
	return Sorted(out)
}

// Below are the files, each moved below a directory.
func Below(dir string, files []File) []File {
	out := slices.Clone(files)
	for i := range out {
		out[i].Path = path.Join(dir, out[i].Path)
	}
	return out
}

// Version is a semantic version without the leading v.
type Version string

// Tilde is the version for deb and rpm, where what leads up to a release sorts
// before it only behind a tilde.
func (v Version) Tilde() string { return strings.ReplaceAll(string(v), "-", "~") }

// Prerelease reports whether the version leads up to a release.
func (v Version) Prerelease() bool { return strings.Contains(string(v), "-") }

// Core is the version without what leads up to it.
func (v Version) Core() string {
	core, _, _ := strings.Cut(string(v), "-")
	return core
}
