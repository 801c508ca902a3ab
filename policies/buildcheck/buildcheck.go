// Package buildcheck is the policy build-check: when a session ends, it builds
// the components that the session changed and writes a report for people (AIC-65,
// the recipe session_stop_build_check). It is too late to change anything, so it
// decides nothing.
package buildcheck

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/changed"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("build-check", trammel.Observe,
		"builds the components that a session has changed when it ends, and writes a summary for people",
		options{Timeout: option.Duration(2 * time.Minute), Most: 10}, build, trammel.SessionEnd)
}

type options struct {
	Summary string          `json:"summary,omitempty" jsonschema:"The file with the results of the checks, relative to the project; in the state directory, one per project, if it is not set."`
	Timeout option.Duration `json:"timeout,omitempty" jsonschema:"How long one check may take."`
	Most    int             `json:"most,omitempty" jsonschema:"How many components are checked at most."`
}

func build(o options, spec trammel.Spec) (trammel.Handler, error) {
	p := &policy{o, spec.Dirs}
	if p.Timeout <= 0 {
		return nil, &option.Error{Key: "timeout", Message: "a check needs some time", Expected: "a duration such as 2m"}
	}
	return p, option.Between("most", o.Most, 1, 100)
}

type policy struct {
	options
	dirs trammel.Dirs
}

// Waits returns true: it runs builds.
func (p *policy) Waits() bool { return true }

// Handle checks the changed components, one after another, as long as there is time.
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	root := ev.Session.Place()
	if ev.Kind != trammel.SessionEnd || root == "" {
		return trammel.Answer{}, nil
	}
	components, more := componentsOf(root, changed.Files(ev), p.Most)
	if len(components) == 0 {
		return trammel.Answer{}, nil
	}
	s := &summary{session: ev.Session.ID, at: ev.Now(), more: more}
	for _, c := range components {
		for _, check := range c.checks {
			s.results = append(s.results, p.run(ctx, root, c.dir, check))
		}
	}
	path, err := state.ProjectFile(p.dirs, ev, p.Summary, "builds", "build_check.json")
	if err != nil {
		return trammel.Answer{}, err
	}
	// Write the results even if the time for the checks is up.
	err = state.UpdateFile(context.WithoutCancel(ctx), path, func([]byte) ([]byte, error) { return s.append(nil), nil })
	return s.answer(path), err
}

// summary has the results of the checks.
type summary struct {
	session string
	at      time.Time
	results []result
	more    int // components above the limit
}

func (s *summary) answer(path string) trammel.Answer {
	a := trammel.Answer{}
	var failed []string
	for _, r := range s.results {
		a.Diagnostics = append(a.Diagnostics, fmt.Sprintf("%s: %s: %s", r.dir, strings.Join(r.check, " "), r.status))
		if r.status == failedStatus || r.status == timeoutStatus {
			failed = append(failed, fmt.Sprintf("%s in %s (%s)", strings.Join(r.check, " "), r.dir, r.status))
			a.Findings = append(a.Findings, trammel.Finding{Code: "build_" + r.status, Severity: "error", Target: r.dir})
		}
	}
	if len(failed) > 0 {
		a.Notice = fmt.Sprintf("The build check found %d of %d checks failing: %s. See %s.", len(failed), len(s.results),
			strings.Join(failed, "; "), path)
	}
	return a
}
