package packcmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/packs/scenario"
)

func scenarioCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "scenario DIRECTORY [NAME]", Args: cobra.RangeArgs(1, 2)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		name := ""
		if len(args) == 2 {
			name = args[1]
		}
		report, err := scenario.Play(ctx, args[0], name)
		if err != nil {
			return err
		}
		err = cli.Tell(cmd.OutOrStdout(), *asJSON, report, tellScenarios)
		if err == nil && !report.Passed {
			return cli.Exit(1)
		}
		return err
	}
	return cmd
}

func tellScenarios(w io.Writer, r scenario.Report) error {
	passed := 0
	for _, s := range r.Results {
		word := "failed"
		if s.Passed {
			word = "passed"
			passed++
		}
		fmt.Fprintf(w, "%s  %s\n", word, s.ID)
		for _, text := range append(s.Wrong, s.Notes...) {
			fmt.Fprintf(w, "        %s\n", text)
		}
	}
	if len(r.Lacking) > 0 {
		fmt.Fprintf(w, "missing %s\n", strings.Join(r.Lacking, ", "))
	}
	_, err := fmt.Fprintf(w, "%s %s: %d of %d scenarios passed\n", r.ID, r.Version, passed, len(r.Results))
	return err
}
