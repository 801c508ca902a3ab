package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
)

// foreign judges what a call runs of a tree that an earlier call has fetched. What
// is a text and there was read, and is judged by what it does; a program was not.
func (j *judge) foreign() {
	if j.at.Past == nil {
		return
	}
	if trees, err := j.at.Past.Recall(trammel.FetchedTree); err == nil && len(trees.Items) == 0 {
		return
	}
	for i := range j.set.Runs {
		r := &j.set.Runs[i]
		switch {
		case r.Remote || r.Dir.Abs == "":
		case strings.Contains(r.Path, "/"):
			j.fetched(resolved(r.Dir.Abs, r.Path))
		case builds(r.Program):
			dir := r.Dir
			for k, a := range r.Args {
				if k > 0 && (r.Args[k-1].Text == "-C" || r.Args[k-1].Text == "--directory" || r.Args[k-1].Text == "--prefix") {
					dir = resolved(r.Dir.Abs, a.Text)
				}
			}
			if _, err := j.at.Lstat(dir.Abs); err != nil { // else its recipes were read
				j.fetched(resolved(dir.Abs, "Makefile"))
			}
		}
	}
	for i := range j.set.Codes {
		if c := &j.set.Codes[i]; c.Origin == model.OnDisk && c.File.Known() {
			j.fetched(c.File)
		}
	}
}

func resolved(dir, text string) effects.Path {
	if !path.IsAbs(text) {
		text = path.Join(dir, text)
	}
	return effects.Path{Text: text, Abs: path.Clean(text), Real: path.Clean(text)}
}

// builds reports whether a program runs what the folder says that it works in.
func builds(program string) bool {
	return slices.Contains([]string{"make", "gmake", "just", "npm", "pnpm", "yarn", "cargo", "cmake", "ninja", "pip", "pip3", "rake",
		"gradle", "mvn", "task"}, program)
}

// fetched adds a file if it is of a tree that was fetched and cannot be read.
func (j *judge) fetched(p effects.Path) {
	from, found, _ := j.at.Recall(trammel.FetchedTree, &p)
	if !found {
		return
	}
	if text, err := j.at.ReadFile(p.Real, 128<<10); err != nil || strings.IndexByte(string(text), 0) >= 0 {
		j.add("fetched_code", p.Abs+", from "+from.By+when(from))
	}
}
