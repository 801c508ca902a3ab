package policytest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/effects/past"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/pipeline"
)

// Runner runs cases against the configuration that holds where their file is.
type Runner struct {
	Program *pipeline.Program
	// Config, if set, is what counts instead.
	Config *pipeline.Config
	// Rules, if set, find what counts instead.
	Rules *Rules
	// Judged, if set, is called with the result of each case.
	Judged func(c *Case, j *pipeline.Judged)
}

// Run runs one case of a file.
func (r *Runner) Run(ctx context.Context, file string, c *Case) Result {
	start := time.Now()
	res := Result{File: file, Name: c.Name}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err == nil {
		var judged *pipeline.Judged
		if judged, err = r.Judge(ctx, dir, c); err == nil {
			res.Diff = c.Expect.compare(judged)
			if r.Judged != nil {
				r.Judged(c, judged)
			}
		}
	}
	if err != nil {
		res.Err = err.Error()
	}
	if res.Outcome = "failed"; res.Passed() {
		res.Outcome = "passed"
	}
	res.Took = time.Since(start)
	return res
}

// Judge says what comes of the event of a case in a directory.
func (r *Runner) Judge(ctx context.Context, dir string, c *Case) (*pipeline.Judged, error) {
	at, empty, done, err := r.place(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	ev, err := r.event(c, at, empty)
	if err == nil {
		err = r.remember(ctx, c, ev, at, empty)
	}
	if err != nil {
		return nil, err
	}
	by := r.Config
	if r.Rules != nil {
		if by, err = r.Rules.In(dir); err != nil {
			return nil, err
		}
	}
	if by != nil {
		return r.Program.RehearseBy(ctx, ev, by)
	}
	return r.Program.Rehearse(ctx, ev, []string{dir})
}

func (r *Runner) event(c *Case, dir string, empty bool) (*trammel.Event, error) {
	dialect, err := r.Program.Dialects.Named(cmp.Or(c.Host, "claude-code"))
	if err != nil {
		return nil, err
	}
	if c.Payload != nil {
		raw, err := canonical.Append(nil, canonical.Plain(c.Payload))
		if err != nil {
			return nil, fmt.Errorf("payload: %w", err)
		}
		return dialect.DecodeEvent(raw, c.On)
	}
	kind, ok := trammel.ParseKind(c.On)
	if !ok {
		return nil, fmt.Errorf("on: unknown event %q; trammel events lists them", c.On)
	}
	ev := &trammel.Event{Kind: kind, Name: c.On, Host: dialect.Name(), Session: trammel.Session{ID: c.Session.ID, Dir: c.Session.Dir,
		Agent: c.Session.Agent, Mode: c.Session.Mode, Model: c.Session.Model, User: c.Session.User}}
	ev.Session.Dir = cmp.Or(ev.Session.Dir, dir)
	if empty {
		ev.Session.Project = ev.Session.Dir
	}
	ev.Tools = dialects.ShapesFor(dialect, c.Tool)
	if c.Tool != "" {
		input, _ := canonical.Plain(c.Input).(map[string]any)
		ev.Tool = &trammel.ToolCall{Name: c.Tool, Input: input, Output: c.Output, Done: kind != trammel.PreToolUse}
	}
	if c.Prompt != "" {
		ev.Prompt = &trammel.Prompt{Text: c.Prompt}
	}
	return ev, nil
}

// place is where the agent of a test works, if the test does not say: where its
// file is. No agent works in Trammel's own configuration, where every change is
// denied, whatever the rules say: tests of a user's rules are about an empty project.
func (r *Runner) place(dir string) (at string, empty bool, done func(), err error) {
	if up, err := filepath.Rel(r.Program.Dirs.User, dir); err != nil || !filepath.IsLocal(up) {
		return dir, false, func() {}, nil
	}
	at, err = os.MkdirTemp("", "project-*")
	return at, true, func() { os.RemoveAll(at) }, err
}

// remember gives an event the past of a session that has made the calls before
// it.
func (r *Runner) remember(ctx context.Context, c *Case, ev *trammel.Event, dir string, empty bool) error {
	if len(c.Before) == 0 {
		return nil
	}
	memory := state.NewMemory()
	for _, call := range c.Before {
		before, err := r.event(&Case{On: trammel.PreToolUse.String(), Host: c.Host, Tool: call.Tool, Input: call.Input, Session: c.Session},
			dir, empty)
		if err != nil {
			return err
		}
		before.Past = state.PastOf(memory, before)
		before.Prepare()
		for sort, items := range past.Of(before, past.Sorts()) {
			if err := state.PastOf(memory, before).Add(ctx, sort, items...); err != nil {
				return err
			}
		}
	}
	ev.Past = state.PastOf(memory, ev)
	return nil
}

func (e *Expect) compare(j *pipeline.Judged) []Difference {
	var out []Difference
	differ := func(what, want, got string) {
		if want != got {
			out = append(out, Difference{What: what, Want: want, Got: got})
		}
	}
	contain := func(what, want, got string) {
		if !strings.Contains(got, want) {
			out = append(out, Difference{What: what, Want: "… " + want + " …", Got: got})
		}
	}
	v := j.Verdict
	decision := e.Decision
	if decision == "" {
		decision = trammel.None.String()
	}
	if got := v.Decision.String(); got != decision {
		out = append(out, Difference{What: "decision", Want: decision, Got: got, By: decider(v)})
	}
	contain("reason", e.Reason, v.Reason)
	contain("notice", e.Notice, v.Notice)
	for _, want := range e.Context {
		if !slices.ContainsFunc(v.Context, func(s string) bool { return strings.Contains(s, want) }) {
			out = append(out, Difference{What: "context", Want: "… " + want + " …", Got: strings.Join(v.Context, "\n")})
		}
	}
	if e.Hooks != nil {
		differ("hooks that spoke", strings.Join(e.Hooks, ", "), strings.Join(spoke(v), ", "))
	}
	differ("hooks that failed", strings.Join(e.Failed, ", "), strings.Join(failed(v), ", "))
	if e.Output != nil {
		got := "(not rewritten)"
		if v.Output != nil {
			got = *v.Output
		}
		differ("output", *e.Output, got)
	}
	for key, want := range e.Input {
		var got any
		if v.Event.Tool != nil {
			got = v.Event.Tool.Input[key]
		}
		differ("input "+key, text(canonical.Plain(want)), text(got))
	}
	return out
}

// decider is the first hook that answered what was decided, "" if none did.
func decider(v *trammel.Verdict) string {
	for i := range v.Runs {
		if r := &v.Runs[i]; v.Decision != trammel.None && r.Answer.Decision == v.Decision {
			return r.Hook.ID
		}
	}
	return ""
}

func spoke(v *trammel.Verdict) []string {
	var out []string
	for i := range v.Runs {
		if Says(&v.Runs[i].Answer) {
			out = append(out, v.Runs[i].Hook.ID)
		}
	}
	return out
}

// Says reports whether an answer says anything that a case can expect.
func Says(a *trammel.Answer) bool {
	return a.Decision != trammel.None || a.Input != nil || a.Output != nil || len(a.Context) > 0 || a.Notice != ""
}

func failed(v *trammel.Verdict) []string {
	var out []string
	for i := range v.Runs {
		if v.Runs[i].Code != "" {
			out = append(out, v.Runs[i].Hook.ID)
		}
	}
	return out
}

func text(v any) string {
	out, err := canonical.Append(nil, v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(out)
}
