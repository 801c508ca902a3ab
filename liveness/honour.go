package liveness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/plan"
)

// unhonoured is what does not hold under a host of the hooks in force.
type unhonoured struct {
	lost   []string // come to nothing: their events do not reach us, or the host does not do what they answer with
	partly []string // hold, but for output that they would change
	denied []string // their rewrites become denials
}

func unhonouredBy(h *dialects.Host, hooks []plan.Hook) (out unhonoured) {
	for i := range hooks {
		hook := &hooks[i]
		if hook.Trial || elsewhere(hook, h.System) {
			continue
		}
		why, becomes := verdictOn(h, hook)
		if why != "" {
			out.lost = append(out.lost, fmt.Sprintf("%s (%s)", hook.ID, why))
			continue
		}
		if becomes {
			out.denied = append(out.denied, hook.ID)
		}
		if why := keepsOutput(h, hook); why != "" {
			out.partly = append(out.partly, fmt.Sprintf("%s (%s)", hook.ID, why))
		}
	}
	return out
}

// elsewhere reports whether a hook is only about other hosts.
func elsewhere(hook *plan.Hook, host string) bool {
	return len(hook.Match.Hosts) > 0 && !slices.ContainsFunc(hook.Match.Hosts, func(glob string) bool {
		return doublestar.MatchUnvalidated(glob, host)
	})
}

// idle says why no hook can stop or change anything under a host, "" if one can,
// and which hooks are only on trial. Without a host, hooks about any host count.
func idle(host string, hooks []plan.Hook) (why string, trial []string) {
	holds, others := 0, 0
	for i := range hooks {
		switch hook := &hooks[i]; {
		case host != "" && elsewhere(hook, host):
			others++
		case hook.Trial:
			trial = append(trial, hook.ID)
		case needs(hook) != 0:
			holds++
		}
	}
	switch {
	case holds > 0:
	case len(hooks) == 0:
		why = "no hook is in force"
	case len(trial) == len(hooks):
		why = "every hook is on trial"
	case others == len(hooks):
		why = "every hook in force is about other agents"
	default:
		why = fmt.Sprintf("of %s in force, none that is about this agent and not on trial can stop a call", plural.Of(len(hooks), "hook"))
	}
	return why, trial
}

// verdictOn says why a hook comes to nothing, "" if it does not, and whether
// its rewrites become denials. A policy brings the events of all hosts, so one
// that is honoured is enough; who writes a hook names the events they mean.
func verdictOn(h *dialects.Host, hook *plan.Hook) (why string, becomesDenial bool) {
	honoured, wanted := false, false
	var missing []string
	if !slices.ContainsFunc(hook.On, h.Wires) {
		return "none of its events reaches us", false
	}
	for _, kind := range hook.On {
		need := needs(hook) & kind.Can()
		if need == 0 {
			continue
		}
		wanted = true
		can := h.Powers(kind).Can
		switch {
		case !h.Wires(kind):
			missing = append(missing, "no "+kind.String()+" reaches us")
			continue
		case can.Any(need):
			honoured = true
			continue
		case need.Any(trammel.RewriteInput) && can.Any(trammel.Block):
			honoured, becomesDenial = true, true
			continue
		}
		missing = append(missing, fmt.Sprintf("it cannot %s on %s", need, kind))
		if hook.Kind != "builtin" {
			return missing[len(missing)-1], false
		}
	}
	if wanted && !honoured {
		return strings.Join(missing, ", "), false
	}
	return "", becomesDenial
}

// keepsOutput says on which of its events the host does not take a new output of
// a tool from a policy that guards and rewrites. It is "" if it does on one of
// them, or none is about output.
func keepsOutput(h *dialects.Host, hook *plan.Hook) string {
	if hook.Kind != "builtin" || !hook.Rewrites {
		return ""
	}
	var missing, unseen []string
	for _, kind := range hook.On {
		switch {
		case !kind.Can().Any(trammel.RewriteOutput):
		case !h.Wires(kind):
			unseen = append(unseen, kind.String())
		case h.Powers(kind).Can.Any(trammel.RewriteOutput):
			return ""
		default:
			missing = append(missing, kind.String())
		}
	}
	const so = "so the model sees the original; the rest works"
	switch {
	case missing != nil:
		return fmt.Sprintf("it cannot %s on %s, %s", trammel.RewriteOutput, strings.Join(missing, ", "), so)
	case unseen != nil:
		return fmt.Sprintf("no %s reaches us, %s", strings.Join(unseen, ", "), so)
	}
	return ""
}

// needs is what a hook answers with, as far as somebody relies on it. Context
// that has no place is kept for the next event, a question becomes a denial,
// and what is only looked at needs nothing.
func needs(hook *plan.Hook) trammel.Capabilities {
	const hold = trammel.Block | trammel.Continue
	if hook.Kind == "rule" {
		c, err := rule.Read(hook.Config)
		switch {
		case err != nil:
			return hold
		case c.Do == "rewrite" && c.Output != "":
			return trammel.RewriteOutput
		case c.Do == "rewrite":
			return trammel.RewriteInput
		case c.Do == "deny" || c.Do == "ask":
			return hold
		}
		return 0
	}
	switch {
	case hook.May >= trammel.Guard:
		return hold
	case hook.May == trammel.Rewrite:
		return trammel.RewriteInput | trammel.RewriteOutput
	}
	return 0
}
