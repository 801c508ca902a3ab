package config

import (
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel"
	_ "github.com/trammel-dev/trammel/dialects/standard" // on: takes every system's names of events
)

// Version is the version of the file format.
type Version int

func (v *Version) parse(text string) bool { *v = 1; return text == "1" }
func (*Version) wants() string            { return "the number 1" }
func (*Version) numeric() (only bool)     { return true }
func (*Version) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Enum: []any{1}}
}

// Profile says how strict a configuration is.
type Profile uint8

// The profiles. Unset is none.
const (
	Unset Profile = iota
	Minimal
	Standard
	Strict
)

var profiles = []string{"minimal", "standard", "strict"}

func (p Profile) String() string {
	if p == Unset {
		return "unset"
	}
	return profiles[p-1]
}

func (p *Profile) parse(text string) bool {
	for i, name := range profiles {
		if name == text {
			*p = Profile(i + 1)
			return true
		}
	}
	return false
}
func (*Profile) wants() string              { return oneOf(profiles) }
func (*Profile) schema() *jsonschema.Schema { return choice(profiles...) }

// Event is a kind of event, by any agent's name for it.
type Event trammel.Kind

func (e *Event) parse(text string) bool {
	k, ok := trammel.ParseKind(text)
	*e = Event(k)
	return ok
}
func (*Event) wants() string {
	return "the name of an event, such as pre_tool_use; \"trammel events\" lists them"
}
func (*Event) known() []string {
	var names []string
	for _, k := range trammel.Kinds() {
		names = append(names, k.String())
	}
	return names
}
func (e *Event) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", AnyOf: []*jsonschema.Schema{choice(e.known()...), {MinLength: new(1)}}}
}

// Action is a kind of action.
type Action trammel.ActionKind

func (a *Action) parse(text string) bool { return taken(a, text, trammel.ParseActionKind) }
func (a *Action) wants() string          { return oneOf(a.known()) }
func (*Action) known() []string {
	var names []string
	for k := trammel.OtherAction; ; k++ {
		if _, err := trammel.ParseActionKind(k.String()); err != nil {
			return names
		}
		names = append(names, k.String())
	}
}
func (a *Action) schema() *jsonschema.Schema { return choice(a.known()...) }

// May is what a hook may do at most.
type May trammel.Authority

func (m *May) parse(text string) bool { return taken(m, text, trammel.ParseAuthority) }
func (m *May) wants() string          { return oneOf(m.known()) }
func (*May) known() []string {
	var names []string
	for a := trammel.Observe; a <= trammel.Grant; a++ {
		names = append(names, a.String())
	}
	return names
}
func (m *May) schema() *jsonschema.Schema { return choice(m.known()...) }

// OnError is what a failure means.
type OnError trammel.OnError

func (o *OnError) parse(text string) bool   { return taken(o, text, trammel.ParseOnError) }
func (*OnError) wants() string              { return "block, warn or ignore" }
func (*OnError) schema() *jsonschema.Schema { return choice("block", "warn", "ignore") }

// Choice is one of the words in the enum tag of its field.
type Choice string

// chosen is a Choice as a word.
type chosen struct {
	to    *Choice
	words []string
}

func (c chosen) parse(text string) bool {
	*c.to = Choice(text)
	return slices.Contains(c.words, text)
}
func (c chosen) wants() string              { return oneOf(c.words) }
func (c chosen) schema() *jsonschema.Schema { return choice(c.words...) }

const decisionReply = "pre_tool_use_decision"

// taken parses a word of the engine, such as pre_tool_use.
func taken[T, V ~uint8](to *T, text string, parse func(string) (V, error)) bool {
	v, err := parse(text)
	*to = T(v)
	return err == nil
}
