package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
)

func eventsCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "events", Args: cobra.NoArgs}
	asJSON := cmd.Flags().Bool("json", false, "print JSON, with the names in every system")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		type row struct {
			Event   string            `json:"event"`
			About   string            `json:"about"`
			Can     string            `json:"can"`
			Closed  bool              `json:"fails_closed"`
			Aliases map[string]string `json:"aliases"`
		}
		var rows []row
		out := [][]string{{"EVENT", "CAN", "WHEN"}}
		for _, k := range trammel.Kinds() {
			r := row{k.String(), k.About(), k.Can().String(), k.FailsClosed(), map[string]string{}}
			for _, a := range k.Aliases() {
				r.Aliases[a.System] = strings.TrimPrefix(r.Aliases[a.System]+","+a.Name, ",")
			}
			rows = append(rows, r)
			out = append(out, []string{r.Event, r.Can, r.About})
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), rows)
		}
		return cli.Table(cmd.OutOrStdout(), out)
	}
	return cmd
}
