// Package plan holds the compiled configuration: the hooks, and an index to
// find those for an event, in a flat file that needs no parsing. Both programs
// use it; it links no YAML.
package plan

import (
	"strconv"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
)

// Hook is a declared hook as data. Its handler is built only when an event
// selects it.
type Hook struct {
	ID       string
	On       []trammel.Kind
	Match    Match
	Kind     string // the kind of handler: rule, builtin, command, …
	Config   []byte // the handler's own part of the declaration, as JSON
	Dialect  string // the language of the hook program, if it is one
	May      trammel.Authority
	Priority int
	Timeout  time.Duration
	OnError  trammel.OnError
	Trial    bool // its answers are recorded, but have no effect
	Yields   bool // a person may override it for one call
	Except   []Exception
	Blocking bool   // repository hooks: the runtime waits for it
	Dir      string // relative paths of the declaration start here
	Source   trammel.Source

	// Rewrites is true for hooks that may change the call that others judge.
	Rewrites bool
	// Prefilter is what the index knows about the hook's condition without its
	// handler. It is not stored with the hook.
	Prefilter match.Prefilter
}

// Exception says, as data, where a hook's objections do not count.
type Exception struct {
	Match    Match
	Commands []string // command lines, see match.Exactly; the rest of Match then only says where
	// Arguments are the arguments of calls, each in canonical JSON; see match.Arguments.
	Arguments []string
	Until     time.Time
	Reason    string
	Source    trammel.Source
}

// Left says how much time the exception has left.
func (x *Exception) Left(now time.Time) string {
	left := x.Until.Sub(now)
	switch {
	case left <= 0:
		return "expired"
	case left < 48*time.Hour:
		return left.Round(time.Minute).String()
	}
	return strconv.Itoa(int(left/(24*time.Hour))) + " days"
}

// Match is a hook's match as data.
type Match struct {
	Tools    []string
	Like     []trammel.ActionKind // actions of the tools, for hosts that do not have these tools; see trammel.Match
	Hosts    []string
	Agents   []string
	Projects []string // globs over the project's root

	// Conditions on a single effect of the call; see match.Spec.
	Actions  []trammel.ActionKind
	Programs []string
	Paths    []string
	To       []string
	Doubt    bool

	// Match keys of repository hooks.
	Abilities []string      // globs over names of abilities
	Slower    time.Duration // how long the call must have taken
	Changed   []string      // globs over the files that the session has changed
}

// Spec returns the part of the match about a single effect.
func (m *Match) Spec() match.Spec {
	return match.Spec{Actions: m.Actions, Programs: m.Programs, Paths: m.Paths, To: m.To, Doubt: m.Doubt}
}

// Settings are the merged settings of all layers, apart from the hooks.
type Settings struct {
	// Deadline limits a dispatch. If zero, the host's deadline determines it.
	Deadline time.Duration
	// MaxPayload is the largest payload that is judged, in bytes.
	MaxPayload int64
	Evidence   EvidenceSettings
	Flow       FlowSettings
	// Approvals are the settings for package approvals, as JSON; "" if people
	// are never asked.
	Approvals string
	// AskPeople is true if people are asked when a host cannot ask its user.
	AskPeople bool
	// MCP are the settings of MCP servers by name, as JSON; "" if there are none.
	MCP string
	// Past lists the kinds of facts about sessions to remember, separated by
	// blanks; "" if no hook needs any.
	Past string
}

// Differences lists the keys of trammel.yaml whose settings differ.
func (s *Settings) Differences(o *Settings) (keys []string) {
	for _, part := range []struct {
		key  string
		same bool
	}{
		{"approvals", s.Approvals == o.Approvals && s.AskPeople == o.AskPeople}, {"deadline", s.Deadline == o.Deadline},
		{"evidence", s.Evidence == o.Evidence}, {"flow", s.Flow == o.Flow}, {"limits", s.MaxPayload == o.MaxPayload}, {"mcp", s.MCP == o.MCP},
	} {
		if !part.same {
			keys = append(keys, part.key)
		}
	}
	return keys
}

// FlowSettings are the settings for Flow Agents.
type FlowSettings struct {
	Environment bool   // variables may switch policies off
	Profile     string // minimal, standard, strict; "" if not set
	Disabled    string // ids, separated by commas
}

// EvidenceSettings say what is recorded, and how durably.
type EvidenceSettings struct {
	Payload string // none, redacted, full
	Fsync   string // never, always
	Segment int64  // bytes after which a new segment is started
	OnError string // block, warn: what happens to an event that cannot be recorded
}

// DefaultSettings are the settings if no layer sets any.
func DefaultSettings() Settings {
	return Settings{
		MaxPayload: 1 << 20,
		Evidence:   EvidenceSettings{Payload: "redacted", Fsync: "never", Segment: 64 << 20, OnError: "block"},
		Flow:       FlowSettings{Environment: true},
	}
}
