package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
)

// hooksList is the table of the contract (AIC-60), without hooks of elsewhere.
func hooksList(dir *string) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, _, _, err := loaded(*dir)
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
