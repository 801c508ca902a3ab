package evidencecmd

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/server/collect"
)

func push(s *cli.Evidence) *cobra.Command {
	var to, file string
	cmd := &cobra.Command{Use: "push", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().StringVar(&to, "to", "", "the address of a server that collects")
	cmd.Flags().StringVar(&file, "token-file", "", "a file with this machine's token (default: $TRAMMEL_TOKEN)")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		token := os.Getenv("TRAMMEL_TOKEN")
		if file != "" {
			var err error
			if token, err = cli.Secret(file); err != nil {
				return err
			}
		}
		switch {
		case to == "":
			return cli.Usagef("--to is missing: the address of the server that collects, such as https://trammel.example.com")
		case !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "http://"):
			return cli.Usagef("--to: %q is not an address such as https://trammel.example.com", to)
		case token == "":
			return fmt.Errorf("there is no token: make one on the server (trammel serve token create MACHINE) and name its file with --token-file")
		}
		if err := s.Open(); err != nil {
			return err
		}
		key, err := s.Key()
		if err != nil {
			return err
		}
		state, err := (&collect.Client{URL: to, Token: token}).Send(cmd.Context(), s.Log, layers.Key(s.Project), key)
		if evidence.ExceptDamage(err) != nil {
			return err
		}
		// Report lines that are not records after what has arrived.
		return cmp.Or(cli.Done(cmd, *asJSON, state, "%s arrived\n", plural.Of(state.Records, "record")), err)
	}
	return cmd
}
