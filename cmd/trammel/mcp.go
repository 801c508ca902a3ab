package main

import "github.com/spf13/cobra"

func mcpCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "mcp", Args: cobra.NoArgs}
	cmd.AddCommand(mcpProxyCmd())
	return cmd
}
