package evidencecmd

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/report"
	"github.com/trammel-dev/trammel/internal/plural"
)

// Report makes the commands that sum up the evidence by hook.
func Report() *cobra.Command {
	s := &cli.Evidence{}
	cmd := &cobra.Command{Use: "report"}
	cmd.PersistentFlags().StringVar(&s.Dir, "dir", "", "the project's directory (default: the current one)")
	cmd.AddCommand(reportTrial(s), reportHooks(s))
	return cmd
}

// hooksNow are those in force in a project.
func hooksNow(dir string) ([]report.Hook, error) {
	p, _, _, err := cli.Loaded(dir)
	if err != nil {
		return nil, err
	}
	var hooks []report.Hook
	for _, h := range p.Compiled.Hooks {
		hooks = append(hooks, report.Hook{ID: h.ID, Trial: h.Trial})
	}
	return hooks, nil
}

func reportTrial(s *cli.Evidence) *cobra.Command {
	cmd := &cobra.Command{Use: "trial"}
	asJSON := cli.JSONFlag(cmd)
	return selecting(cmd, s, func(f evidence.Filter) error {
		now, err := hooksNow(s.Dir)
		if err != nil {
			return err
		}
		rows, err := report.Trials(s.Log, f, now)
		table := [][]string{{"HOOK", "SEEN", "DENY", "ASK", "REWRITE", "OTHER", "FAILED", "CALLS", "SESSIONS", "STOPPED ANYWAY", "RECORDS"}}
		for _, r := range rows {
			row := []string{r.Hook}
			for _, n := range []int{r.Seen, r.Deny, r.Ask, r.Rewrite, r.Other, r.Failed, r.Actions, r.Sessions, r.Stopped} {
				row = append(row, strconv.Itoa(n))
			}
			table = append(table, append(row, strings.Join(r.Records, " ")))
		}
		return errors.Join(cli.List(cmd, *asJSON, rows, table, "no hook is or was on trial in "+s.Project), err)
	})
}

func reportHooks(s *cli.Evidence) *cobra.Command {
	cmd := &cobra.Command{Use: "hooks"}
	asJSON := cli.JSONFlag(cmd)
	all := cmd.Flags().Bool("all", false, "also hooks that are no longer in force")
	return selecting(cmd, s, func(f evidence.Filter) error {
		now, err := hooksNow(s.Dir)
		if err != nil {
			return err
		}
		rows, err := report.Hooks(s.Log, f, now, *all)
		table := [][]string{{"HOOK", "RAN", "DENIED", "ASKED", "FAILED", "P95", "LAST"}}
		for _, r := range rows {
			last := "never"
			if r.Last != nil {
				last = r.Last.Local().Format("01-02 15:04:05")
			}
			if !r.Force {
				last += " (no longer in force)"
			}
			table = append(table, []string{r.Hook, strconv.Itoa(r.Ran), strconv.Itoa(r.Deny), strconv.Itoa(r.Ask), strconv.Itoa(r.Failed),
				plural.Took(time.Duration(r.P95) * time.Microsecond), last})
		}
		return errors.Join(cli.List(cmd, *asJSON, rows, table, "no hooks are declared here"), err)
	})
}
