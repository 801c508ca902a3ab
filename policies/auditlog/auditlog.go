// Package auditlog is the policy audit-log: a line for every tool call that
// succeeded, failed or was denied, in a file that people and programs can read
// (FIM-40).
package auditlog

import (
	"context"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/summary"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("audit-log", trammel.Observe, "writes a line for every tool call that succeeded, failed or was denied",
		options{MaxSize: 10 << 20, Keep: 5}, build,
		trammel.PreToolUse, trammel.PostToolUse, trammel.PostToolFailure, trammel.PermissionDenied)
}

type options struct {
	Path    string      `json:"path,omitempty" jsonschema:"The file, relative to the project; in the state directory, one per project, if it is not set."`
	Input   bool        `json:"input,omitempty" jsonschema:"Whether the arguments are recorded, too, without secrets."`
	MaxSize option.Size `json:"max_size,omitempty" jsonschema:"How large the file may become before a new one is started."`
	Keep    int         `json:"keep,omitempty" jsonschema:"How many old files are kept."`
}

func build(o options, spec trammel.Spec) (trammel.Handler, error) {
	p := &policy{o, spec.Dirs, spec.State}
	return p, option.Between("keep", o.Keep, 0, 1000)
}

type policy struct {
	options
	dirs  trammel.Dirs
	state trammel.State
}

// Handle writes the line. The agent's work does not depend on it: if that fails,
// the person is told, once per day and session.
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	what := outcome(ev)
	if ev.Tool == nil || what == "" {
		return trammel.Answer{}, nil
	}
	path, err := state.ProjectFile(p.dirs, ev, p.Path, "audit", "audit.jsonl")
	if ev.Rehearsal && err == nil {
		return trammel.Answer{Diagnostics: []string{"would write a line in " + path + ": " + what}}, nil
	}
	if err == nil {
		err = state.Journal{Path: path, Size: int64(p.MaxSize), Keep: p.Keep}.Append(ctx, p.line(ev, what))
	}
	if err != nil {
		return p.complaint(ctx, ev, err), nil
	}
	return trammel.Answer{}, nil
}

// outcome is the result of the call, "" if there is none yet.
func outcome(ev *trammel.Event) string {
	switch ev.Kind {
	case trammel.PostToolUse:
		if ev.Tool != nil && ev.Tool.Failed {
			return "failure"
		}
		return "success"
	case trammel.PostToolFailure:
		return "failure"
	case trammel.PermissionDenied:
		return "refused"
	}
	if ev.Outcome != nil && ev.Outcome.Decision == trammel.Deny && ev.Kind.FailsClosed() {
		return "denied"
	}
	return ""
}

// maxInput is the maximum size of arguments to log.
const maxInput = 32 << 10

func (p *policy) line(ev *trammel.Event, what string) []byte {
	s, t := &ev.Session, ev.Tool
	at := ev.Now()
	var w strict.Writer
	w.Open()
	w.Text("time", at.UTC().Format(time.RFC3339Nano))
	w.Text("host", ev.Host)
	w.Text("session", s.ID)
	w.Text("user", s.User)
	w.Text("org", s.Org)
	w.Text("agent", state.Agent(ev))
	w.Text("project", ev.Session.Place())
	w.Text("call", t.ID)
	w.Text("tool", summary.Line(t.Name))
	w.Text("connector", state.Connector(ev))
	w.Text("action", t.Action.Kind.String())
	w.Text("target", summary.Target(&t.Action))
	w.Text("outcome", what)
	w.Number("duration_ms", t.Duration.Milliseconds())
	if t.Error != "" && !summary.Sensitive(ev) {
		w.Text("error", summary.Line(t.Error))
	}
	if what == "denied" {
		w.Text("reason", summary.Line(ev.Outcome.Reason))
		w.List("codes", codes(ev.Outcome.Findings))
	}
	if p.Input {
		if safe, err := canonical.Append(nil, input(ev)); err == nil && len(safe) <= maxInput {
			w.Key("input")
			w.Raw(safe)
		} else {
			w.Number("input_bytes", int64(len(safe)))
		}
	}
	w.Close()
	return w.Bytes()
}

func codes(findings []trammel.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Code)
	}
	return out
}

// input returns the arguments without secrets, and without the content of files
// that hold secrets.
func input(ev *trammel.Event) any {
	redact := secret.RedactValue
	if summary.Sensitive(ev) {
		redact = secret.RedactContent
	}
	safe, _ := redact(ev.Tool.Input)
	return safe
}

// complaint tells the person that the log has a gap.
func (p *policy) complaint(ctx context.Context, ev *trammel.Event, err error) trammel.Answer {
	out := trammel.Answer{
		Diagnostics: []string{"the audit log has a gap: " + err.Error()},
		Findings:    []trammel.Finding{{Code: "audit_gap", Severity: "error", Target: ev.Tool.Name}},
	}
	first, unknown := state.CountersOf(p.state, ev).Take(ctx, state.Claim{Key: []string{"audit-log", state.Session(ev)}, N: 1, Limit: 1,
		Window: 24 * time.Hour})
	if unknown == nil && state.Taken(first) {
		out.Notice = fmt.Sprintf("The audit log cannot be written, and calls are missing in it from now on: %v", err)
	}
	return out
}
