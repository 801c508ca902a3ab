// Package evidencecapture is the policy evidence-capture: every command that an
// agent runs for a Flow Agents task is appended to the task's command-log.jsonl,
// chained, so that claims can be checked against it (FLOW-34). It also tells other
// agents that this one is still working. It only observes.
package evidencecapture

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/flow"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("evidence-capture", trammel.Observe,
		"records the commands that were really run in the Flow Agents task's command-log.jsonl",
		option.None{}, build, trammel.PostToolUse, trammel.PostToolFailure, trammel.SessionEnd)
}

func build(_ option.None, spec trammel.Spec) (trammel.Handler, error) {
	return capture{spec.Dirs.State}, nil
}

type capture struct{ state string }

// Waits: git is asked whether anything was changed.
func (capture) Waits() bool { return true }

func (c capture) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	getenv := world.Getenv(ev)
	s, ok := flow.Open(ev).Session(ev, getenv)
	if !ok || !s.Has(flow.StateFile) {
		return trammel.Answer{}, nil
	}
	var answer trammel.Answer
	if !ev.Rehearsal {
		if err := s.Beat(ctx, c.state, ev.Now(), ev.Kind == trammel.SessionEnd, getenv); err != nil {
			answer.Diagnostics = []string{"other agents are not told that this one is at work: " + err.Error()}
		}
	}
	if ev.Tool == nil || !ev.Tool.Action.Is(trammel.ShellAction) || ev.Tool.Action.Command == "" {
		return answer, nil
	}
	safe, _ := secret.Redact(ev.Tool.Action.Command)
	result, code := outcome(ev)
	rec := map[string]any{
		"command":            flow.Command(safe),
		"observedResult":     string(result),
		"exitCode":           nil,
		"observed_at_commit": nil,
		"worktree_clean":     unchanged(ctx, s.Root),
		"capturedAt":         ev.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		"source":             "postToolUse-capture",
	}
	if code != nil {
		rec["exitCode"] = *code
	}
	if head := flow.Head(s.Root); head != "" {
		rec["observed_at_commit"] = head
	}
	severity := "info"
	if result == flow.Failed {
		severity = "warning"
	}
	answer.Findings = []trammel.Finding{{Code: "command_" + string(result), Severity: severity, Target: s.Slug}}
	if ev.Rehearsal {
		answer.Diagnostics = []string{"would record the command for " + s.Slug}
		return answer, nil
	}
	if err := s.Append(ctx, c.state, rec); err != nil {
		return trammel.Answer{}, fmt.Errorf("recording the command: %w", err)
	}
	return answer, nil
}
