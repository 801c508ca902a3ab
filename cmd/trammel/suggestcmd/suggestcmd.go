// Package suggestcmd is trammel suggest: exceptions for what people always approve.
package suggestcmd

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/backtest/suggest"
	"github.com/trammel-dev/trammel/cmd/trammel/backtestcmd"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/plural"
)

// New is the command.
func New() *cobra.Command {
	cmd := &cobra.Command{Use: "suggest", Args: cobra.NoArgs}
	s := &cli.Evidence{}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().StringVar(&s.Dir, "dir", "", "the project's directory (default: the current one)")
	since := cmd.Flags().String("since", "30d", "only count approvals newer than: 2h, 7d, 2026-01-02, or a time such as 2026-01-02T15:04:05Z")
	least := cmd.Flags().Int("min", 5, "how often a call must have been approved, 2 at least")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		now := time.Now()
		from, err := filter.Time(*since, now)
		if err != nil {
			return cli.Usagef("--since: %w", err)
		}
		if *least < 2 {
			return cli.Usagef("--min is %d, expected 2 or more", *least)
		}
		if err := s.Open(); err != nil {
			return err
		}
		program, set, err := cli.Found(s.Dir)
		if err != nil {
			return err
		}
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		r, err := suggest.Run(ctx, suggest.Options{Dirs: program.Dirs, Log: s.Log, Set: set, Since: from, Min: *least, Now: now})
		switch {
		case err != nil:
			return err
		case *asJSON:
			return cli.JSON(cmd.OutOrStdout(), r)
		}
		return write(cmd.OutOrStdout(), r, program.Dirs.User)
	}
	return cmd
}

// why are the reasons not to suggest something.
var why = map[suggest.Code]string{
	suggest.Refused: "not every request was approved", suggest.Severe: "a finding is more than a warning",
	suggest.Protected: "it is about secrets, or about Trammel itself", suggest.NotExact: "no exception would cover only this call",
	suggest.NotInForce:  "the hook is not in force now",
	suggest.NotExcepted: "your file cannot make an exception for this hook",
	suggest.NoEffect:    "something else would stop the call anyway",
}

func write(w io.Writer, r *suggest.Report, user string) error {
	if len(r.Suggestions) == 0 {
		fmt.Fprintln(w, "nothing to suggest for", r.Project)
	} else if err := writeSuggestions(w, r, user); err != nil {
		return err
	}
	if len(r.HeldBack) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	rows := [][]string{{"NOT SUGGESTED FOR", "APPROVED", "CALL", "WHY"}}
	for _, h := range r.HeldBack {
		rows = append(rows, []string{h.Hook, strconv.Itoa(h.Approved), cli.Line(h.Call), why[h.Code]})
	}
	return cli.Table(w, rows)
}

func writeSuggestions(w io.Writer, r *suggest.Report, user string) error {
	fmt.Fprintf(w, "%s for %s. Nothing was written: copy what you agree with into these files.\n\n",
		plural.Of(len(r.Suggestions), "exception"), r.Project)
	rows := [][]string{{"HOOK", "APPROVED", "SESSIONS", "LAST", "CALL", "RECORDS"}}
	for _, s := range r.Suggestions {
		rows = append(rows, []string{s.Hook, strconv.Itoa(s.Approved), strconv.Itoa(s.Sessions), s.Last.Local().Format("2006-01-02 15:04"),
			cli.Line(s.Call), strings.Join(s.Records, " ")})
	}
	if err := cli.Table(w, rows); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n# %s\n%s\n# %s\n%s\n# backtest with it: ", filepath.Join(user, layers.DropIn, "exceptions.yaml"), r.Exceptions,
		filepath.Join(r.Project, "exceptions_test.yaml"), r.Tests)
	return backtestcmd.Write(w, r.Backtest)
}
