package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Done says what a command has done: to programs as JSON, else in words.
func Done(cmd *cobra.Command, asJSON bool, done any, words string, args ...any) error {
	if asJSON {
		return JSON(cmd.OutOrStdout(), done)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), words, args...)
	return err
}

// Shown is where a person reads what a command is about; with --json, stdout has
// nothing but the JSON.
func Shown(cmd *cobra.Command, asJSON bool) io.Writer {
	if asJSON {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}
