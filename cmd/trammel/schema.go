package main

import (
	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/pipeline/full"
)

func schemaCmd() *cobra.Command {
	var hook bool
	cmd := &cobra.Command{Use: "schema", Args: cobra.NoArgs}
	cmd.Flags().BoolVar(&hook, "repository-hook", false, "of a file below .system/hooks instead")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := cli.Program()
		if err != nil {
			return err
		}
		var out []byte
		if hook {
			out, err = config.RepositoryHookSchema()
		} else {
			out, err = config.Schema(full.Registry{Registry: p.Registry, Dialects: p.Dialects})
		}
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(out)
		return err
	}
	return cmd
}
