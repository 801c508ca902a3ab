package backtest

import "github.com/trammel-dev/trammel"

// Outcome is what hooks come to about an event. A higher one is stricter.
type Outcome int8

// The outcomes. Allow spares the user a question, so it is looser than None.
const (
	Allow Outcome = iota - 1
	None
	Rewrite
	Ask
	Deny
)

var outcomes = [...]Outcome{Allow, None, Rewrite, Ask, Deny}

func (o Outcome) String() string { return [...]string{"allow", "none", "rewrite", "ask", "deny"}[o+1] }

// MarshalText writes the word.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// outcomeOf is the outcome of one answer. Whether an allow counts is decided when
// answers are merged.
func outcomeOf(decision string, rewrites bool) Outcome {
	switch {
	case decision == trammel.Deny.String():
		return Deny
	case decision == trammel.Ask.String():
		return Ask
	case rewrites:
		return Rewrite
	}
	return None
}

// outcomeOfVerdict is the same of a verdict.
func outcomeOfVerdict(v *trammel.Verdict) Outcome {
	out := outcomeOf(v.Decision.String(), v.Rewrites())
	if out == None && v.Decision == trammel.Allow {
		return Allow
	}
	return out
}
