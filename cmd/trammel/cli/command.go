package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Exit is an error that has already been told: only the exit code is left.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// JSONFlag adds --json to a command.
func JSONFlag(cmd *cobra.Command) *bool { return cmd.Flags().Bool("json", false, "print JSON") }

// DirFlag adds --dir to a command.
func DirFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("dir", "", "the directory to look from (default: the current one)")
}

// Program puts the full program together for this system's directories.
func Program() (*full.Program, error) {
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	return full.New(dirs), nil
}

// Interruptible is the context of a command that is to end in order when it is
// interrupted or terminated.
func Interruptible(cmd *cobra.Command) (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
}
