package trammel

import "slices"

// Seen says that hooks of ours inside the agent have judged this very call
// before it came here: the MCP proxy sees what the agent's own hooks saw.
type Seen struct {
	Record string   // the id of its record
	Hooks  []string // which hooks were asked
	Asked  bool     // the host was told to ask its user, and has gone on
}

// Counted reports whether a hook has counted this call before, and had no
// objection.
func (ev *Event) Counted(hook string) bool {
	return ev.Again || ev.Seen != nil && slices.Contains(ev.Seen.Hooks, hook)
}

// Exchange is what is known about the message of MCP that an event is about.
type Exchange struct {
	Session string // of the proxy
	Pin     string // whether the tool is what it was when it was accepted
	Task    string // the task that the call has become
	Trace   string // the caller's trace context, as traceparent
	// Digest and Size are those of the message where Raw does not hold it.
	Digest string
	Size   int
}
