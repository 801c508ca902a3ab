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

// Profile says how much runs.
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

// Event is a kind of event in any system's spelling.
type Event trammel.Kind

func (e *Event) parse(text string) bool {
	k, ok := trammel.ParseKind(text)
	*e = Event(k)
	return ok
}
func (*Event) wants() string { return "the name of an event, such as pre_tool_use" }
func (*Event) known() []string {
	var names []string
	for _, k := range trammel.Kinds() {
		names = append(names, k.String())
	}
	return names
}
func (e *Event) schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", AnyOf: []*jsonschema.Schema{choice(e.known()...), {MinLength: ptr(1)}}}
}

// Action is a kind of action.
type Action trammel.ActionKind

func (a *Action) parse(text string) bool {
	k, err := trammel.ParseActionKind(text)
	*a = Action(k)
	return err == nil
}
func (a *Action) wants() string { return oneOf(a.known()) }
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

func (m *May) parse(text string) bool {
	a, err := trammel.ParseAuthority(text)
	*m = May(a)
	return err == nil
}
func (m *May) wants() string { return oneOf(m.known()) }
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

func (o *OnError) parse(text string) bool {
	v, err := trammel.ParseOnError(text)
	*o = OnError(v)
	return err == nil
}
func (*OnError) wants() string              { return "block, warn or ignore" }
func (*OnError) schema() *jsonschema.Schema { return choice("block", "warn", "ignore") }

// Unknown is what happens where it is unknown whether a rule holds.
type Unknown string

var unknowns = []string{"deny", "ask", "allow"}

func (u *Unknown) parse(text string) bool   { *u = Unknown(text); return slices.Contains(unknowns, text) }
func (*Unknown) wants() string              { return oneOf(unknowns) }
func (*Unknown) schema() *jsonschema.Schema { return choice(unknowns...) }

// EvidencePayload says how much of a payload is recorded.
type EvidencePayload string

var evidencePayloads = []string{"none", "redacted", "full"}

func (p *EvidencePayload) parse(text string) bool {
	*p = EvidencePayload(text)
	return slices.Contains(evidencePayloads, text)
}
func (*EvidencePayload) wants() string              { return oneOf(evidencePayloads) }
func (*EvidencePayload) schema() *jsonschema.Schema { return choice(evidencePayloads...) }

// Fsync says whether each record is forced to disk.
type Fsync string

var fsyncs = []string{"never", "always"}

func (f *Fsync) parse(text string) bool   { *f = Fsync(text); return slices.Contains(fsyncs, text) }
func (*Fsync) wants() string              { return oneOf(fsyncs) }
func (*Fsync) schema() *jsonschema.Schema { return choice(fsyncs...) }

// EvidenceOnError says what happens to an event that cannot be recorded.
type EvidenceOnError string

var evidenceOnErrors = []string{"block", "warn"}

func (o *EvidenceOnError) parse(text string) bool {
	*o = EvidenceOnError(text)
	return slices.Contains(evidenceOnErrors, text)
}
func (*EvidenceOnError) wants() string              { return oneOf(evidenceOnErrors) }
func (*EvidenceOnError) schema() *jsonschema.Schema { return choice(evidenceOnErrors...) }
