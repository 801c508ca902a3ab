package compute

import (
	"slices"

	"github.com/trammel-dev/trammel/effects/model"
)

// ForScript are the arguments of a run that executes a script of this name, with - in the
// place of the script: what is behind it is for the code.
func ForScript(r *model.Run, script string) []model.Word {
	mark := model.Word{Text: "-", Known: true}
	if script == r.Path {
		return append([]model.Word{mark}, r.Args...)
	}
	args := slices.Clone(r.Args)
	if i := slices.IndexFunc(args, func(w model.Word) bool { return w.Text == script }); i >= 0 {
		args[i] = mark
	}
	return args
}
