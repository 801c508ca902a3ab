package pipeline

import (
	"fmt"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/overrule"
	"github.com/trammel-dev/trammel/plan"
)

// Pausing is a person's decision to put hooks on trial for a while (TEAM-28).
type Pausing struct {
	Until time.Time
	Who   string // who paused, and why
}

// pausing returns the pause for an event, nil if there is none. A pause that
// cannot be verified does not count.
func (p *Program) pausing(c *Config, ev *trammel.Event) *Pausing {
	if p.Paused == nil || ev.Rehearsal || !overrule.MayBePaused(p.Dirs.State, time.Now()) {
		return nil
	}
	return p.Paused(c)
}

// quiet puts the paused hooks on trial. The machine's hooks and self-protection
// cannot be paused.
func (x *Pausing) quiet(hooks []plan.Hook) []plan.Hook {
	if x == nil {
		return hooks
	}
	hooks = slices.Clone(hooks)
	for i := range hooks {
		if h := &hooks[i]; h.Source.Layer != layers.Machine.String() && policyOf(h) != "self-protection" {
			h.Trial = true
		}
	}
	return hooks
}

// tell records the pause with the verdict, and informs the person when a
// session begins.
func (x *Pausing) tell(v *trammel.Verdict, kind trammel.Kind) {
	if x == nil {
		return
	}
	until := x.Until.Local().Format("15:04")
	v.Diagnostics = append(v.Diagnostics, fmt.Sprintf("paused until %s by %s", until, x.Who))
	v.Findings = append(v.Findings, trammel.Finding{Code: "paused", Severity: "warning", Target: x.Until.UTC().Format(time.RFC3339)})
	if kind == trammel.SessionStart {
		note := fmt.Sprintf("Trammel is paused until %s by %s. Until then only the machine's rules and self-protection are in force; what the "+
			"others would answer is recorded. To end it now: trammel resume", until, x.Who)
		if v.Notice != "" {
			note = v.Notice + "\n" + note
		}
		v.Notice = note
	}
}
