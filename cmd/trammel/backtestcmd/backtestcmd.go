// Package backtestcmd is trammel backtest: what a changed configuration would have
// changed.
package backtestcmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/backtest"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/layers"
)

// The exit codes if outcomes differ.
const (
	exitLoosened  = 3
	exitTightened = 4
)

// New is the command.
func New() *cobra.Command {
	cmd := &cobra.Command{Use: "backtest", Args: cobra.NoArgs}
	s := &cli.Evidence{}
	var config, rev, since string
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().StringVar(&s.Dir, "dir", "", "the project's directory (default: the current one)")
	cmd.Flags().StringVar(&config, "config", "", "a directory with the changed files (default: the project's own)")
	cmd.Flags().StringVar(&rev, "rev", "", "take the files from this commit of the project")
	cmd.Flags().StringVar(&since, "since", "30d", "only newer than: 2h, 7d, 2026-01-02, or a time such as 2026-01-02T15:04:05Z")
	cmd.MarkFlagsMutuallyExclusive("config", "rev")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		now := time.Now()
		from, err := filter.Time(since, now)
		if err != nil {
			return cli.Usagef("--since: %w", err)
		}
		if err := s.Open(); err != nil {
			return err
		}
		dirs, err := layers.System()
		if err != nil {
			return err
		}
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		var set *layers.Set
		if rev != "" {
			set, err = backtest.AtRevision(ctx, dirs, s.Project, rev)
		} else {
			set, err = backtest.Changed(dirs, s.Project, config)
		}
		if err != nil {
			return err
		}
		bar := newBar(from, now)
		report, err := backtest.Run(ctx, backtest.Options{Dirs: dirs, Log: s.Log, Set: set, Since: from, Progress: bar.show()})
		bar.clear()
		if from := config + rev; err != nil && from != "" { // they replace the project's files, and errors name those
			return fmt.Errorf("with the files of %s: %w", from, err)
		}
		if err != nil {
			return err
		}
		err = cli.Tell(cmd.OutOrStdout(), *asJSON, report, Write)
		switch {
		case err != nil:
			return err
		case report.Loosened > 0:
			return cli.Exit(exitLoosened)
		case report.Tightened > 0:
			return cli.Exit(exitTightened)
		}
		return nil
	}
	return cmd
}
