// Package workflowsteering is the policy workflow-steering: an agent that works
// on a task of Flow Agents is told where it stands when a session starts, and
// again when that has changed (FLOW-30). It never blocks.
package workflowsteering

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/flow"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("workflow-steering", trammel.Contextual,
		"tells the agent where its Flow Agents task stands, once and again when that changes",
		Options{ContextMap: "docs/context-map.md"}, build, trammel.SessionStart, trammel.UserPromptSubmit, trammel.PostToolUse)
}

// Options are the policy's options.
type Options struct {
	ContextMap string `json:"context_map,omitempty" jsonschema:"The file, from the project's root, that is pointed out when a session starts if it is there; empty for none."`
}

type policy struct {
	Options
	state trammel.State
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	return &policy{o, spec.State}, nil
}

func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	switch {
	case ev.Outcome != nil && ev.Outcome.Decision == trammel.Deny:
		return trammel.Answer{}, nil // the host cannot pass it on
	case ev.Kind == trammel.SessionStart:
	case ev.Kind == trammel.UserPromptSubmit && (ev.Prompt == nil || !ev.Prompt.Synthetic):
	case ev.Kind == trammel.PostToolUse && ev.Tool != nil && ev.Tool.Action.Is(trammel.AgentAction):
	default:
		return trammel.Answer{}, nil
	}
	w := flow.Open(ev)
	a := p.steer(ctx, ev, w)
	if ev.Kind == trammel.UserPromptSubmit && ev.Prompt != nil && w.Root != "" {
		p.route(ctx, ev, w, &a)
	}
	if ev.Kind == trammel.SessionStart && p.ContextMap != "" && filepath.IsLocal(p.ContextMap) && w.Root != "" {
		if fi, err := world.Stat(world.Of(ev), filepath.Join(w.Root, p.ContextMap)); err == nil && fi.Mode().IsRegular() {
			a.Context = append(a.Context, "CONTEXT MAP: "+p.ContextMap+
				" describes the structure of this repository. Read it before you look for something.")
		}
	}
	return a, nil
}

// steer says where the task stands, unless the agent has been told already.
func (p *policy) steer(ctx context.Context, ev *trammel.Event, w flow.Workspace) trammel.Answer {
	s, ok := w.Session(ev, world.Getenv(ev))
	if !ok {
		return trammel.Answer{}
	}
	state, err := s.State()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return trammel.Answer{}
	case err != nil:
		return trammel.Answer{Diagnostics: []string{err.Error()},
			Findings: []trammel.Finding{{Code: "sidecar_invalid", Severity: "warning", Target: filepath.Join(s.Dir, flow.StateFile)}}}
	}
	stands := describe(s, state) + others(s, ev.Now())
	known := flow.Remember(p.state, ev, s, "steering", "state")
	if ev.Kind == trammel.SessionStart {
		known.Forget(ctx)
	}
	if state.Ended() || !known.Changed(ctx, stands) {
		return trammel.Answer{}
	}
	a := trammel.Answer{Context: []string{lead(ev.Kind, state) + "\n" + stands}}
	code, severity := "workflow_active", "info"
	if state.Unresolved() {
		code, severity = "workflow_unresolved", "warning"
	}
	a.Findings = []trammel.Finding{{Code: code, Severity: severity, Target: s.Slug}}
	return a
}

// route suggests a kit's workflow that fits the prompt, but not twice in a row.
func (p *policy) route(ctx context.Context, ev *trammel.Event, w flow.Workspace, a *trammel.Answer) {
	said := routes(w, ev.Prompt.Text)
	if said == "" || !flow.Remember(p.state, ev, flow.Session{Dir: w.Root}, "steering", "route").Changed(ctx, said) {
		return
	}
	a.Context = append(a.Context, said)
	a.Findings = append(a.Findings, trammel.Finding{Code: "kit_route", Severity: "info", Target: w.Root})
}
