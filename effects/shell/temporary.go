package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// temporary returns a name that mktemp may create: by its template, or in the
// directory for temporary files.
func (d *deriver) temporary(r *model.Run, st *state) string {
	dir := "/tmp"
	if v := d.variable("TMPDIR", st); v.known && v.text != "" {
		dir = v.text
	}
	a := programs.Parse(r)
	if w, ok := a.Value("p", "tmpdir"); ok && w.Known && w.Text != "" {
		dir = w.Text
	}
	name := a.Word(0)
	switch {
	case name == "":
		name = "tmp.XXXXXXXXXX"
	case strings.Contains(name, "/") || !a.Has("t", "p", "tmpdir"): // it stands for itself
		return name
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}
