package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// trapped is what a shell does when it ends or gets a signal.
type trapped struct {
	action model.Word
	run    int
	st     *state
}

// trap interprets trap. Its action runs later, when variables may have other
// values, so its effects count with the current values and with those at the end
// of the shell.
func (d *deriver) trap(run int, st *state) {
	args := compute.Unmarked(d.set.Runs[run].Args)
	if len(args) < 2 || args[0].Text == "-" || args[0].Text == "" {
		return
	}
	t := trapped{args[0], run, st}
	if !strings.ContainsAny(t.action.Text, "$`") {
		d.take(t)
		return
	}
	d.quietly(func() { d.take(t) })
	d.traps = append(d.traps, t)
}

// take interprets the action of a trap.
func (d *deriver) take(t trapped) {
	way := t.st.copy()
	way.perhaps(true)
	d.code(t.action, t.run, way, func(text string) { d.inShell(text, t.run, way) })
}

// end takes the traps that are left when the line is at its end.
func (d *deriver) end() {
	for _, t := range d.traps {
		if !d.step() {
			return
		}
		d.take(t)
	}
}
