package hostspage

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/conformance"
	"github.com/trammel-dev/trammel/dialects"
	_ "github.com/trammel-dev/trammel/dialects/standard" // the names of every system
)

// Declaration says what an adapter of ours does and does not do on a host
// (FLOW-51). All of it but Version and what is in Extra.Gaps follows from the
// dialect's table of powers and the catalogue.
type Declaration struct {
	Host    string            `json:"host"`
	Version string            `json:"version,omitempty"`
	Level   conformance.Level `json:"level"`
	Events  []Coverage        `json:"events"`
	// Policies say what each class of policies comes to.
	Policies []PolicyCoverage `json:"policies"`
	// Effects are the columns of the support matrix.
	Effects      []Effect      `json:"effects"`
	Degradations []Degradation `json:"degradations"`
	Gaps         []string      `json:"gaps"`
}

// Coverage is one kind of event on the host.
type Coverage struct {
	Event    string   `json:"event"`
	Names    []string `json:"names"` // the host's; empty if it has no such event
	Can      string   `json:"can"`
	Deadline string   `json:"deadline,omitempty"` // how long the host waits, if it says
}

// PolicyCoverage is a class of policies and how it fares.
type PolicyCoverage struct {
	Policy string `json:"policy"`
	At     string `json:"at"`
	Comes  string `json:"comes"` // "full", or what it becomes
}

// Effect is something that an answer does on an event, and what comes of it.
type Effect struct {
	Name  string `json:"name"`
	Event string `json:"event"`
	Comes string `json:"comes"` // "yes", what it becomes, or "no event"
}

// Degradation is an effect that the event permits and this host does not.
type Degradation struct {
	Event  string `json:"event"`
	Wanted string `json:"wanted"`
	Became string `json:"became"`
	Why    string `json:"why"`
}

// Extra is what a table of powers does not hold.
type Extra struct {
	Version string              // of the host that was looked at
	Gaps    []string            // holes that lie outside of hooks: what the host does not report at all
	Report  *conformance.Report // the last run of the kit, which can only lower the level
}

// Declare makes the declaration of a dialect.
func Declare(d trammel.HostDialect, extra Extra) Declaration {
	s := subject{d, aliased(d.Name())}
	out := Declaration{Host: d.Name(), Version: extra.Version, Gaps: []string{}, Degradations: []Degradation{}}
	for _, kind := range trammel.Kinds() {
		p := d.Powers(kind)
		c := Coverage{Event: kind.String(), Names: s.names(kind), Can: p.Can.String()}
		switch {
		case len(c.Names) == 0:
			c.Can = "no such event"
		case p.Deadline > 0:
			c.Deadline = p.Deadline.String()
		}
		out.Events = append(out.Events, c)
	}
	for _, e := range effects {
		out.Effects = append(out.Effects, Effect{e.name, e.kind.String(), s.comes(e)})
	}
	out.Policies = s.policies()
	out.Degradations = append(out.Degradations, s.degradations()...)
	out.Level = s.level()
	if r := extra.Report; r != nil {
		out.Level = min(out.Level, r.Reached)
	}
	out.Gaps = append(append(out.Gaps, s.gaps()...), extra.Gaps...)
	return out
}

// subject is the dialect that is declared. One that no system's name belongs
// to speaks the catalogue's own names.
type subject struct {
	trammel.HostDialect
	aliased bool
}

func aliased(host string) bool {
	return slices.ContainsFunc(trammel.Kinds(), func(k trammel.Kind) bool {
		return slices.ContainsFunc(k.Aliases(), func(a trammel.Alias) bool { return a.System == host })
	})
}

func (s subject) names(kind trammel.Kind) []string {
	names := []string{}
	if !s.aliased {
		return append(names, kind.String())
	}
	for _, a := range kind.Aliases() {
		if a.System == s.Name() {
			names = append(names, a.Name)
		}
	}
	return names
}

func (s subject) can(kind trammel.Kind, c trammel.Capabilities) bool {
	return len(s.names(kind)) > 0 && s.Powers(kind).Can.Any(c)
}

// level is the highest that the table allows: any event is conformance.L0, context for the
// model conformance.L1, a tool call that is blocked before it runs conformance.L2.
func (s subject) level() conformance.Level {
	switch {
	case !slices.ContainsFunc(trammel.Kinds(), func(k trammel.Kind) bool { return len(s.names(k)) > 0 }):
		return 0
	case !slices.ContainsFunc(steering, func(k trammel.Kind) bool { return s.can(k, trammel.Inject) }):
		return conformance.L0
	case !s.can(trammel.PreToolUse, trammel.Block) || !s.can(trammel.PreToolUse, trammel.Prevents):
		return conformance.L1
	}
	return conformance.L2
}

// steering is where context reaches the model, best first. What is meant for
// the others waits for one that a host has.
var steering = []trammel.Kind{trammel.UserPromptSubmit, trammel.TurnStart, trammel.SessionStart, trammel.PreToolUse}

// effect is a column of the support matrix.
type effect struct {
	name string
	kind trammel.Kind
	can  trammel.Capabilities
}

var effects = []effect{
	{"block tool", trammel.PreToolUse, trammel.Block},
	{"ask", trammel.PreToolUse, trammel.CanAsk},
	{"rewrite input", trammel.PreToolUse, trammel.RewriteInput},
	{"grant", trammel.PreToolUse, trammel.Approve},
	{"rewrite output", trammel.PostToolUse, trammel.RewriteOutput},
	{"block prompt", trammel.UserPromptSubmit, trammel.Block},
	{"stop-block", trammel.Stop, trammel.Continue},
	{"context: session", trammel.SessionStart, trammel.Inject},
	{"context: prompt", trammel.UserPromptSubmit, trammel.Inject},
	{"context: turn", trammel.TurnStart, trammel.Inject},
	{"context: tool", trammel.PreToolUse, trammel.Inject},
	{"context: after tool", trammel.PostToolUse, trammel.Inject},
}

// comes says what becomes of an effect.
func (s subject) comes(e effect) string {
	switch {
	case len(s.names(e.kind)) == 0:
		return "no event"
	case s.Powers(e.kind).Can.Any(e.can):
		return "yes"
	}
	return s.degrade(e.kind, e.can).Became
}

// degrade asks the rules of degradation themselves.
func (s subject) degrade(kind trammel.Kind, c trammel.Capabilities) trammel.Degradation {
	ev := &trammel.Event{Kind: kind, Host: s.Name()}
	v := &trammel.Verdict{Event: ev}
	replaced := "x"
	switch c {
	case trammel.CanAsk:
		v.Decision = trammel.Ask
	case trammel.RewriteInput:
		v.Input = map[string]any{"x": "x"}
	case trammel.RewriteOutput:
		v.Output = &replaced
	case trammel.Inject:
		v.Context = []string{"x"}
	case trammel.Approve:
		v.Decision, v.Granted = trammel.Allow, true
	default:
		v.Decision = trammel.Deny
	}
	dialects.Degrade(ev, v, s.Powers(kind))
	if len(v.Degraded) == 0 { // a block that is honoured, but does not force continuation
		return trammel.Degradation{Wanted: c.String(), Became: "nothing", Why: fmt.Sprintf("%s cannot %s on %s", s.Name(), c, kind)}
	}
	return v.Degraded[0]
}

func (s subject) degradations() []Degradation {
	var out []Degradation
	for _, kind := range trammel.Kinds() {
		if len(s.names(kind)) == 0 {
			continue
		}
		missing := kind.Can() &^ s.Powers(kind).Can &^ trammel.Prevents
		if s.Powers(kind).Can.Any(trammel.Block | trammel.Continue) {
			missing &^= trammel.Block // going on is this event's block
		}
		for c := trammel.Block; c <= trammel.Approve; c <<= 1 {
			if missing.Any(c) && !(c == trammel.Continue && missing.Any(trammel.Block)) {
				d := s.degrade(kind, c)
				out = append(out, Degradation{kind.String(), d.Wanted, d.Became, d.Why})
			}
		}
	}
	return out
}

// gaps are the effects that are lost: not those that became a denial.
func (s subject) gaps() []string {
	var out []string
	for _, e := range effects {
		switch comes := s.comes(e); comes {
		case "yes", "deny":
		case "no event":
			out = append(out, fmt.Sprintf("%s: there is no %s", e.name, e.kind))
		case "deferred":
			out = append(out, fmt.Sprintf("%s: not on %s; it waits for the next event that accepts it", e.name, e.kind))
		case "notice":
			out = append(out, fmt.Sprintf("%s: not on %s; the person gets a notice, and the record shows it", e.name, e.kind))
		default:
			out = append(out, fmt.Sprintf("%s: not on %s; becomes %s", e.name, e.kind, comes))
		}
	}
	return out
}

// policies says how the four classes of flow-agents fare.
func (s subject) policies() []PolicyCoverage {
	var out []PolicyCoverage
	for _, p := range []struct {
		name string
		at   []trammel.Kind
		can  trammel.Capabilities
	}{
		{"workflow steering", steering, trammel.Inject},
		{"quality gate", []trammel.Kind{trammel.PostToolUse}, trammel.Inject},
		{"stop gate", []trammel.Kind{trammel.Stop}, trammel.Continue},
		{"config protection", []trammel.Kind{trammel.PreToolUse}, trammel.Block},
	} {
		c := PolicyCoverage{Policy: p.name, At: p.at[0].String(), Comes: s.comes(effect{kind: p.at[0], can: p.can})}
		for _, kind := range p.at {
			if s.can(kind, p.can) {
				c.At, c.Comes = kind.String(), "full"
				break
			}
		}
		out = append(out, c)
	}
	return out
}
