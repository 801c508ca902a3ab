package match

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/shell"
)

// Prefilter is what is known of a condition without its expression: terms that
// all have to hold. Where Each is set, they are about one command of the line
// at a time, of those that run one of Programs.
type Prefilter struct {
	Each     bool
	Programs []string
	Needs    []Need
}

// Excludes reports whether the condition cannot hold for the event. In doubt
// it does not exclude.
func (p *Prefilter) Excludes(ev *trammel.Event) bool {
	if len(p.Needs) == 0 && len(p.Programs) == 0 {
		return false
	}
	for c := range p.Bindings(ev) {
		if p.possible(ev, c) {
			return false
		}
	}
	return true
}

func (p *Prefilter) possible(ev *trammel.Event, c *shell.Command) bool {
	for i := range p.Needs {
		if p.Needs[i].Holds(ev, c) == No {
			return false
		}
	}
	return true
}

// Bindings are the commands that the condition is asked for, one after the
// other; nil stands for no command in particular.
func (p *Prefilter) Bindings(ev *trammel.Event) func(yield func(*shell.Command) bool) {
	return func(yield func(*shell.Command) bool) {
		if !p.Each {
			yield(nil)
			return
		}
		line := shell.Of(ev)
		if len(p.Programs) == 0 && len(line.Commands) == 0 {
			yield(nil)
			return
		}
		for i := range line.Commands {
			c := &line.Commands[i]
			if (len(p.Programs) == 0 || Runs(c, p.Programs)) && !yield(c) {
				return
			}
		}
	}
}
