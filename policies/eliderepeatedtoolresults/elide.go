// Package eliderepeatedtoolresults is the policy elide_repeated_tool_results,
// docker-agent's built-in of that name (DA-50): a tool that only reads, called
// again with the same arguments and with byte for byte the same result, gives
// the model one line instead of the result that it has seen already.
//
// It is never stale: the tool always runs, and its current result is compared.
package eliderepeatedtoolresults

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("elide_repeated_tool_results", trammel.Rewrite,
		"replaces the result of a repeated read with one line when nothing has changed", option.None{}, build,
		trammel.ToolResponseTransform, trammel.PostToolUse, trammel.SessionStart, trammel.SessionEnd, trammel.PreCompact,
		trammel.BeforeCompaction, trammel.PostCompact)
}

// worth is the minimum length of a result to remember. It is longer than the text
// that replaces one.
const worth = 512

func build(_ option.None, spec trammel.Spec) (trammel.Handler, error) {
	return handler{spec.State}, nil
}

type handler struct{ state trammel.State }

// Handle replaces a result that the model already has.
func (h handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Session.ID == "" { // sessions do not see each other's results
		return trammel.Answer{}, nil
	}
	switch ev.Kind {
	case trammel.SessionStart, trammel.SessionEnd, trammel.PreCompact, trammel.BeforeCompaction, trammel.PostCompact:
		// The model no longer has the earlier results, or soon will not.
		return trammel.Answer{}, h.store(ev).Remove(ctx, key(ev))
	}
	t := ev.Tool
	if t == nil || t.Failed || len(t.Output) < worth || !ev.Kind.Can().Any(trammel.RewriteOutput) || !onlyReads(&t.Action) {
		return trammel.Answer{}, nil
	}
	r, err := recordOf(ev)
	if err != nil {
		return trammel.Answer{}, err
	}
	repeated, err := h.remember(ctx, ev, r)
	if err != nil || !repeated {
		return trammel.Answer{}, err
	}
	mark := fmt.Sprintf("[Nothing has changed: this call of %.100s gave the same %d bytes as when you last made it, earlier in this session. "+
		"See there.]", t.Name, len(t.Output))
	return trammel.Answer{Output: &mark, Findings: []trammel.Finding{{Code: "result_repeated", Severity: "info", Target: t.Name}}}, nil
}

// onlyReads reports whether a call is known to change nothing. Tools of servers
// and unknown ones are not.
func onlyReads(a *trammel.Action) bool {
	return (a.Kind == trammel.ReadAction || a.Kind == trammel.SearchAction) && len(a.Also) == 0 && a.Command == ""
}
