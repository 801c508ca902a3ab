package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/internal/plural"
)

// Arguments has a command say how it is called where the number of its
// arguments is wrong.
func Arguments(cmd *cobra.Command) {
	accepts := cmd.Args
	if accepts == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := accepts(cmd, args)
		if err == nil || !slices.Contains([]string{"accepts", "requires", "unknown"}, strings.Fields(err.Error())[0]) {
			return err // not in cobra's words
		}
		return fmt.Errorf("found %s, expected: %s (see %s --help)", plural.Of(len(args), "argument"),
			strings.TrimSuffix(cmd.UseLine(), " [flags]"), cmd.CommandPath())
	}
}
