package main

import (
	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/repohooks"
)

func hooksCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "hooks",
		Short: "Run, write and check the hooks of a repository: .system/hooks",
		Long: `Hooks of an AI-centric repository are declared below .system/hooks, one YAML
file each. "trammel list" shows them; they run around abilities and sessions,
and on the events of Claude Code, Codex and every other host.`,
	}
	cmd.PersistentFlags().StringVar(&dir, "dir", "", "the repository (default: the current directory)")
	cmd.AddCommand(hooksRun(&dir), hooksNew(&dir), hooksCheck(&dir))
	return cmd
}

func hookRunner(dir string) (*repohooks.Runner, error) {
	abs, err := absolute(dir)
	if err != nil {
		return nil, err
	}
	return repohooks.New(abs)
}
