package liveness

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/plan"
)

// unhonoured says which of the hooks in force come to nothing under a host:
// their events do not reach us there, or the host does not do what they answer
// with. denied are those whose rewrites become denials.
func unhonoured(h *dialects.Host, hooks []plan.Hook) (lost, denied []string) {
	for i := range hooks {
		hook := &hooks[i]
		elsewhere := len(hook.Match.Hosts) > 0 && !slices.ContainsFunc(hook.Match.Hosts, func(glob string) bool {
			return doublestar.MatchUnvalidated(glob, h.System)
		})
		if hook.Trial || elsewhere {
			continue
		}
		switch why, becomes := verdictOn(h, hook); {
		case why != "":
			lost = append(lost, fmt.Sprintf("%s (%s)", hook.ID, why))
		case becomes:
			denied = append(denied, hook.ID)
		}
	}
	return lost, denied
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
	switch {
	case wanted && !honoured:
		return strings.Join(missing, ", "), false
	case hook.Kind == "builtin" && hook.Rewrites && !rewritesOutput(h, hook.On):
		return "it cannot change what a tool has put out, so the model sees the original", becomesDenial
	}
	return "", becomesDenial
}

// rewritesOutput reports whether the host takes a new output on one of the
// events, if any of them is about output at all.
func rewritesOutput(h *dialects.Host, kinds []trammel.Kind) bool {
	about := false
	for _, kind := range kinds {
		if kind.Can().Any(trammel.RewriteOutput) {
			about = true
			if h.Wires(kind) && h.Powers(kind).Can.Any(trammel.RewriteOutput) {
				return true
			}
		}
	}
	return !about
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
