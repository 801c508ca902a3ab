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

// Words that are one of a few.
type (
	// Unknown is what happens where it is unknown whether a rule holds.
	Unknown = Enum[unknownWords]
	// EvidencePayload says how much of a payload is recorded.
	EvidencePayload = Enum[payloadWords]
	// Fsync says whether each record is forced to disk.
	Fsync = Enum[fsyncWords]
	// EvidenceOnError says what happens to an event that cannot be recorded.
	EvidenceOnError = Enum[recordWords]
	// Endpoint is the language of a model's endpoint.
	Endpoint = Enum[endpointWords]
	// ReplySchema is what a model's reply is taken for.
	ReplySchema = Enum[replyWords]
	// Override is whether a person may overrule a hook for one call.
	Override = Enum[overrideWords]
	// ApproveMode is how a call waits for people.
	ApproveMode = Enum[modeWords]
	// ApproveTimeout is what happens when nobody answers.
	ApproveTimeout = Enum[timeoutWords]
	// PinMode is how strictly what a server offers is held to what it was.
	PinMode = Enum[pinWords]
	// Permit is whether something may be done.
	Permit = Enum[permitWords]
	// EnvMode is which variables a server gets.
	EnvMode = Enum[envWords]
	// Auth is whose credentials a server gets.
	Auth = Enum[authWords]
)

type (
	unknownWords  struct{}
	payloadWords  struct{}
	fsyncWords    struct{}
	recordWords   struct{}
	endpointWords struct{}
	replyWords    struct{}
	modeWords     struct{}
	overrideWords struct{}
	timeoutWords  struct{}
	pinWords      struct{}
	permitWords   struct{}
	envWords      struct{}
	authWords     struct{}
)

const decisionReply = "pre_tool_use_decision"

func (unknownWords) words() []string  { return []string{"deny", "ask", "allow"} }
func (payloadWords) words() []string  { return []string{"none", "redacted", "full"} }
func (fsyncWords) words() []string    { return []string{"never", "always"} }
func (recordWords) words() []string   { return []string{"block", "warn"} }
func (endpointWords) words() []string { return []string{"openai", "anthropic"} }
func (replyWords) words() []string    { return []string{decisionReply, "context"} }
func (overrideWords) words() []string { return []string{"once"} }
func (modeWords) words() []string     { return []string{"block", "park", "auto"} }
func (timeoutWords) words() []string  { return []string{"deny", "keep"} }
func (pinWords) words() []string      { return []string{"observe", "tofu", "strict"} }
func (permitWords) words() []string   { return []string{"allow", "deny"} }
func (envWords) words() []string      { return []string{"inherit", "minimal"} }
func (authWords) words() []string     { return []string{"relay", "resource"} }

// Enum is a word that is one of those of W.
type Enum[W interface{ words() []string }] string

func (e *Enum[W]) parse(text string) bool {
	*e = Enum[W](text)
	return slices.Contains(e.known(), text)
}
func (e *Enum[W]) wants() string              { return oneOf(e.known()) }
func (e *Enum[W]) schema() *jsonschema.Schema { return choice(e.known()...) }
func (*Enum[W]) known() []string {
	var w W
	return w.words()
}
