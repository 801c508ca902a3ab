package main

import (
	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/pipeline/full"
)

func schemaCmd() *cobra.Command {
	var hook bool
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of trammel.yaml",
		Example: `  trammel schema > .vscode/trammel.schema.json
  trammel schema --repository-hook > .system/registry/schemas/hook.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := program()
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
		},
	}
	cmd.Flags().BoolVar(&hook, "repository-hook", false, "of a file below .system/hooks instead")
	return cmd
}
