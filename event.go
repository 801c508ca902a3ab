package trammel

import (
	"cmp"
	"sync"
	"time"
)

// Event is one moment of an agent's life: a small core, plus the parts that
// its kind carries. Handlers must treat it as read-only; a handler that wants
// a change says so in its Answer.
type Event struct {
	Kind    Kind
	Name    string // what the host calls it
	Host    string // which dialect reported it
	Session Session

	Tool       *ToolCall   // tool events
	Prompt     *Prompt     // prompt events
	Model      *ModelCall  // events around a model call
	Stop       *StopInfo   // stop, subagent_stop
	Compaction *Compaction // events around a compaction
	Switch     *Switch     // on_agent_switch, model switches
	Notice     *NoticeInfo // notification, on_error
	Approval   *Approval   // on_tool_approval_decision
	Task       *TaskInfo   // task events

	// Source says what set it off (session_start: startup, resume, clear,
	// compact; pre_compact: manual, auto), Reason why something ended.
	Source string
	Reason string

	// Time is when the event reached us, if the caller noted it.
	Time time.Time
	// Raw is what the host sent, if it came from one.
	Raw []byte
	// Fields are the host's own top-level fields that no part above holds.
	Fields map[string]any
	// Facts are what earlier hooks of this dispatch have computed, by hook id.
	Facts map[string]map[string]any
	// Outcome is the merged answer of transforms, guards and gates. It is set
	// only for observers.
	Outcome *Answer

	// Rehearsal is true if nothing really happens: somebody only asks what the
	// verdict would be. Handlers that count, remember, write, send or start
	// something outside then leave no trace, and answer as if it happened; one
	// that would only observe says in Diagnostics what it would do.
	Rehearsal bool

	// Again is true if the event was judged before, by a program that has handed
	// it on because people have to decide. Handlers that count events have
	// counted this one then, and had no objection.
	Again bool
	// Seen is set if hooks inside the agent have judged the call before.
	Seen *Seen
	// Exchange is set by the MCP proxy.
	Exchange *Exchange

	// Tools translates this host's tools into Actions. Dispatch uses it again
	// after a rewrite, so that a guard judges what will really run.
	Tools Shapes

	// World is what may be looked up about the machine that the call runs on;
	// nil means this machine.
	World World

	// Past is what the session has done before, nil if nothing is remembered.
	Past Past

	memo *memo
}

// Session is the run of an agent that an event belongs to.
type Session struct {
	ID         string
	Dir        string   // the agent's working directory
	Project    string   // the project's root directory
	Agent      string   // which agent, if the host has several
	AgentID    string   // which instance of it
	Parents    []string // the sessions or agents above this one, nearest first
	Model      string
	Mode       string // the host's permission mode, as it calls it
	Bypass     bool   // the mode switches the host's own questions off
	User       string // as the host names them
	Account    string // who submits the events, as the system or a login says; no payload can set it
	Org        string
	Transcript string // path of the host's transcript
	Turn       string // the host's id of the prompt or turn
}

// Place is the project's root directory or, if the host names none, where the
// agent works.
func (s *Session) Place() string { return cmp.Or(s.Project, s.Dir) }

// ToolCall is a call of a tool, before or after it ran.
type ToolCall struct {
	ID     string
	Name   string
	Input  map[string]any
	Action Action

	// Done is true once the tool has run; then Output is its text and Error
	// its error, if it failed.
	Done     bool
	Output   string
	Response any // the output in the host's own shape
	Error    string
	Failed   bool
	Duration time.Duration
	Category string
	// Confirm is set by a runtime whose tool wants a human's consent.
	Confirm bool
}

// Prompt is a message to the agent.
type Prompt struct {
	Text string
	// Synthetic is true where a host repeats its prompt event for text that
	// no person wrote (tool results, the reason of a stop hook).
	Synthetic bool
	Command   string // user_prompt_expansion: the slash command
}

// ModelCall is a call of the model.
type ModelCall struct {
	ID         string
	Messages   []any
	Iteration  int
	Response   string
	LastPrompt string
	Usage      Usage
	Cost       float64
}

// Usage counts tokens.
type Usage struct{ Input, Output, CachedInput, CachedWrite int64 }

// StopInfo is what is known when an agent wants to end.
type StopInfo struct {
	Message string // the last thing the model said
	// Active is true when a stop hook has already kept the agent working.
	Active bool
}

// Compaction is what is known around the compaction of a conversation.
type Compaction struct {
	Reason       string
	Instructions string
	InputTokens  int64
	OutputTokens int64
	ContextLimit int64
	Summary      string
}

// Switch is a change of agent or model.
type Switch struct {
	Kind, From, To string
	Models         []ServedModel // of the one that is left, if the host says so
}

// ServedModel is a model, and where it is served.
type ServedModel struct {
	Provider, Name string
	URL            string // the base of the server's addresses
	Unload         string // where the model is unloaded: an address, or a path on the server
}

// NoticeInfo is what a host tells its user.
type NoticeInfo struct{ Level, Kind, Title, Message string }

// Approval is the result of a host's own approval chain.
type Approval struct{ Decision, Source, Label string }

// TaskInfo is a task on an agent's list, or a guarded run of an ability.
type TaskInfo struct{ ID, Subject, Description, Status string }

// Prepare fills in the Action of a tool call that has none, and lets Memo
// remember from now on. Dispatch does both on its own copy. Call it to look at
// an event before that, and to share what was computed.
func (ev *Event) Prepare() {
	if ev.memo == nil {
		ev.memo = &memo{}
	}
	if t := ev.Tool; t != nil && t.Action.unset() {
		tool := *t
		tool.Action = ev.Tools.Action(&tool)
		ev.Tool = &tool
	}
}

// Forget drops what Memo remembers.
func (ev *Event) Forget() { ev.memo = &memo{} }

// Now is the time of the event: Time, or the clock's where the caller noted none.
func (ev *Event) Now() time.Time {
	if ev.Time.IsZero() {
		return time.Now()
	}
	return ev.Time
}

// Memo returns the value under key, computing it once per dispatch and set of
// arguments. Handlers use it to share work (a parsed command line) without
// knowing of each other. The value must be safe for concurrent reading.
// Keys should be of an unexported type, as with context values. compute must
// not call Memo itself.
func (ev *Event) Memo(key any, compute func() any) any {
	if ev.memo == nil { // outside a dispatch: nothing to share with
		return compute()
	}
	return ev.memo.get(memoKey{ev.Tool, ev.Prompt, ev.Model, key}, compute)
}

// memoKey makes it impossible to get a stale value for a call that has been
// rewritten since: a rewrite replaces the old part by a new one.
type memoKey struct {
	tool   *ToolCall
	prompt *Prompt
	model  *ModelCall
	key    any
}

// memo is a list: an event has a handful of values, and a map takes longer.
type memo struct {
	mu     sync.Mutex
	values []memoValue
}

type memoValue struct {
	memoKey
	value any
}

func (m *memo) get(key memoKey, compute func() any) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.values {
		if m.values[i].memoKey == key {
			return m.values[i].value
		}
	}
	v := compute()
	m.values = append(m.values, memoValue{key, v})
	return v
}
