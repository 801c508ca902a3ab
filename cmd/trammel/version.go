package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/version"
)

func versionCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "version", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), map[string]string{"version": version.Version, "go": runtime.Version(), "system": runtime.GOOS +
				"/" + runtime.GOARCH})
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "trammel %s (%s %s/%s)\n", version.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return err
	}
	return cmd
}
