package evidencecmd

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
)

// tally is how often a hook did something, or would have on trial.
type tally struct {
	Project string    `json:"project,omitempty"` // where there are several
	Hook    string    `json:"hook"`
	Did     string    `json:"did"`
	Trial   bool      `json:"trial,omitempty"`
	Times   int       `json:"times"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	Example string    `json:"example,omitempty"`
	Seq     uint64    `json:"seq"` // of the last
}

func counts(s *cli.Evidence) *cobra.Command {
	cmd := &cobra.Command{Use: "report"}
	asJSON := cli.JSONFlag(cmd)
	return everywhere(cmd, s, func(f evidence.Filter, logs []*cli.Evidence, all bool) error {
		rows := []tally{}
		var wrong []error
		for _, one := range logs {
			list, err := tallies(one.Log, f)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %w", one.Project, err))
			}
			for i := range list {
				if all {
					list[i].Project = one.Project
				}
			}
			rows = append(rows, list...)
		}
		if *asJSON {
			return errors.Join(append(wrong, cli.JSON(cmd.OutOrStdout(), rows))...)
		}
		if len(rows) == 0 && len(wrong) == 0 {
			what := s.Project
			if all {
				what = "any project"
			}
			fmt.Fprintf(cmd.OutOrStdout(), "no records of %s match\n", what)
			return nil
		}
		heading := []string{"HOOK", "OUTCOME", "TIMES", "FIRST", "LAST", "LAST ONE"}
		if all {
			heading = append([]string{"PROJECT"}, heading...)
		}
		out := cli.NewColumns(cmd.OutOrStdout(), heading...)
		for _, t := range rows {
			did, form := t.Did, "01-02 15:04:05"
			if t.Trial {
				did = "would " + did
			}
			cells := []string{t.Hook, did, fmt.Sprint(t.Times), t.First.Local().Format(form), t.Last.Local().Format(form),
				fmt.Sprintf("%d: %s", t.Seq, cli.Line(t.Example))}
			if all {
				cells = append([]string{cli.Line(t.Project)}, cells...)
			}
			out.Add(cells)
		}
		return errors.Join(append(wrong, out.Flush())...)
	})
}

// tallies counts by hook for trials, and over all hooks for real outcomes.
func tallies(log string, f evidence.Filter) ([]tally, error) {
	type key struct {
		hook, did string
		trial     bool
	}
	counts := map[key]*tally{}
	count := func(r *evidence.Row, k key) {
		t := counts[k]
		if t == nil {
			t = &tally{Hook: k.hook, Did: k.did, Trial: k.trial, First: r.Time}
			counts[k] = t
		}
		t.Times++
		t.Last, t.Example, t.Seq = r.Time, r.Summary, r.Seq
	}
	err := evidence.List(log, f, func(r evidence.Row) error {
		for _, t := range r.Trials {
			count(&r, key{t.Hook, t.Would, true})
		}
		if !f.Trial {
			plain := r
			plain.Trials = nil
			count(&r, key{"(all)", outcome(&plain), false})
		}
		return nil
	})
	order := func(a, b *tally) int {
		return cmp.Or(cmp.Compare(a.Hook, b.Hook), cmp.Compare(b.Times, a.Times), cmp.Compare(a.Did, b.Did))
	}
	out := []tally{}
	for _, t := range slices.SortedFunc(maps.Values(counts), order) {
		out = append(out, *t)
	}
	return out, err
}
