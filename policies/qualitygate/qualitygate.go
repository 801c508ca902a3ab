// Package qualitygate is the policy quality-gate: after a file was written, the
// formatter that its project has chosen looks at it (FLOW-31). It never blocks
// and never downloads anything.
package qualitygate

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/flow"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("quality-gate", trammel.Contextual,
		"has the project's own formatter check each file that was written, and tells the agent",
		Options{Timeout: option.Duration(15 * time.Second), Environment: true}, build, trammel.PostToolUse)
}

// Options are the policy's options.
type Options struct {
	Fix         *bool           `json:"fix,omitempty" jsonschema:"Whether files are formatted and not only checked; without it SA_QUALITY_GATE_FIX decides, else they are checked."`
	Strict      *bool           `json:"strict,omitempty" jsonschema:"Whether findings are reported to the agent; without it SA_QUALITY_GATE_STRICT decides, else it is only on record."`
	Timeout     option.Duration `json:"timeout,omitempty" jsonschema:"How long one formatter may take."`
	Environment bool            `json:"environment,omitempty" jsonschema:"Whether variables of the environment may decide what is not set here."`
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	return &policy{o, spec.State}, nil
}

type policy struct {
	Options
	state trammel.State
}

// Waits: formatters are programs.
func (*policy) Waits() bool { return true }

// maxFiles bounds how many files of one call are looked at.
const maxFiles = 20

func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil || ev.Tool.Failed || !writes(&ev.Tool.Action) {
		return trammel.Answer{}, nil
	}
	paths := ev.Tool.Action.Paths
	var a trammel.Answer
	var lines []string
	fix, strict := p.setting(ev, p.Fix, "SA_QUALITY_GATE_FIX", false), p.setting(ev, p.Strict, "SA_QUALITY_GATE_STRICT", false)
	for _, path := range paths[:min(len(paths), maxFiles)] {
		path = absolute(ev, path)
		if fi, err := world.Stat(world.Of(ev), path); err != nil || !fi.Mode().IsRegular() {
			continue
		}
		f, ok := formatterFor(path)
		if !ok {
			continue
		}
		code, detail := f.run(ctx, path, fix, time.Duration(p.Timeout))
		said := flow.Remember(p.state, ev, flow.Session{Dir: path}, "quality", "file")
		if code == "" {
			said.Forget(ctx)
			continue
		}
		a.Findings = append(a.Findings, trammel.Finding{Code: code, Severity: severity(code), Target: path})
		line := sentence(code, f.name, flow.Clean(path), detail)
		if strict && said.Changed(ctx, line) {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		a.Context = []string{strings.Join(lines, "\n")}
		a.Notice = a.Context[0]
	}
	return a, nil
}

func writes(a *trammel.Action) bool {
	return len(a.Paths) > 0 && (a.Is(trammel.WriteAction) || a.Is(trammel.EditAction))
}

// absolute makes a path absolute, relative to the session's directory, never to
// ours.
func absolute(ev *trammel.Event, path string) string {
	switch {
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	case filepath.IsAbs(ev.Tool.Action.Dir):
		return filepath.Join(ev.Tool.Action.Dir, path)
	}
	return filepath.Join(ev.Session.Dir, path)
}

func (p *policy) setting(ev *trammel.Event, option *bool, variable string, otherwise bool) bool {
	if option != nil {
		return *option
	}
	if p.Environment {
		switch strings.ToLower(strings.TrimSpace(world.Getenv(ev)(variable))) {
		case "true", "1":
			return true
		case "false", "0":
			return false
		}
	}
	return otherwise
}
