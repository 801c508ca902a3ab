package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Done prints what a command has done: as JSON for programs, else in words.
func Done(cmd *cobra.Command, asJSON bool, done any, words string, args ...any) error {
	if asJSON {
		return JSON(cmd.OutOrStdout(), done)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), words, args...)
	return err
}

// Shown is where to print texts for people; with --json that is stderr, because
// stdout has only the JSON.
func Shown(cmd *cobra.Command, asJSON bool) io.Writer {
	if asJSON {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}
