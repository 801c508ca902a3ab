package selfprotection

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// locks judges a lock on one of our files: while it is held, every call waits.
func (j *judgement) locks(r *effects.Run) {
	for _, w := range r.Args {
		if strings.HasPrefix(w.Text, "-") || !strings.ContainsAny(w.Text, "/.") || !r.Dir.Known() {
			continue
		}
		here := j.grounds()
		at := effects.At(j.ev)
		at.Dir = r.Dir.Abs
		p := effects.Resolve(at, w.Text)
		p.Glob = w.Glob
		if k, hit := here.of(effects.NewTouch(j.ev, effects.Write, p, false)); k == config || k == records {
			j.refuse(k, hit)
		}
	}
}
