package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/demo"
	"github.com/trammel-dev/trammel/internal/terminal"
)

func demoCmd() *cobra.Command {
	var console bool
	var listen string
	cmd := &cobra.Command{Use: "demo", Args: cobra.NoArgs}
	cmd.Flags().BoolVar(&console, "console", false, "serve the console with sample data instead")
	cli.AddressFlag(cmd.Flags(), &listen, "listen", "127.0.0.1:7777", "where the console listens")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		d := &demo.Demo{Out: cmd.OutOrStdout(), Trammel: self, Hook: beside(self, "trammel-hook"), Patience: time.Second}
		if terminal.Is(os.Stdin) {
			d.Human, d.Patience = os.Stdin, 15*time.Second
		}
		if cli.Colorful() {
			d.Bold, d.Off = "\x1b[1m", "\x1b[0m"
		}
		if console {
			return d.Console(listen)
		}
		return d.Play()
	}
	return cmd
}
