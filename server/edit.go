package server

import (
	"context"
	"encoding/json"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/store"
)

// Edit makes an edit out of changed arguments, with what the guards say about
// them. One that a guard denies is refused: guards hold for people, too.
func (s *Server) Edit(ctx context.Context, a *store.Approval, args json.RawMessage) (*store.Edit, error) {
	edit, err := approvals.NewEdit(a, args)
	if err != nil {
		return nil, err
	}
	var tools trammel.Shapes
	if d, ok := s.Program.Dialects.Host(a.Host); ok {
		tools = dialects.ShapesOf(d)
	}
	changed := *a
	changed.Args = edit.Args
	ev, err := approvals.EventOf(&changed, tools)
	if err != nil {
		return nil, err
	}
	j, err := s.Program.Rehearse(ctx, ev, []string{a.Project, a.Dir})
	if err != nil {
		return nil, err
	}
	if j.Verdict.Decision == trammel.Deny {
		return nil, &approvals.Refusal{Code: approvals.RefusedGuard, Detail: "the edited call is denied: " + j.Verdict.Reason}
	}
	for i := range j.Verdict.Runs {
		if r := &j.Verdict.Runs[i]; r.Answer.Decision != trammel.None {
			edit.Answers = append(edit.Answers, r.Hook.ID+": "+r.Answer.Decision.String()+" "+r.Answer.Reason)
		}
	}
	return edit, nil
}
