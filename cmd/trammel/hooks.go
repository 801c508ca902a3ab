package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/repohooks"
)

func hooksCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{Use: "hooks"}
	cmd.PersistentFlags().StringVar(&dir, "dir", "", "the repository (default: the current directory)")
	cmd.AddCommand(hooksRun(&dir), hooksNew(&dir), hooksCheck(&dir), hooksList(&dir))
	return cmd
}

func hookRunner(dir string) (*repohooks.Runner, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return repohooks.New(abs)
}
