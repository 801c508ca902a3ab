package past

import (
	"path"
	"slices"

	"github.com/trammel-dev/trammel/effects/model"
)

// Builds reports whether a program runs what its working directory defines.
func Builds(program string) bool {
	return slices.Contains([]string{"make", "gmake", "just", "npm", "pnpm", "yarn", "cargo", "cmake", "ninja", "pip", "pip3", "rake",
		"gradle", "mvn", "task"}, program)
}

// BuildsIn is the directory that a build works in.
func BuildsIn(r *model.Run) model.Path {
	for k := 1; k < len(r.Args); k++ {
		switch r.Args[k-1].Text {
		case "-C", "--directory", "--prefix":
			return Resolved(r.Dir.Abs, r.Args[k].Text)
		}
	}
	return r.Dir
}

// Resolved is the place that a text names, seen from a directory.
func Resolved(dir, text string) model.Path {
	if !path.IsAbs(text) {
		text = path.Join(dir, text)
	}
	return model.Path{Text: text, Abs: path.Clean(text), Real: path.Clean(text)}
}
