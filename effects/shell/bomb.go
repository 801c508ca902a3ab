package shell

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/jobs"
	"github.com/trammel-dev/trammel/effects/shell/parse"
)

// endless examines an infinite loop, whose programs begin at index runs. If each
// iteration starts jobs that nothing waits for, it is a bomb. If it writes without
// ever waiting, the output grows until the disk is full.
func (d *deriver) endless(loop syntax.Node, body []*syntax.Stmt, runs int, st *state) {
	j := jobs.Of(body, &iteration{d, st})
	slow := func(r model.Run) bool { return r.Remote || !compute.Instant(r.Program) }
	switch {
	case j.Leaves || j.Paced && !j.Lost:
	case j.Lost, j.Running > 0 && !j.Leads:
		text := d.text(loop)
		d.bomb(text[:min(len(text), 200)])
	case !j.Paced && !parse.Breaks(body) && !slices.ContainsFunc(d.set.Runs[runs:], slow):
		for i := range d.set.Files {
			f := &d.set.Files[i]
			f.Endless = f.Endless || f.Op == model.Write && (f.Run == unowned || f.Run >= runs && (f.Append || !f.Path.Known()))
		}
	}
}

func (d *deriver) bomb(what string) {
	if !slices.Contains(d.set.Bombs, what) && len(d.set.Bombs) < maxChoices {
		d.set.Bombs = append(d.set.Bombs, what)
	}
}

// iteration is the shell, as package jobs sees it.
type iteration struct {
	d  *deriver
	st *state
}

func (i *iteration) Step() bool { return i.d.step() }
func (i *iteration) Deep()      { i.d.doubt("depth", "a loop", i.st.by) }

func (i *iteration) Holds(list []*syntax.Stmt) (holds, known bool) {
	sure := i.d.outcomes(list, i.st)
	return sure == compute.Yes, sure != compute.Unsure
}

func (i *iteration) Function(name string) (body *syntax.Stmt, leave func()) {
	f := i.st.function(name)
	if f == nil {
		return nil, nil
	}
	source := i.d.source
	i.d.source = f.source
	return f.body, func() { i.d.source = source }
}
