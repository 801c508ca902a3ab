// Package liveness finds out whether Trammel really stands between an agent
// and its tools: not whether it was installed, but whether the host calls it.
// A guard that is silently not called is worse than none, because somebody
// relies on it. It is what `trammel doctor` and `trammel status` say.
//
// Three things are compared: the wiring (what the host's
// settings say), the evidence (what reached us), and the host's own transcripts
// (what the agent did). A canary, a harmless command that must be denied, proves
// the whole way at once.
package liveness

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/layers"
)

// State is how a host stands.
type State string

// The states, best first.
const (
	// Protected: wired, its events reach us, it does what the hooks in force
	// answer with, and the record of that is whole.
	Protected State = "protected"
	// Limited: the same, but the host does not take new output from tools, which
	// some of the hooks answer with. The rest of what they do holds.
	Limited State = "limited"
	// Unknown: nothing is wrong, and nothing has been seen yet either.
	Unknown State = "unknown"
	// Degraded: it holds in part, or blocks more than it should.
	Degraded State = "degraded"
	// Unprotected: tools run that nothing judges.
	Unprotected State = "unprotected"
)

var badness = map[State]int{Protected: 0, Limited: 1, Unknown: 2, Degraded: 3, Unprotected: 4}

// worse is the worse of two states.
func (s State) worse(other State) State {
	if badness[other] > badness[s] {
		return other
	}
	return s
}

// HostHealth is how one host stands, and why.
type HostHealth struct {
	Host  string   `json:"host"`
	State State    `json:"state"`
	Why   []string `json:"why,omitempty"` // what is not well, worst first
	// Wired is true where our entries are in the host's settings, Installed
	// where the host's program was found.
	Wired       bool      `json:"wired"`
	Installed   bool      `json:"installed"`
	LastEvent   time.Time `json:"last_event,omitzero"`
	LastSession string    `json:"last_session,omitempty"`
	Version     string    `json:"version,omitempty"`
	Checks      []Check   `json:"checks"`
	Gaps        []Gap     `json:"gaps,omitempty"`
	// Unproxied are the MCP servers that it reaches without the proxy.
	Unproxied []string `json:"servers_without_proxy,omitempty"`
}

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitempty"`
	Fix    string `json:"fix,omitempty"` // what to do, if it is not OK
	todo   bool   // nothing is wrong, and nothing has been shown to work
}

// WiringStatus is what the host's settings say.
type WiringStatus struct {
	Installed  bool // the host's program is there
	Present    bool // our entries are in its settings
	Parsed     bool // its settings can be read
	Current    bool // our entries are those of this version
	Executable bool // the program they name is there and can be run
	// Programs are what they start and need: trammel-hook, and the trammel beside it.
	Programs []string
	// ConsentNeeded: the host runs our hooks only after its user has agreed,
	// and ConsentGiven: that has happened.
	ConsentNeeded, ConsentGiven bool
	Version                     string    // of the host
	Since                       time.Time // when the wiring was written, if that is known
	Notes                       []string
	Locked                      []string // what switches our hooks off, with its file
	Exposed                     []string // files for every user that others than root can change
	Servers                     []Server // that its settings name
}

// Server is an MCP server as a host's settings name it.
type Server struct {
	Name, Path string
	Behind     bool   // the proxy is in front of it
	Broken     string // why that proxy cannot be started
	Whose      string // why init cannot put the proxy there, "" if it can
	Project    bool   // it is in the project's settings
}

// Wiring knows the settings of hosts. An error is a host whose state cannot be
// found out.
type Wiring interface {
	Status(host string) (WiringStatus, error)
}

// Inputs are what a check is made from.
type Inputs struct {
	Dirs     layers.Dirs
	Project  string // its root
	Evidence string // the project's log
	Mark     string // the file that says that there has been one; "" if that is unknown
	Hosts    []string
	Wiring   Wiring
	// Authority are the keys that tombstones may be signed with; none are this machine's own.
	Authority []string
	// HostDir is where a host keeps its settings and transcripts. The latter
	// are compared with the evidence; not if it is nil.
	HostDir func(h *dialects.Host) string
	Now     time.Time
}

// settle is how long a call may be on its way: it is in the transcript before
// its hook has answered.
const settle = time.Minute

// recent is how far back transcripts are read where it is unknown when the
// wiring was written.
const recent = 24 * time.Hour

// Inspect looks at every host. Without any it says that, and how the project's
// configuration stands, which holds as soon as one is wired (TEAM-07).
func Inspect(ctx context.Context, in Inputs) []HostHealth {
	seen, pruned, err := readEvidence(&in)
	conf := readConfiguration(&in)
	out := make([]HostHealth, 0, len(in.Hosts))
	for _, host := range in.Hosts {
		e := &exam{in: &in, ctx: ctx, seen: seen.host(host), pruned: pruned, broken: err, conf: conf,
			HostHealth: HostHealth{Host: host, State: Protected, Checks: []Check{}}}
		e.examine()
		out = append(out, e.HostHealth)
	}
	if len(in.Hosts) == 0 {
		e := &exam{in: &in, ctx: ctx, conf: conf, HostHealth: HostHealth{Host: "no agent", State: Protected, Checks: []Check{}}}
		e.add(Check{Name: "wired", Detail: "no agent is installed or wired here", Fix: "install an agent, then run trammel init"}, Unprotected)
		e.examineConfiguration()
		out = append(out, e.HostHealth)
	}
	return out
}

// ExitCode is what the verbs end with: 0 if at least one host is wired and all
// that are installed or wired are protected, 3 if some of them are limited, 1 if
// one is worse. A host of which nothing has been seen is not known to be protected.
func ExitCode(list []HostHealth) int {
	wired, worst := false, Protected
	for _, h := range list {
		wired = wired || h.Wired
		if h.Wired || h.Installed {
			worst = worst.worse(h.State)
		}
	}
	switch {
	case wired && worst == Protected:
		return 0
	case wired && worst == Limited:
		return 3
	}
	return 1
}
