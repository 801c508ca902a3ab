package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/repohooks"
)

func hooksCheck(dir *string) *cobra.Command {
	cmd := &cobra.Command{Use: "check", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		runner, err := hookRunner(*dir)
		if err != nil {
			return err
		}
		found, err := runner.Check()
		if err != nil {
			return err
		}
		if *asJSON {
			if found == nil {
				found = []repohooks.Finding{}
			}
			err = cli.JSON(cmd.OutOrStdout(), found)
		} else {
			err = printFindings(cmd.OutOrStdout(), found)
		}
		for _, f := range found {
			if f.Severity == "error" && err == nil {
				err = cli.Exit(1)
			}
		}
		return err
	}
	return cmd
}

func printFindings(w io.Writer, found []repohooks.Finding) error {
	if len(found) == 0 {
		_, err := fmt.Fprintln(w, "no problems found")
		return err
	}
	rows := [][]string{{"SEVERITY", "CODE", "HOOK", "WHAT"}}
	for _, f := range found {
		rows = append(rows, []string{f.Severity, f.Code, f.HookID, f.Message})
	}
	return cli.Table(w, rows)
}
