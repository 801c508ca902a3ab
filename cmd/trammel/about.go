package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/version"
)

// The commands that print facts about this version of Trammel.

func versionCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "version", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), map[string]string{"version": version.Number(), "go": runtime.Version(), "system": runtime.GOOS +
				"/" + runtime.GOARCH})
		}
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "trammel %s (%s %s/%s)\n", version.Number(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return err
	}
	return cmd
}

func eventsCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "events", Args: cobra.NoArgs}
	asJSON := cmd.Flags().Bool("json", false, "print JSON, with the names in every agent")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		type row struct {
			Event   string            `json:"event"`
			About   string            `json:"about"`
			Can     string            `json:"can"`
			Closed  bool              `json:"fails_closed"`
			Aliases map[string]string `json:"aliases"`
		}
		var rows []row
		out := [][]string{{"EVENT", "CAN", "FAILS", "WHEN"}}
		for _, k := range trammel.Kinds() {
			r := row{k.String(), k.About(), k.Can().String(), k.FailsClosed(), map[string]string{}}
			for _, a := range k.Aliases() {
				r.Aliases[a.System] = strings.TrimPrefix(r.Aliases[a.System]+","+a.Name, ",")
			}
			rows = append(rows, r)
			fails := "open"
			if r.Closed {
				fails = "closed"
			}
			out = append(out, []string{r.Event, r.Can, fails, r.About})
		}
		return cli.List(cmd, *asJSON, rows, out, "")
	}
	return cmd
}

func schemaCmd() *cobra.Command {
	var hook bool
	cmd := &cobra.Command{Use: "schema", Args: cobra.NoArgs}
	cmd.Flags().BoolVar(&hook, "repository-hook", false, "print the schema of files below .system/hooks instead")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := cli.Program()
		if err != nil {
			return err
		}
		var out []byte
		if hook {
			out, err = config.RepositoryHookSchema()
		} else {
			out, err = config.Schema(p.Known())
		}
		if err != nil {
			return err
		}
		_, err = cmd.OutOrStdout().Write(out)
		return err
	}
	return cmd
}
