package evidence

import (
	"cmp"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/callkey"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/secret"
)

// PayloadMode says how much of the host's payload is recorded.
type PayloadMode string

const (
	PayloadNone     PayloadMode = "none"     // only its digest and its size
	PayloadRedacted PayloadMode = "redacted" // without its secrets; also the default
	PayloadFull     PayloadMode = "full"     // unchanged
)

// Meta is what a record holds besides the event and its verdict.
type Meta struct {
	Config      string // the digest of the configuration
	Engine      string // our version
	PayloadMode PayloadMode
	Err         *trammel.Failure // why the event could not be judged
	Started     time.Time
	Micros      int64
}

// FromVerdict makes the record of an event. v is nil if it could not be judged;
// then m.Err says why. Digests are of the original bytes, whatever is redacted.
func FromVerdict(ev *trammel.Event, v *trammel.Verdict, m Meta) *Record {
	when := m.Started
	if when.IsZero() {
		when = ev.Time
	}
	if when.IsZero() {
		when = time.Now()
	}
	s := &ev.Session
	r := &Record{
		ID: NewID(when), Time: when, Host: ev.Host, Event: ev.Kind.String(), Name: ev.Name,
		Session: SessionRecord{ID: s.ID, Agent: s.Agent, AgentID: s.AgentID, Parents: s.Parents, Model: s.Model, Mode: s.Mode,
			Bypass: s.Bypass, User: s.User, Org: s.Org, Turn: s.Turn},
		Project: s.Project, Dir: s.Dir, Size: len(ev.Raw),
		Config: m.Config, Engine: m.Engine, Micros: m.Micros,
	}
	if len(ev.Raw) > 0 {
		r.Input = canonical.Digest(ev.Raw)
	}
	if x := ev.Exchange; x != nil {
		r.Exchange = ExchangeRecord{Session: x.Session, Pin: x.Pin, Task: x.Task, Trace: clip.Runes(x.Trace, maxSummary-1)}
		r.Input, r.Size = cmp.Or(r.Input, x.Digest), cmp.Or(r.Size, x.Size)
	}
	if ev.Seen != nil {
		r.Exchange.Same = ev.Seen.Record
	}
	action, final := actions(ev, v)
	if ev.Tool != nil {
		r.Tool = ToolRecord{ev.Tool.ID, ev.Tool.Name}
		r.Action = summarize(action)
	}
	sensitive := onSensitivePath(action) || onSensitivePath(final)
	r.Payload = payload(ev, m.PayloadMode, sensitive)
	if v != nil {
		d := digests{ev: ev, raw: r.Input}
		if v.Input != nil {
			d.rewritten = v.Event
		}
		if r.Input == "" {
			r.Input = d.call(trammel.Transforms)
		}
		r.Hooks = hooks(v, &d)
		r.Call = deniedCall(v)
		r.Verdict = verdict(v, m.PayloadMode, sensitive)
		for _, g := range v.Degraded {
			r.Degraded = append(r.Degraded, DegradedRecord(g))
		}
	}
	if m.Err != nil {
		r.Error = &ErrorRecord{string(m.Err.Code), m.Err.Error()}
	}
	return r
}

// deniedCall identifies the call that was denied, after any rewrites: a person
// can allow exactly this call. "" if there is none.
func deniedCall(v *trammel.Verdict) string {
	ev := v.Event
	if v.Decision != trammel.Deny || ev == nil || ev.Tool == nil || !ev.Kind.FailsClosed() {
		return ""
	}
	args, err := callkey.Args(ev.Tool.Input)
	if err != nil {
		return ""
	}
	call := callkey.Call{Tool: ev.Tool.Name, Args: args, Project: ev.Session.Project, Dir: ev.Session.Dir, Agent: ev.Session.Agent}
	return call.Digest()
}

// actions returns what the call does, before and after all rewrites. An action
// that the dialect did not set is read like the dispatch reads it.
func actions(ev *trammel.Event, v *trammel.Verdict) (came, stands *trammel.Action) {
	if ev.Tool == nil {
		return &trammel.Action{}, &trammel.Action{}
	}
	came = &ev.Tool.Action
	stands = came
	if v != nil && v.Event != nil && v.Event.Tool != nil {
		stands = &v.Event.Tool.Action
	}
	switch {
	case came.Kind != trammel.OtherAction:
	case v != nil && v.Input == nil:
		came = stands
	default:
		read := ev.Tools.Action(ev.Tool)
		came = &read
	}
	return came, stands
}

// maxSummary is how many characters of an action's summary are kept.
const maxSummary = 300

func summarize(a *trammel.Action) ActionRecord {
	out := ActionRecord{Kind: a.Kind.String(), Paths: a.Paths, URL: a.URL, Server: a.Server}
	switch {
	case a.Command != "" && writesSensitive(a.Command):
		out.Summary = redactedFile
	case a.Command != "":
		out.Summary = a.Command
	case len(a.Paths) > 0:
		out.Summary = a.Paths[0]
	case a.URL != "":
		out.Summary = a.URL
	case a.Query != "":
		out.Summary = a.Query
	case a.Tool != "":
		out.Summary = a.Tool
	default:
		out.Summary = a.Agent
	}
	safe, _ := secret.Redact(out.Summary) // before it is cut: half a secret is not recognized
	out.Summary = clip.Runes(safe, maxSummary-1)
	return out
}

func hooks(v *trammel.Verdict, d *digests) []HookRecord {
	if len(v.Runs) == 0 {
		return nil
	}
	out := make([]HookRecord, len(v.Runs))
	for i := range v.Runs {
		run := &v.Runs[i]
		a := &run.Answer
		h := HookRecord{
			ID: run.Hook.ID, Kind: run.Hook.Kind, Phase: run.Phase.String(), Source: run.Hook.Source.String(),
			Digest: run.Hook.Digest,
			Failed: run.Code != "", Code: string(run.Code), Detail: run.Detail, Blocked: run.Blocked, Round: run.Round,
			Micros: run.Took.Microseconds(),
			Reason: a.Reason, Approval: a.Approval, Rewrites: rewrites(a), Context: len(a.Context), Notice: a.Notice,
			Findings: findings(a.Findings), Diagnostics: a.Diagnostics,
		}
		if x := run.Exception; x != nil {
			h.Excepted, h.Exception = would(run), x.String()
		}
		if run.Hook.Trial {
			h.Trial = would(run)
		}
		if a.Decision != trammel.None {
			h.Decision = a.Decision.String()
		}
		if t := a.Trace; t != nil {
			if p := t.Pack; p != nil {
				h.Field = p.Field
				h.Pack = &PackRecord{Dir: p.Dir, Hook: p.Hook, Type: p.Type, Runtime: p.Runtime, Kind: p.Kind, Entrypoint: p.Entrypoint, Run: p.Run}
			}
			h.Entrypoint, h.Input, h.Output, h.Stderr = t.Entrypoint, t.Input, t.Output, t.Stderr
		} else {
			h.Input = d.call(run.Phase)
			if !h.Failed {
				h.Output = answerDigest(a)
			}
		}
		out[i] = h
	}
	return out
}

// would is one word for what a hook on trial would have done.
func would(r *trammel.Run) string {
	switch a := r.Would; {
	case a == nil:
		return "fail"
	case a.Decision != trammel.None:
		return a.Decision.String()
	case a.Rewrites():
		return "rewrite"
	case len(a.Context) > 0:
		return "context"
	}
	return "nothing"
}

func verdict(v *trammel.Verdict, mode PayloadMode, sensitive bool) *VerdictRecord {
	out := &VerdictRecord{
		Decision: v.Decision.String(), Reason: v.Reason, Granted: v.Granted, Canceled: v.Canceled,
		Rewrites: rewrites(&v.Answer), Context: v.Context, Notice: v.Notice, Findings: findings(v.Findings),
	}
	if v.Input != nil && mode != PayloadNone {
		out.Input = redacted(v.Input, sensitive)
	}
	if v.Output != nil {
		out.Output = canonical.Digest([]byte(*v.Output))
	}
	for i := range v.Runs {
		if code := string(v.Runs[i].Code); code != "" && !slices.Contains(out.Codes, code) {
			out.Codes = append(out.Codes, code)
		}
	}
	return out
}

// rewrites names what an answer rewrites: arguments by name, and "(output)".
func rewrites(a *trammel.Answer) []string {
	var out []string
	for key := range a.Input {
		out = append(out, key)
	}
	slices.Sort(out)
	if a.Output != nil {
		out = append(out, "(output)")
	}
	return out
}

func findings(list []trammel.Finding) []FindingRecord {
	var out []FindingRecord
	for _, f := range list {
		out = append(out, FindingRecord(f))
	}
	return out
}
