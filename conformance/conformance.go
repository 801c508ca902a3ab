// Package conformance is a kit that any adapter between an agent and a policy
// can be tested with: ours, and those of others (FLOW-50 to FLOW-52).
//
// The kit is data. fixtures/ says what is sent and what has to come of it;
// hosts/ says, for each host, how its payloads look and which forms of an answer
// it was seen to honour. The second is deliberately not derived from the
// dialects: it is what they are checked against.
//
// Every fixture runs in a world of its own: an empty home, a scrubbed
// environment, the policy as the user's configuration. What is judged is what
// a host and an auditor would see: the exit code, stdout and stderr, and the
// records that were left. How long it took is reported and never judged.
//
// The levels are those of flow-agents: L0 observes (each event is really on
// record), L1 steers (context reaches the model), L2 enforces (denials, questions,
// rewrites and the stop gate hold, also when the payload is hostile).
package conformance

import (
	"fmt"
	"strings"
)

// Level is how much of the contract an adapter keeps. The zero value is none.
type Level uint8

// The levels, each with all that the ones before it ask for.
const (
	L0 Level = iota + 1 // observes
	L1                  // steers
	L2                  // enforces
)

// Levels are all levels, lowest first.
var Levels = []Level{L0, L1, L2}

// String returns "L0", "L1", "L2", or "none".
func (l Level) String() string {
	if l < L0 || l > L2 {
		return "none"
	}
	return fmt.Sprintf("L%d", l-L0)
}

// ParseLevel reads the name of a level, in either case.
func ParseLevel(s string) (Level, error) {
	for _, l := range Levels {
		if strings.EqualFold(s, l.String()) {
			return l, nil
		}
	}
	return 0, fmt.Errorf("unknown level %q, expected L0, L1 or L2", s)
}

// MarshalText writes the name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the name.
func (l *Level) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLevel(string(text))
	return err
}

// Class is what becomes of an event, as the agent feels it.
type Class string

// The classes.
const (
	Allow     Class = "allow"      // nothing is said
	Deny      Class = "deny"       // it does not happen
	Ask       Class = "ask"        // a person decides first
	Context   Class = "context"    // the model is told something
	Rewrite   Class = "rewrite"    // it happens with other arguments
	StopBlock Class = "stop-block" // the agent has to go on
)

// weaker is what becomes of a class on a host that has no form for it, by the
// rules of dialects.Degrade. What becomes an Allow is lost: that is a gap.
func (c Class) weaker() Class {
	switch c {
	case Ask, Rewrite:
		return Deny
	}
	return Allow
}

// decision is the word in the records for a class.
func (c Class) decision() string {
	switch c {
	case Deny, StopBlock:
		return "deny"
	case Ask:
		return "ask"
	}
	return "none"
}
