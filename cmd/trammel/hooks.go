package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

func hooksCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{Use: "hooks"}
	cmd.PersistentFlags().StringVar(&dir, "dir", "", "the repository (default: the current directory)")
	cmd.AddCommand(hooksRun(&dir), hooksNew(&dir), hooksCheck(&dir), hooksList(&dir))
	return cmd
}

func hookRunner(dir string) (*repohooks.Runner, error) {
	abs, err := cli.Directory(dir)
	if err != nil {
		return nil, err
	}
	return repohooks.New(abs)
}

// repository finds the one that a directory belongs to, with its hooks.
func repository(dir string) (root string, hooks *repohooks.Runner, err error) {
	abs, err := cli.Directory(dir)
	if err != nil {
		return "", nil, err
	}
	root = tasks.Root(abs)
	hooks, err = repohooks.New(root)
	return root, hooks, err
}

// hooksList is the table of the contract (AIC-60), with only the repository's
// own hooks.
func hooksList(dir *string) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, _, _, err := cli.Loaded(*dir)
		if err != nil {
			return err
		}
		rows := slices.DeleteFunc(listing(p, false), func(r listed) bool { return r.Repository == nil })
		switch {
		case *asJSON:
			return cli.JSON(cmd.OutOrStdout(), rows)
		case len(rows) == 0:
			fmt.Fprintln(cmd.OutOrStdout(), "no hooks are declared below .system/hooks")
			return nil
		}
		return printHooks(cmd.OutOrStdout(), rows, false)
	}
	return cmd
}

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
