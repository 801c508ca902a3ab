package full

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
	"github.com/trammel-dev/trammel/store"
)

// openDesk opens the desk, which asks people about calls.
func (p *Program) openDesk(s approvals.Settings) *desk.Desk {
	return &desk.Desk{StateDir: p.Dirs.State, Settings: s, Record: p.recordNote, Ending: p.Ending, Gone: p.gone}
}

func (p *Program) gone() bool {
	return p.Gone != nil && p.Gone()
}

// Desk returns the desk with the settings of a plan.
func (p *Program) Desk(s *plan.Settings) (*desk.Desk, error) {
	var settings approvals.Settings
	if len(s.Approvals) > 0 {
		if err := json.Unmarshal([]byte(s.Approvals), &settings); err != nil {
			return nil, fmt.Errorf("the settings of approvals are damaged: %w", err)
		}
	}
	return p.desks.For(settings), nil
}

// OwnDesk returns the desk with the current settings of the machine and the
// user, whatever projects say.
func (p *Program) OwnDesk() (*desk.Desk, error) {
	c, err := p.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: p.Dirs.User}})
	if err != nil {
		return nil, err
	}
	return p.Desk(&c.Plan.Settings)
}

// recordNote records a change of an approval in the evidence of its project.
func (p *Program) recordNote(ctx context.Context, n store.Note) error {
	var data any
	var note struct{ State, Tool, Summary, What, Session, Agent, User, Dir, Host string }
	if err := errors.Join(json.Unmarshal(n.Data, &data), json.Unmarshal(n.Data, &note)); err != nil {
		return err
	}
	r := &evidence.Record{ID: n.ID, Time: n.At.Time, Host: cmp.Or(note.Host, "trammel"), Event: n.Kind, Name: n.Subject, Project: n.Project,
		Payload: data,
		Session: evidence.SessionRecord{ID: note.Session, Agent: note.Agent, User: note.User}, Tool: evidence.ToolRecord{Name: note.Tool},
		Action: evidence.ActionRecord{Summary: note.Summary}, Verdict: &evidence.VerdictRecord{Decision: note.State, Reason: note.What},
		Engine: p.Version}
	root := n.Project // as the host sees it
	if c, _ := p.ConfigFor(&trammel.Event{Session: trammel.Session{Project: n.Project, Dir: note.Dir}}); c.Set != nil {
		root = c.Set.Root
	}
	if n.Again {
		return p.PutOnce(ctx, root, r)
	}
	return p.Put(ctx, root, r)
}

// declarationOf returns the handler's part of a hook's current declaration.
func (p *Program) declarationOf(ev *trammel.Event, hook string) ([]byte, error) {
	c, err := p.ConfigFor(ev)
	if err != nil {
		return nil, err
	}
	hooks, err := c.Plan.All()
	for i := range hooks {
		if hooks[i].ID == hook {
			return hooks[i].Config, nil
		}
	}
	return nil, err
}

// people asks people about calls when the host cannot ask its own user. When a
// session ends, it cancels the requests that only this session has made.
func (p *Program) people(ctx context.Context, j *pipeline.Judged) error {
	d, err := p.Desk(&j.Plan.Settings)
	if err != nil {
		return err
	}
	if j.Event.Kind == trammel.SessionEnd {
		return d.EndSession(ctx, j.Event.Session.ID)
	}
	return p.ask(ctx, j, d)
}

func (p *Program) ask(ctx context.Context, j *pipeline.Judged, d *desk.Desk) error {
	ev, v := j.Verdict.Event, j.Verdict
	began, err := p.ConfigFor(ev)
	if err != nil {
		return err
	}
	q := &desk.Question{Hook: decider(v), Reason: v.Reason, Policy: j.Set.Digest, User: approvals.UserOf(ev),
		Still: func() string { return p.changed(ev, began.Set.Digest) }}
	a, err := d.Resolve(ctx, ev, q)
	if err != nil {
		return err
	}
	if a.Decision == trammel.Allow && a.Approval != "" {
		if a.Decision, a.Reason = p.edited(ctx, ev, &a); a.Decision < trammel.Deny {
			err = d.Commit(ctx, ev, &a, q)
		}
	}
	v.Decision, v.Reason, v.Granted = a.Decision, a.Reason, false
	v.Context = append(v.Context, a.Context...)
	v.Diagnostics = append(v.Diagnostics, a.Diagnostics...)
	v.Findings = append(v.Findings, a.Findings...)
	if a.Input != nil {
		v.Input = a.Input // all arguments, as edited by the person
	}
	return err
}

// edited puts a person's edit into the event and has the guards judge it, because
// they apply to people, too.
func (p *Program) edited(ctx context.Context, ev *trammel.Event, a *trammel.Answer) (trammel.Decision, string) {
	if a.Input == nil {
		return trammel.Allow, ""
	}
	tool := *ev.Tool
	tool.Input, tool.Action = a.Input, trammel.Action{}
	ev.Tool = &tool
	again := *ev
	j, err := p.Rehearse(ctx, &again, []string{ev.Session.Project, ev.Session.Dir})
	switch {
	case err != nil:
		return trammel.Deny, err.Error()
	case j.Verdict.Decision == trammel.Deny:
		return trammel.Deny, j.Verdict.Reason
	}
	return trammel.Allow, ""
}

// EventOf returns the call of an approval as it was when people were asked.
func (p *Program) EventOf(a *store.Approval) (*trammel.Event, error) {
	var tools trammel.Shapes
	if d, ok := p.Dialects.Host(a.Host); ok {
		tools = dialects.ShapesFor(d, a.Tool)
	}
	return approvals.EventOf(a, tools)
}

// CallPattern says which calls are similar to that of an approval.
func (p *Program) CallPattern(a *store.Approval) (approvals.CallPattern, error) {
	ev, err := p.EventOf(a)
	if err != nil {
		return approvals.CallPattern{}, err
	}
	return approvals.PatternOf(ev)
}

// Edit returns an approver's edit of a call. If a guard denies the edited call,
// the edit is refused: guards apply to people, too. They judge it again when the
// call runs.
func (p *Program) Edit(ctx context.Context, a *store.Approval, args []byte) (*store.Edit, error) {
	e, err := approvals.NewEdit(a, args)
	if err != nil {
		return nil, err
	}
	changed := *a
	changed.Args = e.Args
	ev, err := p.EventOf(&changed)
	if err != nil {
		return nil, err
	}
	j, err := p.Rehearse(ctx, ev, []string{a.Project, a.Dir})
	if err != nil {
		return nil, err
	}
	for i := range j.Verdict.Runs {
		if r := &j.Verdict.Runs[i]; r.Answer.Decision > trammel.None {
			e.Answers = append(e.Answers, fmt.Sprintf("%s: %s %s", r.Hook.ID, r.Answer.Decision, r.Answer.Reason))
		}
	}
	if j.Verdict.Decision == trammel.Deny {
		return nil, &approvals.Refusal{Code: approvals.RefusedGuard, Detail: "a guard denies the edited call: " + j.Verdict.Reason}
	}
	return e, nil
}

func (p *Program) changed(ev *trammel.Event, digest string) string {
	c, err := p.ConfigFor(ev)
	switch {
	case err != nil:
		return fmt.Sprintf("the policy can no longer be read: %v", err)
	case c.Set.Digest != digest:
		return "the policy has changed"
	}
	return ""
}

// decider returns the hook that asks.
func decider(v *trammel.Verdict) string {
	for i := range v.Runs {
		if r := &v.Runs[i]; r.Code == "" && r.Answer.Decision == trammel.Ask {
			return r.Hook.ID
		}
	}
	return ""
}
