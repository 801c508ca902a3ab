// Package telemetry is the policy telemetry: it reports the events of a session to
// the channels of Flow Agents, without private content (FLOW-10 to FLOW-13).
package telemetry

import (
	"context"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/telemetry"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("telemetry", trammel.Observe,
		"reports events to the channels full and analytics, without what they must not show",
		options{Channels: []string{"full", "analytics"}, Full: telemetry.Full().Redact, Analytics: telemetry.Analytics().Redact,
			MaxSize: 50 << 20, Keep: 3}, build,
		telemetry.Kinds()...)
}

type options struct {
	Channels  []string    `json:"channels,omitempty" jsonschema:"Which channels are written." enum:"full,analytics"`
	Dir       string      `json:"dir,omitempty" jsonschema:"Where their files are; the folder telemetry of the state directory if it is not set."`
	Full      []string    `json:"full_redact,omitempty" jsonschema:"Fields that the channel full does not show."`
	Analytics []string    `json:"analytics_redact,omitempty" jsonschema:"Fields that the channel analytics does not show."`
	IgnoreEnv bool        `json:"ignore_environment,omitempty" jsonschema:"Whether the variables of Flow Agents change nothing."`
	MaxSize   option.Size `json:"max_size,omitempty" jsonschema:"How large a file may become before a new one is started."`
	Keep      int         `json:"keep,omitempty" jsonschema:"How many old files are kept."`
}

func build(o options, spec trammel.Spec) (trammel.Handler, error) {
	p := &policy{o, spec.Dirs}
	if err := telemetry.Check(p.Full); err != nil {
		return nil, &option.Error{Key: "full_redact", Message: err.Error()}
	}
	if err := telemetry.Check(p.Analytics); err != nil {
		return nil, &option.Error{Key: "analytics_redact", Message: err.Error()}
	}
	if p.Dir != "" && !filepath.IsAbs(p.Dir) {
		return nil, &option.Error{Key: "dir", Message: "found " + p.Dir, Expected: "an absolute path"}
	}
	return p, nil
}

type policy struct {
	options
	dirs trammel.Dirs
}

// Handle reports the event. Errors appear only in the evidence (FLOW-13).
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if telemetry.Canonical(ev.Kind) == "" {
		return trammel.Answer{}, nil
	}
	s, on := p.settings()
	if !on {
		return trammel.Answer{}, nil
	}
	if s.Dir == "" && p.dirs.State == "" {
		return trammel.Answer{Diagnostics: []string{"no dir is given, and there is no state directory"}}, nil
	}
	if s.Dir == "" {
		s.Dir = filepath.Join(p.dirs.State, "telemetry")
	}
	if ev.Rehearsal {
		return trammel.Answer{Diagnostics: []string{"would report it to the channels in " + s.Dir}}, nil
	}
	if err := telemetry.Emit(ctx, ev, s); err != nil {
		return trammel.Answer{Diagnostics: []string{err.Error()}}, nil
	}
	return trammel.Answer{}, nil
}

func (p *policy) settings() (s telemetry.Settings, on bool) {
	s = telemetry.Settings{Dir: p.Dir, Size: int64(p.MaxSize), Keep: p.Keep}
	for _, name := range p.Channels {
		redact := p.Full
		if name == "analytics" {
			redact = p.Analytics
		}
		s.Channels = append(s.Channels, telemetry.Channel{Name: name, Redact: redact})
	}
	return s, p.IgnoreEnv || s.Environment()
}
