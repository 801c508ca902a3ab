package trammel

import (
	"fmt"
	"strings"
)

// Kind is a moment of an agent's life in our vocabulary: an entry of the
// catalogue, with its capabilities.
type Kind uint8

// String returns our name of the kind, as used in configuration and evidence.
func (k Kind) String() string {
	if int(k) < len(catalogue) {
		return catalogue[k].name
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// About says in one line when events of this kind happen.
func (k Kind) About() string { return catalogue[k].about }

// Can returns what an answer to an event of this kind can do at most, in any
// system. What a particular host can do with it is in its dialect.
func (k Kind) Can() Capabilities { return catalogue[k].can }

// FailsClosed reports whether something is about to happen that a denial
// prevents. When Trammel itself cannot judge such an event (broken input,
// broken configuration, no time left), it denies.
func (k Kind) FailsClosed() bool { return catalogue[k].can.Any(Prevents) }

// transforms reports whether events of this kind are there to be rewritten: a
// program that listens to one is asked in turn and not beside the others.
func (k Kind) transforms() bool {
	can := catalogue[k].can
	return can.Any(RewriteInput|RewriteOutput) && !can.Any(CanAsk|Inject)
}

// Alias is a kind's name in one system.
type Alias struct{ System, Name string }

// Aliases returns the names that other systems have for this kind.
func (k Kind) Aliases() []Alias {
	var out []Alias
	spellings.each(func(system, name string, kind Kind) {
		if kind == k {
			out = append(out, Alias{system, name})
		}
	})
	return out
}

// Kinds returns every kind of the catalogue, in its order.
func Kinds() []Kind {
	out := make([]Kind, 0, len(catalogue)-1)
	for k := range catalogue {
		if Kind(k) != Other {
			out = append(out, Kind(k))
		}
	}
	return out
}

// ParseKind reads any system's spelling of a kind: PreToolUse, preToolUse,
// pre_tool_use, BeforeTool, tool.execute.before and PreAbilityCall are all the
// same. A name that two systems use for different moments is not taken bare;
// write it as system/name. The spellings of a system are known once its dialect
// is linked (Spell).
func ParseKind(name string) (Kind, bool) {
	if system, rest, ok := strings.Cut(name, "/"); ok {
		return ParseKindOf(system, rest)
	}
	k, ok := spellings.names()[fold(name)]
	return k, ok && k != Other
}

// ParseKindOf reads a name as one system spells it.
func ParseKindOf(system, name string) (kind Kind, ok bool) {
	folded := fold(name)
	spellings.each(func(s, n string, k Kind) {
		if !ok && s == system && fold(n) == folded {
			kind, ok = k, true
		}
	})
	return kind, ok
}

// fold drops case and punctuation, which is all that the systems' spellings
// of the same words differ in.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, s)
}

// Capabilities is a set of things that an answer can do.
type Capabilities uint16

const (
	// Block: a denial is honoured, as prevention or as feedback.
	Block Capabilities = 1 << iota
	// CanAsk: a human can be asked.
	CanAsk
	// RewriteInput: the tool's arguments, or what goes to the model, can be changed.
	RewriteInput
	// RewriteOutput: the tool's output, or what comes from the model, can be changed.
	RewriteOutput
	// Inject: context can be added for the model.
	Inject
	// Continue: a denial makes the agent keep working instead of ending.
	Continue
	// Approve: an allow can stand in for the user's consent.
	Approve
	// Prevents: what is blocked has not happened yet, so doubt means deny.
	Prevents
)

// Any reports whether at least one of the capabilities in x is in c.
func (c Capabilities) Any(x Capabilities) bool { return c&x != 0 }

// ObserveOnly reports whether an answer can change nothing.
func (c Capabilities) ObserveOnly() bool { return c&^Prevents == 0 }

var capabilityNames = [...]string{"block", "ask", "rewrite input", "rewrite output", "inject context", "force continuation", "grant"}

// String lists the capabilities in words.
func (c Capabilities) String() string {
	if c.ObserveOnly() {
		return "observe only"
	}
	var words []string
	for i, name := range capabilityNames {
		if c.Any(1 << i) {
			words = append(words, name)
		}
	}
	return strings.Join(words, ", ")
}
