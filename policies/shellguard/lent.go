package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/varnames"
	"github.com/trammel-dev/trammel/policies/shellguard/lent"
)

// lent judges code that the options of a run name, in a folder where everybody can put
// files. Text there has been read already, and files that the line writes are its own.
func (j *judge) lent(r *effects.Run) {
	if r.Remote || programs.Language(r) == "sql" { // what these read is data
		return
	}
	for _, e := range lent.Operands(r) {
		j.lentBy(e)
	}
	for _, l := range lent.Options(r) {
		if j.unread(r, l.Place) || j.open(l.Place) {
			j.add("shared_code", l.Option+" "+l.Place)
		}
	}
}

// lentBy judges code that a variable names, in such a place.
func (j *judge) lentBy(e model.Assign) {
	nowhere := &effects.Run{}
	for _, l := range recipes.Variable(e.Name, e.Value.Text) {
		if place, _, _ := strings.Cut(l.Text, " "); l.Language != "write" && j.unread(nowhere, place) {
			j.add("shared_code", e.Name+"="+e.Value.Text)
		}
	}
	program, folders := varnames.Places(e.Name, e.Value.Text, model.RunsValue(e.Name))
	if j.unread(nowhere, program) || slices.ContainsFunc(folders, func(dir string) bool {
		return j.open(dir) || !varnames.Searched(e.Name) && j.unread(nowhere, dir+"/x")
	}) {
		j.add("shared_code", e.Name+"="+e.Value.Text)
	}
}

// open reports whether everybody can put files into a folder itself: /tmp.
func (j *judge) open(dir string) bool {
	dir = path.Clean(dir)
	p := effects.Path{Abs: dir + "/x"}
	return path.IsAbs(dir) && j.ground.Scratch(p) && !j.ground.Scratch(effects.Path{Abs: dir})
}

// unread reports whether a place is where everybody can put something, and nobody can
// have read what is there.
func (j *judge) unread(r *effects.Run, place string) bool {
	p := effects.Path{Abs: path.Clean(place)}
	made := strings.Contains(place, "XXXXXX") && slices.ContainsFunc(j.set.Runs, func(r effects.Run) bool { return r.Program == "mktemp" })
	if made || !path.IsAbs(place) || strings.IndexByte(place, '$') >= 0 || !j.ground.Scratch(p) {
		return false
	}
	for i := range j.set.Files {
		if f := &j.set.Files[i]; f.Op == model.Write && (f.Run < 0 || &j.set.Runs[f.Run] != r) &&
			(f.Path.Abs == p.Abs || f.Tree && strings.HasPrefix(p.Abs, f.Path.Abs+"/")) {
			return false
		}
	}
	text, err := j.at.ReadFile(p.Abs, maxCode)
	return err != nil || strings.IndexByte(string(text), 0) >= 0
}
