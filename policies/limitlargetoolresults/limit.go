// Package limitlargetoolresults is the policy limit_large_tool_results,
// docker-agent's built-in of that name (DA-50): of a result that is too large
// in bytes or in lines the model gets the end, or of a file the beginning and
// where to go on, and the whole is kept in a file.
package limitlargetoolresults

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// Options configure the policy.
type Options struct {
	Bytes option.Size `json:"bytes,omitempty" jsonschema:"How large a result may be; the model gets no more, the remark about the rest included."`
	Lines int         `json:"lines,omitempty" jsonschema:"How many lines a result may have; the model gets no more, the remark about the rest included."`
	Store option.Size `json:"store,omitempty" jsonschema:"How much of a session's full results is kept; the oldest are removed first."`
}

// Policy declares it.
func Policy() trammel.Policy {
	return option.Policy("limit_large_tool_results", trammel.Rewrite,
		"gives the model the end of very large tool results, keeps the whole in a file and names it",
		Options{Bytes: 50 << 10, Lines: 2000, Store: 256 << 20}, build,
		trammel.ToolResponseTransform, trammel.PostToolUse, trammel.SessionEnd)
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	l := &limiter{o, spec.Dirs}
	if l.Bytes < 4<<10 || l.Lines < 10 {
		return nil, &option.Error{Message: fmt.Sprintf("found %d bytes and %d lines", l.Bytes, l.Lines), Expected: "4KiB and 10 lines at least"}
	}
	return l, nil
}

type limiter struct {
	Options
	dirs trammel.Dirs
}

// Handle limits a result, or cleans up behind a session.
func (l *limiter) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	switch {
	case ev.Kind == trammel.SessionEnd:
		return trammel.Answer{}, l.store(ev).Remove(ctx)
	case ev.Tool == nil || !ev.Kind.Can().Any(trammel.RewriteOutput):
		return trammel.Answer{}, nil
	}
	text := ev.Tool.Output
	if l.fits(text) {
		return trammel.Answer{}, nil
	}
	path, err := l.store(ev).Keep(ctx, text)
	if err != nil {
		return trammel.Answer{
			Notice: fmt.Sprintf("The result of %s has %d bytes and was not limited, because the whole could not be kept: %v", ev.Tool.Name,
				len(text), err),
			Findings: []trammel.Finding{{Code: "result_not_kept", Severity: "warning", Target: ev.Tool.Name}},
		}, nil
	}
	short := l.tail(text, path)
	if a := &ev.Tool.Action; a.Kind == trammel.ReadAction && a.Command == "" {
		short = l.head(text, path, firstLine(ev.Tool.Input))
	}
	return trammel.Answer{Output: &short, Findings: []trammel.Finding{{Code: "result_limited", Severity: "info", Target: path}}}, nil
}

func (l *limiter) store(ev *trammel.Event) *state.Outputs {
	return state.OutputsOf(l.dirs, ev, "limited", int64(l.Store))
}
