package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
)

func lintCmd() *cobra.Command {
	var asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Find hooks that compile but are probably not what their author meant",
		Long: `Finds, in the configuration that holds here: conditions that never or always
hold, rules that another one always precedes, tools that no agent has, programs
and hooks of packs that are missing, timeouts that no host grants, guards that
fail open. Exits with 1 if it finds something, and with 2 if the configuration
does not compile.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := lint(dir)
			var wrong *config.Errors
			switch {
			case errors.As(err, &wrong):
				fmt.Fprintln(cmd.ErrOrStderr(), wrong)
				return exit(2)
			case err != nil:
				fmt.Fprintln(cmd.ErrOrStderr(), "trammel:", err)
				return exit(2)
			case asJSON:
				err = printJSON(cmd.OutOrStdout(), found)
			default:
				for i := range found {
					fmt.Fprintln(cmd.OutOrStdout(), found[i].String())
				}
			}
			switch {
			case err == nil && slices.ContainsFunc(found, func(f config.Finding) bool { return f.Code == config.BrokenFinding }):
				return exit(2)
			case err == nil && len(found) > 0:
				return exit(1)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&dir, "dir", "", "the directory to look from (default: the current one)")
	return cmd
}

// lint looks at the configuration that holds in a directory; "" is the current one.
func lint(dir string) ([]config.Finding, error) {
	p, err := program()
	if err != nil {
		return nil, err
	}
	abs, err := absolute(dir)
	if err != nil {
		return nil, err
	}
	set, err := layers.Find(p.Dirs, abs)
	if err != nil {
		return nil, err
	}
	found, err := config.Lint(set, full.Registry{Registry: p.Registry, Dialects: p.Dialects})
	if found == nil {
		found = []config.Finding{}
	}
	return found, err
}
