// Package truncateoutput is the policy truncate-output (FIM-42): the model gets
// a part of an output that is too long, and is told in which file the whole is.
// Nothing is lost: an output that cannot be kept is not cut.
package truncateoutput

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// Options configure the policy.
type Options struct {
	Characters int         `json:"characters,omitempty" jsonschema:"How many characters of an output the model gets at most, the remark about the rest included."`
	Part       string      `json:"part,omitempty" enum:"head,tail,both" jsonschema:"Which part of a longer output that is: its beginning, its end, or half of each."`
	Store      option.Size `json:"store,omitempty" jsonschema:"How much of a session's full outputs is kept; the oldest are removed first."`
}

// least is how short an output can be made: the remark needs its place.
const least = 1000

// Policy declares it.
func Policy() trammel.Policy {
	return option.Policy("truncate-output", trammel.Rewrite, "shortens long tool output, keeps the whole in a file and names it",
		Options{Characters: 8000, Part: "head", Store: 256 << 20}, build,
		trammel.ToolResponseTransform, trammel.PostToolUse, trammel.SessionEnd)
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	t := &truncater{o, spec.Dirs}
	if t.Characters < least {
		return nil, &option.Error{Key: "characters", Message: fmt.Sprintf("found %d", t.Characters), Expected: fmt.Sprintf("%d or more", least)}
	}
	return t, nil
}

type truncater struct {
	Options
	dirs trammel.Dirs
}

// Handle shortens an output, or cleans up behind a session.
func (t *truncater) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	switch {
	case ev.Kind == trammel.SessionEnd:
		return trammel.Answer{}, t.store(ev).Remove(ctx)
	case ev.Tool == nil || !ev.Kind.Can().Any(trammel.RewriteOutput):
		return trammel.Answer{}, nil
	}
	size := characters(ev.Tool.Output, t.Characters)
	if size <= t.Characters {
		return trammel.Answer{}, nil
	}
	path, err := t.store(ev).Keep(ctx, ev.Tool.Output)
	if err != nil {
		return trammel.Answer{
			Notice: fmt.Sprintf("The output of %s has %d characters and was not shortened, because the whole could not be kept: %v",
				ev.Tool.Name, size, err),
			Findings: []trammel.Finding{{Code: "output_not_kept", Severity: "warning", Target: ev.Tool.Name}},
		}, nil
	}
	short := t.cut(ev.Tool.Output, size, path)
	return trammel.Answer{Output: &short, Findings: []trammel.Finding{{Code: "output_truncated", Severity: "info", Target: path}}}, nil
}

func (t *truncater) store(ev *trammel.Event) *state.Outputs {
	return state.OutputsOf(t.dirs, ev, "truncated", int64(t.Store))
}
