package shell

import (
	"maps"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
)

// recall finds what an earlier call of the session has done to a file. If that is
// unknown, it is a doubt.
func (d *deriver) recall(sort trammel.PastSort, p model.Path) (trammel.Remembered, bool) {
	r, found, unsure := d.world.Recall(sort, &p)
	if unsure {
		d.doubt("past", p.Text, -1)
	}
	return r, found
}

// copyOf returns the program of which a file is a copy, made by this line or an
// earlier call.
func (d *deriver) copyOf(p model.Path) (string, bool) {
	if name, ok := d.copies[p.Abs]; ok {
		return name, true
	}
	r, found := d.recall(trammel.CopiedProgram, p)
	return r.By, found
}

// origins lists what later calls need to know about files that the line writes.
func (d *deriver) origins() {
	if len(d.held)+len(d.copies) == 0 {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(d.held)) {
		if slices.ContainsFunc(d.held[path], func(s stream) bool { return s.network }) && path[0] == '/' && !d.isTree(path) {
			d.set.Origins = append(d.set.Origins, model.FileOrigin{Path: path})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(d.copies)) {
		d.set.Origins = append(d.set.Origins, model.FileOrigin{Path: path, Program: d.copies[path]})
	}
}

func (d *deriver) isTree(path string) bool {
	tree := false
	for i := range d.set.Files {
		switch f := &d.set.Files[i]; {
		case f.Op == model.Move && f.To.Real == path:
			return false // whatever it is
		case f.Op == model.Write && f.Tree && f.Path.Real == path:
			tree = true
		}
	}
	return tree
}
