package evidence

import (
	"slices"
	"time"
)

// Record is what is stored about one event. Its text is redacted when it is
// written; Payload and VerdictRecord.Input are written unchanged, so redact
// them before.
type Record struct {
	ID      string
	Time    time.Time
	Host    string
	Event   string // our name of its kind
	Name    string // the host's
	Session SessionRecord
	Project string
	Dir     string
	Tool    ToolRecord
	Action  ActionRecord

	Call    string // the key of a call that was denied: the tool, its arguments, where
	Input   string // the digest of the host's payload
	Size    int    // of the payload, in bytes
	Payload any    // the host's payload, if it is stored

	Exchange ExchangeRecord // set for messages of MCP
	Hooks    []HookRecord
	Pack     *PackRecord    // set for calls of a pack's hook outside of an event
	Control  *ControlRecord // set for control calls of a process
	Verdict  *VerdictRecord // nil when the event could not be judged
	Degraded []DegradedRecord
	Error    *ErrorRecord

	Config string // the digest of the configuration
	Engine string // our version
	Micros int64
}

// SessionRecord is the session an event belongs to.
type SessionRecord struct {
	ID, Agent, AgentID string
	Parents            []string
	Model, Mode        string
	Bypass             bool
	User, Org, Turn    string
}

// ToolRecord is the tool that was called.
type ToolRecord struct{ ID, Name string }

// ActionRecord is the effect of the call.
type ActionRecord struct {
	Kind    string
	Summary string // the command, the path, the address: the start of it
	Paths   []string
	URL     string
	Server  string
}

// ExchangeRecord is what is known about an MCP message besides its effect.
type ExchangeRecord struct {
	Session string // of the proxy
	Same    string // the record of the same call in the agent's own hooks
	Pin     string // whether the tool is unchanged since it was accepted
	Task    string
	Trace   string
}

// HookRecord is one hook's part (FST-60): its identity, its input, its output,
// and how it ended.
type HookRecord struct {
	ID, Kind, Phase, Source string
	Digest                  string // of the declaration, if the answer cannot be computed again
	Entrypoint              string // the digest of the program
	Input, Output           string // digests over the exact bytes (FST-61)
	Failed                  bool
	Code, Detail            string
	Blocked                 bool
	Round                   int
	Micros                  int64
	Decision, Reason        string
	Approval                string   // the request to people that decided it
	Rewrites                []string // which arguments it rewrote
	Context                 int      // how many contexts it added
	Notice                  string
	Findings                []FindingRecord
	Diagnostics             []string
	Stderr                  string
	Field                   string      // which field of a pack's result the failure is about
	Pack                    *PackRecord // the pack's hook that was called, for hooks on events
	Excepted, Exception     string      // what the hook would have done, and the exception that prevented it
	Trial                   string      // what a hook on trial would have done: a decision, rewrite, context, or nothing
}

// VerdictRecord is the combined result of all hooks.
type VerdictRecord struct {
	Decision, Reason  string
	Granted, Canceled bool
	Rewrites          []string
	Input             any    // the redacted patch of the arguments
	Output            string // the digest of the rewritten output
	Context           []string
	Notice            string
	Codes             []string // of the failures
	Findings          []FindingRecord
}

// FindingRecord is a typed reason behind a decision.
type FindingRecord struct{ Code, Severity, Target string }

// DegradedRecord is something that the host does not support as requested.
type DegradedRecord struct{ Wanted, Became, Why string }

// ErrorRecord says why an event could not be judged.
type ErrorRecord struct{ Code, Detail string }

// AppendJSON appends the record in canonical JSON. What is empty is left out.
func (r *Record) AppendJSON(dst []byte) []byte {
	o := open(slices.Grow(dst, 3<<10))
	o.object("action", r.Action.fill)
	o.raw("call", r.Call)
	o.raw("config", r.Config)
	if r.Control != nil {
		o.object("control", r.Control.fill)
	}
	o.text("cwd", r.Dir)
	appendObjects(&o, "degraded", r.Degraded, DegradedRecord.fill)
	o.raw("engine", r.Engine)
	if r.Error != nil {
		o.object("error", r.Error.fill)
	}
	o.raw("event", r.Event)
	appendObjects(&o, "hooks", r.Hooks, HookRecord.fill)
	o.text("host", r.Host)
	o.raw("id", r.ID, "input", r.Input)
	o.object("mcp", r.Exchange.fill)
	o.number("micros", r.Micros)
	o.text("name", r.Name)
	if r.Pack != nil {
		o.object("pack", r.Pack.fill)
	}
	o.value("payload", r.Payload)
	o.text("project", r.Project)
	o.object("session", r.Session.fill)
	o.number("size", int64(r.Size))
	if !r.Time.IsZero() {
		o.raw("time", r.Time.UTC().Format(time.RFC3339Nano))
	}
	o.object("tool", r.Tool.fill)
	if r.Verdict != nil {
		o.object("verdict", r.Verdict.fill)
	}
	return o.close()
}

func (s SessionRecord) fill(o *object) {
	o.text("agent", s.Agent, "agent_id", s.AgentID)
	o.flag("bypass", s.Bypass)
	o.text("id", s.ID, "mode", s.Mode, "model", s.Model, "org", s.Org)
	o.texts("parents", s.Parents)
	o.text("turn", s.Turn, "user", s.User)
}

func (t ToolRecord) fill(o *object) {
	o.text("id", t.ID, "name", t.Name)
}

func (a ActionRecord) fill(o *object) {
	o.raw("kind", a.Kind)
	o.texts("paths", a.Paths)
	o.text("server", a.Server, "summary", a.Summary, "url", a.URL)
}

func (e ExchangeRecord) fill(o *object) {
	o.text("pin", e.Pin, "same", e.Same, "session", e.Session, "task", e.Task, "trace", e.Trace)
}

func (h HookRecord) fill(o *object) {
	status := "ok"
	if h.Failed {
		status = "failed"
	}
	o.raw("approval", h.Approval)
	o.flag("blocked", h.Blocked)
	o.raw("code", h.Code)
	o.number("context", int64(h.Context))
	o.raw("decision", h.Decision)
	o.text("detail", h.Detail)
	o.texts("diagnostics", h.Diagnostics)
	o.raw("digest", h.Digest, "entrypoint", h.Entrypoint)
	o.raw("excepted", h.Excepted)
	o.text("exception", h.Exception, "field", h.Field)
	appendObjects(o, "findings", h.Findings, FindingRecord.fill)
	o.text("id", h.ID)
	o.raw("input", h.Input, "kind", h.Kind)
	o.number("micros", h.Micros)
	o.text("notice", h.Notice)
	o.raw("output", h.Output)
	if h.Pack != nil {
		o.object("pack", h.Pack.fill)
	}
	o.raw("phase", h.Phase)
	o.text("reason", h.Reason)
	o.texts("rewrites", h.Rewrites)
	o.number("round", int64(h.Round))
	o.text("source", h.Source)
	o.raw("status", status)
	o.text("stderr", h.Stderr)
	o.raw("trial", h.Trial)
}

func (v VerdictRecord) fill(o *object) {
	o.flag("canceled", v.Canceled)
	o.texts("codes", v.Codes)
	o.texts("context", v.Context)
	o.raw("decision", v.Decision)
	appendObjects(o, "findings", v.Findings, FindingRecord.fill)
	o.flag("granted", v.Granted)
	o.value("input", v.Input)
	o.text("notice", v.Notice)
	o.raw("output", v.Output)
	o.text("reason", v.Reason)
	o.texts("rewrites", v.Rewrites)
}

func (f FindingRecord) fill(o *object) {
	o.text("code", f.Code, "severity", f.Severity, "target", f.Target)
}

func (d DegradedRecord) fill(o *object) {
	o.raw("became", d.Became, "wanted", d.Wanted)
	o.text("why", d.Why)
}

func (e ErrorRecord) fill(o *object) {
	o.raw("code", e.Code)
	o.text("detail", e.Detail)
}
