package secrets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/internal/secret"
)

// call judges a tool that is about to run.
func (g *guard) call(ev *trammel.Event, sieve *secret.Sieve) trammel.Answer {
	patch, found, named := sieve.Patch(ev.Tool.Input)
	if len(found) > 0 && takesOut(&ev.Tool.Action, sieve) {
		found = nil
	}
	if len(found) == 0 {
		return g.standIn(ev)
	}
	p := g.placeOf(ev)
	if stays(ev, &p, found) {
		return trammel.Answer{}
	}
	p.target, _ = secret.Redact(p.target) // a path can contain one, too
	if named && p.mode == "redact" {
		p.mode = "deny" // the name of an argument cannot be changed
	}
	return p.answer(ev.Kind.Can(), found, patch)
}

// takesOut reports whether a call is an edit that adds no secret to its file. The
// text that an edit replaces does not count, so that a secret can be removed.
func takesOut(a *trammel.Action, sieve *secret.Sieve) bool {
	if a.Kind != trammel.EditAction || a.Command != "" || a.URL != "" || a.Content == "" {
		return false
	}
	_, found := sieve.Text(a.Content)
	for _, path := range a.Paths {
		_, more := sieve.Text(path)
		found = append(found, more...)
	}
	return len(found) == 0
}

// standIn judges a call that contains the mark of a removed secret. A model that
// saw a redacted file could otherwise overwrite the real secret with the mark.
func (g *guard) standIn(ev *trammel.Event) trammel.Answer {
	a := &ev.Tool.Action
	if g.StandIn == "off" || !secret.Marked(a.Content) && !secret.Marked(a.Command) {
		return trammel.Answer{}
	}
	path, writes := g.written(ev, effects.Of(ev))
	if !writes || path == "" {
		return trammel.Answer{}
	}
	path, _ = secret.Redact(path)
	answer := trammel.Answer{Decision: trammel.Deny, Findings: []trammel.Finding{{Code: "stand_in_to_file", Severity: "warning",
		Target: path}},
		Reason: fmt.Sprintf("This would write [REDACTED:…] into %s. That is not a value: it marks where a secret was removed from what you were "+
			"shown, and writing it back would overwrite the secret. Change only the lines that have no such mark.", path)}
	if g.StandIn == "ask" && ev.Kind.Can().Any(trammel.CanAsk) {
		answer.Decision = trammel.Ask
	}
	return answer
}

// output judges a tool's output.
func (g *guard) output(ev *trammel.Event, sieve *secret.Sieve) trammel.Answer {
	if g.Output == "off" {
		return trammel.Answer{}
	}
	safe, found := sieve.Text(ev.Tool.Output)
	if len(found) == 0 || g.readsAllowed(ev) {
		return trammel.Answer{}
	}
	p := place{code: "secret_in_output", target: ev.Tool.Name, says: "The output holds"}
	a := trammel.Answer{Findings: p.findings(found, "warning")}
	if !ev.Kind.Can().Any(trammel.RewriteOutput) { // the model has seen it already, and a denial does not change that
		a.Notice = fmt.Sprintf("%s %s, and it could not be taken out on this event.", p.says, list(found))
		return a
	}
	if g.Output == "deny" {
		safe = fmt.Sprintf("[The output of %s was withheld: it holds %s. Look at it in a way that leaves the secret out.]", ev.Tool.Name,
			list(found))
	}
	a.Output = &safe
	return a
}

// prompt judges a prompt.
func (g *guard) prompt(ev *trammel.Event, sieve *secret.Sieve) trammel.Answer {
	p := place{"secret_in_prompt", g.Prompt, "prompt", "The prompt holds",
		"It has not been passed on. Send it again without the value, and say where the agent finds it, for instance in a variable of the " +
			"environment."}
	return p.judge(ev, "prompt", ev.Prompt.Text, sieve)
}

// messages judges what goes to the model.
func (g *guard) messages(ev *trammel.Event, sieve *secret.Sieve) trammel.Answer {
	p := place{"secret_in_messages", g.Messages, "messages", "The conversation holds", "Begin a new session without it."}
	return p.judge(ev, "messages", ev.Model.Messages, sieve)
}

// judge looks for secrets in what an event holds under a name.
func (p *place) judge(ev *trammel.Event, name string, value any, sieve *secret.Sieve) trammel.Answer {
	if p.mode == "off" {
		return trammel.Answer{}
	}
	safe, found := sieve.Value(value)
	if len(found) == 0 {
		return trammel.Answer{}
	}
	return p.answer(ev.Kind.Can(), found, map[string]any{name: safe})
}

// answer does what the mode says, or the next stricter thing that the event
// supports.
func (p *place) answer(can trammel.Capabilities, found []secret.Secret, patch map[string]any) trammel.Answer {
	mode := p.mode
	switch {
	case mode == "off":
		return trammel.Answer{}
	case mode == "ask" && !can.Any(trammel.CanAsk), mode == "redact" && !can.Any(trammel.RewriteInput):
		mode = "deny"
	}
	if mode == "deny" && !can.Any(trammel.Block) && can.Any(trammel.RewriteInput) {
		mode = "redact"
	}
	p.hide(found)
	if mode == "redact" {
		return trammel.Answer{Input: patch, Findings: p.findings(found, "warning")}
	}
	a := trammel.Answer{Decision: trammel.Deny, Findings: p.findings(found, "error"),
		Reason: fmt.Sprintf("%s %s. %s", p.says, list(found), p.advice)}
	if p.code == "secret_to_network" {
		a.Reason = fmt.Sprintf("%s %s to %s. %s", p.says, list(found), p.target, p.advice)
	}
	if mode == "ask" {
		a.Decision = trammel.Ask
	}
	return a
}

// hide removes the secrets from the name of the place: a path or a host may
// contain one.
func (p *place) hide(found []secret.Secret) {
	for _, s := range found {
		if s.Value != "" {
			p.target = strings.ReplaceAll(p.target, s.Value, "[REDACTED]")
		}
	}
}

// findings identify each secret by its kind, its place and the beginning of its
// digest, which distinguishes two secrets without revealing them.
func (p *place) findings(found []secret.Secret, severity string) []trammel.Finding {
	out := make([]trammel.Finding, 0, len(found))
	for _, s := range found {
		f := trammel.Finding{Code: p.code, Severity: severity, Target: fmt.Sprintf("%s in %s, sha256:%s…", s.Kind, p.target, digest(s.Value)[:8])}
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
		if len(out) == maxFindings {
			break
		}
	}
	return out
}

// maxFindings is how many secrets of one event are named one by one.
const maxFindings = 20

// list says in words what was found: "2 secrets (jwt, password)".
func list(found []secret.Secret) string {
	var kinds []string
	for _, s := range found {
		if !slices.Contains(kinds, s.Kind) {
			kinds = append(kinds, s.Kind)
		}
	}
	slices.Sort(kinds)
	if len(found) == 1 {
		return fmt.Sprintf("a secret (%s)", kinds[0])
	}
	return fmt.Sprintf("%d secrets (%s)", len(found), strings.Join(kinds, ", "))
}
