package main

import (
	"github.com/spf13/cobra"
)

func evidenceCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "evidence", Short: "Read and verify the record of what was decided"}
	return cmd
}
