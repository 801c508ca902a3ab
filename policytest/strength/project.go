// Package strength measures tests of rules: which parts of the rules they reach, and
// which changes of the rules they notice.
package strength

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
	"github.com/trammel-dev/trammel/policytest"
)

// Project is test files, and the hooks that they are for: those that the project's files
// declare or, where there are none, those of the user and the machine. Presets and
// bundles are tested where they are made.
type Project struct {
	// Idle are hooks that do not count: they are not in force, because their file is not trusted.
	Idle []config.Written

	program *full.Program
	rules   *policytest.Rules
	places  []*place
	hooks   []*hook
}

// place is a directory with tests, and the configuration that holds there.
type place struct {
	config   pipeline.Config
	variants *full.Variants
	cases    []*testCase
}

type testCase struct {
	policytest.Case
	file string
	kind trammel.Kind // known once it was run
}

// hook is one that the tests are for.
type hook struct {
	text config.Written
	plan plan.Hook
	in   []member
	tally
}

// member is the place of a hook in one configuration.
type member struct {
	*place
	number int
}

// ErrNoHooks is returned for tests of nothing.
var ErrNoHooks = errors.New("no hook is in force where the tests are, so there is nothing to measure")

// Open reads test files, and finds what holds where they are.
func Open(rules *policytest.Rules, files []string) (*Project, error) {
	out := &Project{program: rules.Program, rules: rules}
	byDir, byHook := map[string]*place{}, map[trammel.Source]*hook{}
	for _, file := range files {
		cases, err := policytest.Read(file)
		if err != nil {
			return nil, err
		}
		dir, err := filepath.Abs(filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		if byDir[dir] == nil {
			if byDir[dir], err = out.open(dir, byHook); err != nil {
				return nil, err
			}
		}
		for i := range cases {
			byDir[dir].cases = append(byDir[dir].cases, &testCase{Case: cases[i], file: file})
		}
	}
	if slices.ContainsFunc(out.hooks, (*hook).ofProject) {
		out.hooks = slices.DeleteFunc(out.hooks, func(h *hook) bool { return !h.ofProject() })
	}
	if len(out.hooks) == 0 {
		return nil, out.empty()
	}
	slices.SortStableFunc(out.hooks, func(a, b *hook) int {
		return cmp.Or(cmp.Compare(a.text.Source.File, b.text.Source.File), a.text.Source.Line-b.text.Source.Line)
	})
	return out, nil
}

// empty says why there is nothing to measure.
func (p *Project) empty() error {
	if len(p.Idle) == 0 {
		return ErrNoHooks
	}
	w := &p.Idle[0]
	return fmt.Errorf("%w: hook %q (%s) is not: %s", ErrNoHooks, w.ID, w.Source, w.Why)
}

func (h *hook) ofProject() bool { return h.text.Source.Layer == layers.Project.String() }

// open finds the configuration of a directory, and the hooks in it.
func (p *Project) open(dir string, known map[trammel.Source]*hook) (*place, error) {
	c, err := p.rules.In(dir)
	if err != nil {
		return nil, err
	}
	written, err := config.WrittenIn(c.Set, full.Registry{Registry: p.program.Registry, Dialects: p.program.Dialects})
	if err != nil {
		return nil, err
	}
	out := &place{}
	if out.variants, err = p.program.Variants(*c); err != nil {
		return nil, err
	}
	if out.config, err = out.variants.Asking(); err != nil {
		return nil, err
	}
	p.places = append(p.places, out)
	for _, w := range written {
		if (w.Status == config.Untrusted || w.Status == config.Broken) && known[w.Source] == nil {
			known[w.Source] = &hook{}
			p.Idle = append(p.Idle, w)
		}
		i := slices.IndexFunc(out.variants.Hooks, func(h plan.Hook) bool { return h.ID == w.ID && h.Source == w.Source })
		if i < 0 {
			continue
		}
		h := known[w.Source]
		if h == nil {
			h = &hook{text: w, plan: out.variants.Hooks[i]}
			if err := h.prepare(); err != nil {
				return nil, err
			}
			known[w.Source] = h
			p.hooks = append(p.hooks, h)
		}
		h.in = append(h.in, member{out, i})
	}
	return out, nil
}

// Run runs all cases, and counts what they reach.
func (p *Project) Run(ctx context.Context) []policytest.Result {
	p.program.Witness = p.asked
	defer func() { p.program.Witness = nil }()
	results := []policytest.Result{}
	for _, at := range p.places {
		for _, c := range at.cases {
			runner := policytest.Runner{Program: &p.program.Program, Config: &at.config, Judged: func(_ *policytest.Case, j *pipeline.Judged) {
				c.kind = j.Event.Kind
				p.judged(at, c, j)
			}}
			results = append(results, runner.Run(ctx, c.file, &c.Case))
		}
	}
	return results
}

// isIn reports whether the hook is in force in a place.
func (h *hook) isIn(at *place) bool {
	return slices.ContainsFunc(h.in, func(m member) bool { return m.place == at })
}
