package strength

import (
	"context"
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel/policytest"
)

// Mutation is which changes of the rules their tests notice.
type Mutation struct {
	Share              // of the changes that a test notices
	Survivors []Mutant `json:"survivors"`
}

// Mutant is a change of a rule that no test notices.
type Mutant struct {
	Hook   string `json:"hook"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Kind   Kind   `json:"kind"`
	Change string `json:"change"` // in words
	Wanted string `json:"wanted"` // by which call it would show
	Test   string `json:"test"`   // a case to finish, for the list of tests
}

// Mutate tries every change against the tests, of which all must have passed in Run.
// progress, if it is not nil, is called with the number that are done.
func (p *Project) Mutate(ctx context.Context, progress func(done, total int)) (*Mutation, error) {
	var all [][]mutant
	total, done := 0, 0
	for _, h := range p.hooks {
		list, err := h.mutants()
		if err != nil {
			return nil, fmt.Errorf("hook %q: %w", h.text.ID, err)
		}
		all, total = append(all, list), total+len(list)
	}
	out := &Mutation{Survivors: []Mutant{}}
	for i, h := range p.hooks {
		order := h.cases()
		for _, m := range all[i] {
			noticed, err := p.noticed(ctx, h, &m, order)
			if err != nil {
				return nil, err
			}
			if out.add(noticed); !noticed {
				test, err := h.stub(&m)
				if err != nil {
					return nil, err
				}
				out.Survivors = append(out.Survivors, Mutant{Hook: h.text.ID, File: h.text.Source.File, Line: m.line, Kind: m.kind,
					Change: m.change, Wanted: m.wanted, Test: test})
			}
			if done++; progress != nil {
				progress(done, total)
			}
		}
	}
	out.finish()
	return out, nil
}

// cases are those that a change of the hook can show in, by place: first those in which
// it says something.
func (h *hook) cases() [][]*testCase {
	var out [][]*testCase
	for _, m := range h.in {
		var first, second, rest []*testCase
		for _, c := range m.cases {
			switch {
			case slices.Contains(h.fired, c):
				first = append(first, c)
			case slices.Contains(h.matched, c):
				second = append(second, c)
			case slices.Contains(h.plan.On, c.kind):
				rest = append(rest, c)
			}
		}
		out = append(out, slices.Concat(first, second, rest))
	}
	return out
}

// noticed reports whether a test fails because of a change.
func (p *Project) noticed(ctx context.Context, h *hook, m *mutant, cases [][]*testCase) (bool, error) {
	for i, at := range h.in {
		changed, err := at.variants.With(at.number, m.hook)
		if err != nil {
			return false, err
		}
		runner := policytest.Runner{Program: &p.program.Program, Config: &changed}
		for _, c := range cases[i] {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			if r := runner.Run(ctx, c.file, &c.Case); !r.Passed() {
				return true, nil
			}
		}
	}
	return false, nil
}
