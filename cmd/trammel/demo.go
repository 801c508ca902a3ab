package main

import (
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/demo"
	"github.com/trammel-dev/trammel/internal/terminal"
)

func demoCmd() *cobra.Command {
	return &cobra.Command{Use: "demo", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		hook := "trammel-hook"
		if runtime.GOOS == "windows" {
			hook += ".exe"
		}
		d := &demo.Demo{Out: cmd.OutOrStdout(), Trammel: self, Hook: filepath.Join(filepath.Dir(self), hook), Patience: time.Second}
		if terminal.Is(os.Stdin) {
			d.Human, d.Patience = os.Stdin, 15*time.Second
		}
		if colorful() {
			d.Bold, d.Off = "\x1b[1m", "\x1b[0m"
		}
		return d.Play()
	}}
}
