package main

import (
	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/full"
)

func schemaCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of trammel.yaml",
		Example: "  trammel schema > .vscode/trammel.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := program()
			if err != nil {
				return err
			}
			out, err := config.Schema(full.Registry{Registry: p.Registry, Dialects: p.Dialects})
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(out)
			return err
		},
	}
}
