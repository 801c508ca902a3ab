package dialects

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// Degrade turns what the host cannot do with a verdict into what it can, by
// fixed rules, and records each change in v.Degraded:
//
//	ask            deny, with the reason and how a human can allow it
//	rewrite input  deny, with the corrected call in the reason
//	rewrite output a notice that the original got through
//	context        returned, to be kept for the next event that can inject
//	block          a notice; the record shows the gap
//	grant          nothing: the host asks as it would
//
// A remaining deny or ask always has a reason, because some hosts ignore one
// without. Doing it twice has no further effect.
func Degrade(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) (deferred []string) {
	d := degrader{ev, v, p.Can}
	d.ask()
	d.input()
	d.output()
	deferred = d.context()
	d.block()
	d.grant()
	return deferred
}

type degrader struct {
	ev  *trammel.Event
	v   *trammel.Verdict
	can trammel.Capabilities
}

func (d *degrader) ask() {
	if d.v.Decision != trammel.Ask || d.can.Any(trammel.CanAsk) {
		return
	}
	var how string
	if hook := decider(d.v, trammel.Ask); hook != "" {
		how = fmt.Sprintf("Hook %q wants a person to decide this, but %s. To allow it, a person can do it themselves, or change that hook.",
			hook, d.cannot("ask one"))
	} else {
		how = fmt.Sprintf("A person has to decide this, but %s. To allow it, a person can do it themselves, or change the rule that asks.",
			d.cannot("ask one"))
	}
	d.deny(sentences(d.v.Reason, how))
	d.record("ask", "deny", d.cannot("ask"))
}

func (d *degrader) input() {
	if d.v.Input == nil || d.can.Any(trammel.RewriteInput) {
		return
	}
	if d.v.Decision != trammel.Deny { // what is denied anyway needs no other arguments
		d.deny(sentences(d.v.Reason, fmt.Sprintf("A hook corrected this, but %s. Use this instead: %s", d.cannot("change it"), d.corrected())))
		d.record("rewrite input", "deny", d.cannot("rewrite the input"))
	}
	d.v.Input = nil
}

func (d *degrader) output() {
	if d.v.Output == nil && d.v.Summary == "" || d.can.Any(trammel.RewriteOutput) {
		return
	}
	d.notify(fmt.Sprintf("A hook replaced this output, but %s: the model has seen the original.", d.cannot("replace it")))
	d.record("rewrite output", "notice", d.cannot("rewrite the output"))
	d.v.Output, d.v.Summary = nil, ""
}

func (d *degrader) context() []string {
	if len(d.v.Context) == 0 || d.can.Any(trammel.Inject) {
		return nil
	}
	kept := d.v.Context
	d.v.Context = nil
	d.record("context", "deferred", d.cannot("inject context"))
	return kept
}

func (d *degrader) block() {
	switch {
	case d.v.Decision < trammel.Ask:
	case d.v.Decision == trammel.Deny && !d.can.Any(trammel.Block|trammel.Continue):
		d.notify(sentences(d.v.Reason, fmt.Sprintf("This should have been blocked, but %s.", d.cannot("prevent it"))))
		d.v.Decision, d.v.Reason = trammel.None, ""
		d.record("block", "notice", d.cannot("block"))
	case strings.TrimSpace(d.v.Reason) == "":
		d.v.Reason = fmt.Sprintf("Trammel says %s: a hook decided this and gave no reason.", d.v.Decision)
		if hook := decider(d.v, d.v.Decision); hook != "" {
			d.v.Reason = fmt.Sprintf("Trammel says %s: hook %q decided this and gave no reason.", d.v.Decision, hook)
		}
	}
}

func (d *degrader) grant() {
	if d.v.Granted && !d.can.Any(trammel.Approve) {
		d.v.Granted = false
		d.record("grant", "nothing", d.cannot("approve for its user"))
	}
}

func (d *degrader) deny(reason string) {
	d.v.Decision, d.v.Reason, d.v.Granted = trammel.Deny, reason, false
}

func (d *degrader) notify(text string) {
	if d.v.Notice != "" {
		text = d.v.Notice + "\n" + text
	}
	d.v.Notice = text
}

func (d *degrader) record(wanted, became, why string) {
	d.v.Degraded = append(d.v.Degraded, trammel.Degradation{Wanted: wanted, Became: became, Why: why})
}

func (d *degrader) cannot(what string) string {
	host := cmp.Or(d.ev.Host, "the host")
	return fmt.Sprintf("%s cannot %s on %s", host, what, d.ev.Kind)
}

// corrected is the call, or what there is instead of one, as the hooks want it.
func (d *degrader) corrected() string {
	var what any = d.v.Input
	if t := d.ev.Tool; t != nil {
		what = map[string]any{"tool": t.Name, "input": d.v.Apply(t.Input)}
	}
	text, err := canonical.Append(nil, what)
	if err != nil {
		return fmt.Sprintf("(it cannot be shown: %v)", err)
	}
	return string(text)
}

// decider is the id of the first hook that decided so.
func decider(v *trammel.Verdict, decision trammel.Decision) string {
	for i := range v.Runs {
		if r := &v.Runs[i]; r.Hook != nil && (r.Code == "" && r.Answer.Decision == decision || r.Blocked && decision == trammel.Deny) {
			return r.Hook.ID
		}
	}
	return ""
}

// sentences joins texts.
func sentences(first, second string) string {
	first = strings.TrimSpace(first)
	if first == "" {
		return second
	}
	if !strings.ContainsAny(first[len(first)-1:], ".!?:") {
		first += "."
	}
	return first + " " + second
}
