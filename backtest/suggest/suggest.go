// Package suggest finds questions that people always answer with yes, and words
// exceptions for exactly the calls that they were about (TEAM-24). It writes
// nothing.
package suggest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/backtest"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// Options say what is looked at.
type Options struct {
	Dirs  layers.Dirs
	Log   string      // the directory of the evidence
	Set   *layers.Set // the configuration that holds
	Since time.Time   // approvals count from here on, refusals always
	Min   int         // how many approvals it takes
	Now   time.Time
}

// Lasts is how long a suggested exception holds.
const Lasts = 30 * 24 * time.Hour

// Report is what was found.
type Report struct {
	Project     string           `json:"project"`
	Suggestions []*Suggestion    `json:"suggestions"`
	HeldBack    []HeldBack       `json:"held_back"`
	Exceptions  string           `json:"exceptions_yaml,omitempty"`
	Tests       string           `json:"tests_yaml,omitempty"`
	Backtest    *backtest.Report `json:"backtest,omitempty"` // with the exceptions, as if there were no others
}

// Suggestion is one exception.
type Suggestion struct {
	Hook     string    `json:"hook"`
	Call     string    `json:"call"` // the command, or the tool and the file
	Approved int       `json:"approved"`
	Sessions int       `json:"sessions"`
	First    time.Time `json:"first"`
	Last     time.Time `json:"last"`
	Records  []string  `json:"records"` // the last five
	form
	sessions map[string]bool
}

// HeldBack is what was approved often enough, and is not suggested all the same.
type HeldBack struct {
	Hook     string `json:"hook"`
	Call     string `json:"call"`
	Approved int    `json:"approved"`
	Code     Code   `json:"code"`
}

// Code is why something is not suggested.
type Code string

// The codes.
const (
	Refused     Code = "refused"      // not every question was answered with yes
	Severe      Code = "severe"       // a finding is more than a warning
	Protected   Code = "protected"    // it is about secrets, or about Trammel itself
	NotExact    Code = "not_exact"    // no exception would cover only this call
	NotInForce  Code = "not_in_force" // the hook is no longer there, or only on trial
	NotExcepted Code = "not_excepted" // the user's file cannot make an exception for the hook
	NoEffect    Code = "no_effect"    // the call would be stopped all the same
)

// Run looks through a log.
func Run(ctx context.Context, o Options) (*Report, error) {
	program, _ := full.Replaying(o.Dirs)
	replay, config, err := program.ReplayUnder(o.Set)
	if err != nil {
		return nil, err
	}
	hooks, err := config.Plan.All()
	if err != nil {
		return nil, err
	}
	f := &finder{Options: o, replay: replay, hooks: map[string]*plan.Hook{}, open: map[string]*question{}, found: map[string]*candidate{}}
	for i := range hooks {
		f.hooks[hooks[i].ID] = &hooks[i]
	}
	err = evidence.Map(o.Log, evidence.Filter{}, readRecord, func(r *record) error {
		if r != nil {
			f.add(r)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	report := &Report{Project: o.Set.Root, Suggestions: []*Suggestion{}, HeldBack: []HeldBack{}}
	for _, q := range f.open {
		f.settle(q, no)
	}
	for _, key := range slices.Sorted(maps.Keys(f.found)) {
		f.found[key].into(report, o.Min)
	}
	slices.SortStableFunc(report.Suggestions, func(a, b *Suggestion) int {
		return cmp.Or(b.Approved-a.Approved, cmp.Compare(a.Hook, b.Hook), cmp.Compare(a.Call, b.Call))
	})
	return report, report.prove(ctx, &o, program, config)
}

// prove judges what is suggested: an exception that does not let its calls pass, or
// lets another one pass, is held back.
func (r *Report) prove(ctx context.Context, o *Options, program *full.Program, before pipeline.Config) error {
	j := judge{program: program, root: o.Set.Root, before: before}
	var kept []*Suggestion
	var tests []byte
	for _, s := range r.Suggestions {
		after, code, err := j.with(o, s)
		if err != nil {
			return err
		}
		var text []byte
		if code == "" {
			text, code, err = j.tests(ctx, s, after)
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", s.Hook, s.Call, err)
		}
		if code != "" {
			r.HeldBack = append(r.HeldBack, HeldBack{s.Hook, s.Call, s.Approved, code})
			continue
		}
		kept, tests = append(kept, s), append(tests, text...)
	}
	if r.Suggestions = kept; len(kept) == 0 {
		r.Suggestions = []*Suggestion{}
		return nil
	}
	r.Exceptions, r.Tests = yamlOf(o.Now, kept), "tests:\n"+string(tests)
	since := o.Since
	if oldest := o.Now.Add(Lasts - 89*24*time.Hour); since.Before(oldest) {
		since = oldest // the exception would not have held longer ago
	}
	var err error
	r.Backtest, err = backtest.Run(ctx, backtest.Options{Dirs: o.Dirs, Log: o.Log, Set: with(o, kept), Since: since})
	return err
}
