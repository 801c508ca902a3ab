package strengthcmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/policytest"
	"github.com/trammel-dev/trammel/policytest/strength"
)

// write prints a report for people.
func write(w io.Writer, r *report) error {
	policytest.WriteText(w, r.Tests, cli.Colors(), false)
	for _, h := range r.NotCounted {
		fmt.Fprintf(w, "not counted: %s (%s): %s\n", h.Hook, place(h.File, h.Line), h.Why)
	}
	switch {
	case r.Coverage != nil:
		return writeCoverage(w, r.Coverage, r.Min)
	case r.Mutation != nil:
		return writeMutation(w, r.Mutation, r.Min)
	}
	_, err := fmt.Fprintln(w, "no changes were tried: the tests have to pass first")
	return err
}

func writeCoverage(w io.Writer, c *strength.Coverage, least int) error {
	rows := [][]string{{"HOOK", "STATE", "WHEN", "MATCH", "COVERED", "PLACE"}}
	for i := range c.Hooks {
		h := &c.Hooks[i]
		var when, match [2]int
		for _, o := range h.When {
			when[1] += 2
			for _, seen := range []bool{o.True, o.False} {
				if seen {
					when[0]++
				}
			}
		}
		for _, v := range h.Match {
			if match[1]++; v.Hit {
				match[0]++
			}
		}
		rows = append(rows, []string{h.Hook, string(h.State), part(when), part(match), fmt.Sprintf("%g%%", h.Percent), place(h.File, h.Line)})
	}
	fmt.Fprintln(w)
	if err := cli.Table(w, rows); err != nil {
		return err
	}
	for i := range c.Hooks {
		h := &c.Hooks[i]
		for j, gap := range h.Gaps() {
			if j == 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s: %s: %s\n", place(h.File, gap.Line), h.Hook, gap.What)
		}
	}
	return total(w, &c.Share, "covered", least)
}

// part is a share such as 3/4, or - if the total is zero.
func part(n [2]int) string {
	if n[1] == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", n[0], n[1])
}

func writeMutation(w io.Writer, m *strength.Mutation, least int) error {
	colors := cli.Colors()
	for _, group := range byTest(m.Survivors) {
		fmt.Fprintln(w)
		for _, line := range group.lines {
			fmt.Fprint(w, line)
			if n := group.times[line]; n > 1 {
				fmt.Fprintf(w, " (%d times)", n)
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s%s%s", colors.Dim, group.test, colors.Off)
	}
	return total(w, &m.Share, "of the changes are noticed", least)
}

// unnoticed are changes that the same test would notice.
type unnoticed struct {
	test  string
	lines []string // each once
	times map[string]int
}

// byTest groups changes by that test, in the order of the first of each.
func byTest(survivors []strength.Mutant) (groups []*unnoticed) {
	found := map[string]*unnoticed{}
	for i := range survivors {
		s := &survivors[i]
		group := found[s.Test]
		if group == nil {
			group = &unnoticed{test: s.Test, times: map[string]int{}}
			found[s.Test] = group
			groups = append(groups, group)
		}
		line := fmt.Sprintf("%s: %s: no test notices (%s): %s", place(s.File, s.Line), s.Hook, s.Kind, s.Change)
		if group.times[line]++; group.times[line] == 1 {
			group.lines = append(group.lines, line)
		}
	}
	return groups
}

// total prints the total, and whether it is enough.
func total(w io.Writer, s *strength.Share, what string, least int) error {
	fmt.Fprintf(w, "\n%g%% %s: %d of %d", s.Percent, what, s.Done, s.Total)
	if s.Below(least) {
		fmt.Fprintf(w, ", expected at least %d%%", least)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// place is a position in a file, relative to the current directory.
func place(file string, line int) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			file = filepath.ToSlash(rel)
		}
	}
	return fmt.Sprintf("%s:%d", file, line)
}
