// Package builds knows the programs that run what a directory defines, and which
// directory that is.
package builds

import (
	"path"
	"slices"

	"github.com/trammel-dev/trammel/effects/model"
)

// Is reports whether a program runs what its working directory defines.
func Is(program string) bool {
	return slices.Contains([]string{"make", "gmake", "just", "npm", "pnpm", "yarn", "cargo", "cmake", "ninja", "pip", "pip3", "rake",
		"gradle", "mvn", "task"}, program)
}

// In is the directory that a build works in.
func In(r *model.Run) model.Path {
	for k := 1; k < len(r.Args); k++ {
		switch r.Args[k-1].Text {
		case "-C", "--directory", "--prefix":
			return Place(r.Dir.Abs, r.Args[k].Text)
		}
	}
	return r.Dir
}

// Place is the place that a text names, seen from a directory.
func Place(dir, text string) model.Path {
	if !path.IsAbs(text) {
		text = path.Join(dir, text)
	}
	return model.Path{Text: text, Abs: path.Clean(text), Real: path.Clean(text)}
}
