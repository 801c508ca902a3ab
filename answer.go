package trammel

import (
	"slices"
)

// Decision is an opinion on whether an event may proceed. Decisions merge to the
// most restrictive one: None < Allow < Ask < Deny.
type Decision uint8

const (
	// None is no opinion.
	None Decision = iota
	// Allow is no objection. It skips the host's own question only if the hook
	// may grant.
	Allow
	// Ask wants a human to decide.
	Ask
	// Deny stops the event. On an event that ends something (Stop) it
	// prevents the ending: the agent has to keep working.
	Deny
)

// DecisionOf is ParseDecision for a word that was checked before. A word that is
// still not a decision denies.
func DecisionOf(word string) Decision {
	d, err := ParseDecision(word)
	if err != nil {
		return Deny
	}
	return d
}

// Answer is what one hook says about one event. The zero value is no opinion.
type Answer struct {
	Decision Decision
	// Reason explains the decision to the model and to the person.
	Reason string
	// Input is a patch of the tool's arguments: each top-level key replaces
	// the argument of that name, the others stay. Nil is no rewrite.
	Input map[string]any
	// Output replaces the tool's output. Nil is no rewrite; "" is a value.
	Output *string
	// Context is text for the model, one entry per contribution.
	Context []string
	// Notice is text for the person at the agent.
	Notice string
	// Summary replaces the summary that a compaction would produce.
	Summary string
	// Facts are computed values for later rules; they never decide.
	Facts map[string]any
	// Signals are typed messages for the runtime.
	Signals []Signal
	// Diagnostics say what the hook noticed on its way, for explain and evidence.
	Diagnostics []string
	// Findings are the typed reasons behind the decision, for evidence and counters.
	Findings []Finding
	// Approval names the decision of a person that the answer is based on. A
	// gate that names one may also rewrite: the person has changed the call.
	Approval string
	// Trace says what was exchanged with a program outside, if there was one.
	Trace *Trace
}

// Add notes a finding. Of all that are added the strictest decision counts, and
// the first reason for it is given. With None and Allow, which a person may have
// chosen in the options, nothing is noted. A finding says itself how severe it
// is, or its decision does.
func (a *Answer) Add(d Decision, f Finding, reason string) {
	if d < Ask {
		return
	}
	if d > a.Decision {
		a.Decision, a.Reason = d, reason
	}
	if f.Severity == "" {
		if f.Severity = "error"; d == Ask {
			f.Severity = "warning"
		}
	}
	if !slices.Contains(a.Findings, f) {
		a.Findings = append(a.Findings, f)
	}
}

// Finding is a typed reason: what a policy saw. Nothing is ever classified by
// matching the text of Answer.Reason.
type Finding struct {
	Code     string
	Severity string
	// Target is what it is about: a path, an effect, a host.
	Target string
}

// Signal is a typed message of a hook to the runtime (AIC-41).
type Signal struct {
	Kind     string
	Code     string
	Severity string
	Payload  map[string]any
}

// Trace is what a handler exchanged with something outside the process, as
// digests over the exact bytes (FST-60, FST-61).
type Trace struct {
	Entrypoint string // "sha256:…" of the file that ran, if it is one
	Input      string // "sha256:…" of what was sent
	Output     string // "sha256:…" of what came back
	Stderr     string // the end of what the program said on stderr, capped
	Pack       *PackTrace
}

// PackTrace says what ran of a process pack, for hooks that call one.
type PackTrace struct {
	Dir, Hook     string // the pack, and which of its hooks
	Type          string // of the hook
	Runtime, Kind string // of the pack's program: its id and kind
	Entrypoint    string // its path in the pack
	Run           string // the run that the call belonged to
	Field         string // which field of the result a failure is about
}

// A Denial is the shortest way to deny from a handler written in Go.
func Denial(reason string) Answer { return Answer{Decision: Deny, Reason: reason} }
