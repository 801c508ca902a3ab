// Package strengthcmd is trammel test --coverage and --mutate: how good the
// tests of rules are.
package strengthcmd

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/policytest"
	"github.com/trammel-dev/trammel/policytest/strength"
)

// Options say what is measured, and the minimum.
type Options struct {
	coverage, mutate bool
	min              int
	cmd              *cobra.Command
}

// Flags adds the options to a command.
func (o *Options) Flags(cmd *cobra.Command) {
	o.cmd = cmd
	cmd.Flags().BoolVar(&o.coverage, "coverage", false, "also say which hooks, conditions and values of match the tests reach")
	cmd.Flags().BoolVar(&o.mutate, "mutate", false, "also change each rule in small ways, and say which changes no test notices")
	cmd.Flags().IntVar(&o.min, "min", 0, "with --coverage or --mutate: exit with 1 below this percentage")
	for _, other := range []string{"coverage", "mutate", "min"} {
		cmd.MarkFlagsMutuallyExclusive("from", other)
	}
	cmd.MarkFlagsMutuallyExclusive("coverage", "mutate")
}

// Wanted reports whether to measure anything.
func (o *Options) Wanted() bool { return o.coverage || o.mutate }

// Check says what is wrong with the options.
func (o *Options) Check() error {
	switch {
	case o.min < 0 || o.min > 100:
		return cli.Usagef("--min is %d, expected a percentage from 0 to 100", o.min)
	case o.cmd.Flags().Changed("min") && !o.Wanted():
		return cli.Usagef("--min needs --coverage or --mutate")
	}
	return nil
}

// report is what is printed as JSON.
type report struct {
	Tests      []policytest.Result `json:"tests"`
	NotCounted []idle              `json:"not_counted,omitempty"`
	Coverage   *strength.Coverage  `json:"coverage,omitempty"`
	Mutation   *strength.Mutation  `json:"mutation,omitempty"`
	Min        int                 `json:"min,omitempty"`
}

// idle is a hook that does not count.
type idle struct {
	Hook string `json:"hook"`
	File string `json:"file"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

// Run runs the tests and measures them. tested is given their results.
func (o *Options) Run(cmd *cobra.Command, rules *policytest.Rules, files []string, asJSON bool,
	tested func([]policytest.Result) error) error {
	project, err := strength.Open(rules, files)
	if err != nil {
		return err
	}
	ctx, stop := cli.Interruptible(cmd)
	defer stop()
	r := &report{Tests: project.Run(ctx), NotCounted: idleOf(project.Idle), Min: o.min}
	if err := tested(r.Tests); err != nil {
		return err
	}
	failed := slices.ContainsFunc(r.Tests, func(r policytest.Result) bool { return !r.Passed() })
	var share *strength.Share
	switch {
	case o.coverage:
		r.Coverage = project.Coverage()
		share = &r.Coverage.Share
	case !failed: // otherwise every change would be noticed
		bar := newBar()
		r.Mutation, err = project.Mutate(ctx, bar)
		if bar != nil {
			fmt.Fprint(os.Stderr, "\r\x1b[K")
		}
		if err != nil {
			return err
		}
		share = &r.Mutation.Share
	}
	err = cli.Tell(cmd.OutOrStdout(), asJSON, r, write)
	if err == nil && (failed || share.Below(o.min)) {
		return cli.Exit(1)
	}
	return err
}

func idleOf(hooks []config.Written) (out []idle) {
	for _, w := range hooks {
		out = append(out, idle{w.ID, w.Source.File, w.Source.Line, w.Why})
	}
	return out
}

// newBar shows on a terminal how many changes have been tried; nil if there is
// no terminal.
func newBar() func(done, total int) {
	if !terminal.Is(os.Stderr) {
		return nil
	}
	return func(done, total int) { fmt.Fprintf(os.Stderr, "\r%d of %d changes", done, total) }
}
