// Package usagetracker is the policy usage-tracker: how often each tool or
// ability is used, how often it fails and how long it takes, in
// ability_usage.json, with a log of the slow ones (AIC-65).
package usagetracker

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/summary"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("usage-tracker", trammel.Observe,
		"counts calls, failures and durations per tool in ability_usage.json, and logs slow calls",
		options{Slow: option.Duration(10 * time.Second)}, build, trammel.PostToolUse, trammel.PostToolFailure)
}

type options struct {
	Path    string          `json:"path,omitempty" jsonschema:"The file with the counts, relative to the project; in the state directory, one per project, if it is not set."`
	SlowLog string          `json:"slow_log,omitempty" jsonschema:"The file for slow calls, in the same way."`
	Slow    option.Duration `json:"slow,omitempty" jsonschema:"How long a call must take to count as slow; 0 is never."`
}

func build(o options, spec trammel.Spec) (trammel.Handler, error) { return &policy{o, spec.Dirs}, nil }

type policy struct {
	options
	dirs trammel.Dirs
}

// Handle counts the call.
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil || ev.Tool.Name == "" || ev.Kind != trammel.PostToolUse && ev.Kind != trammel.PostToolFailure {
		return trammel.Answer{}, nil
	}
	path, err := state.ProjectFile(p.dirs, ev, p.Path, "usage", "ability_usage.json")
	if err != nil {
		return trammel.Answer{}, err
	}
	if ev.Rehearsal {
		return trammel.Answer{Diagnostics: []string{"would count the call in " + path}}, nil
	}
	c := call{name: summary.Line(ev.Tool.Name), at: ev.Now(), took: max(ev.Tool.Duration, 0), failed: ev.Tool.Failed ||
		ev.Kind == trammel.PostToolFailure}
	c.slow = p.Slow > 0 && c.took >= time.Duration(p.Slow)
	err = state.UpdateFile(ctx, path, func(old []byte) ([]byte, error) {
		u, err := parse(old)
		if err != nil {
			return nil, err
		}
		u.add(&c)
		return u.append(nil), nil
	})
	if err == nil && c.slow {
		err = p.log(ctx, ev, &c)
	}
	if err != nil {
		return trammel.Answer{}, err
	}
	return trammel.Answer{Facts: map[string]any{"usage_recorded": true}}, nil
}

// log writes down a call that took long.
func (p *policy) log(ctx context.Context, ev *trammel.Event, c *call) error {
	path, err := state.ProjectFile(p.dirs, ev, p.SlowLog, "usage", "slow_abilities.log")
	if err != nil {
		return err
	}
	var w strict.Writer
	w.Open()
	w.Text("time", stamp(c.at))
	w.Text("ability", c.name)
	w.Number("duration_ms", c.took.Milliseconds())
	w.Text("session", ev.Session.ID)
	w.Text("agent", state.Agent(ev))
	w.Text("target", summary.Target(&ev.Tool.Action))
	w.Flag("failed", c.failed)
	w.Close()
	return state.Journal{Path: path, Size: 1 << 20, Keep: 1}.Append(ctx, w.Bytes())
}
