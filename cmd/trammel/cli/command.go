package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// VariableFlag adds a flag whose value is an environment variable's unless it is
// given. It is not the flag's default: help and pages are the same everywhere.
func VariableFlag(flags *pflag.FlagSet, value *string, name, variable, usage string) {
	flags.StringVar(value, name, "", usage+" (default: $"+variable+")")
	*value = os.Getenv(variable)
}

// CollectSeldom is for programs that stay: little of what they have is in use,
// so collecting garbage seldom costs little memory.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// StaySmall is for programs of which a person has several that mostly wait, as the
// MCP proxy is: beyond so many bytes garbage is collected as often as it has to be.
func StaySmall(most int64) {
	CollectSeldom()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(most)
	}
}

// Program puts the full program together for this system's directories.
func Program() (*full.Program, error) {
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	return full.New(dirs), nil
}

// TrustVariable names the digest of a project that a person has seen, for CI. No
// hook reads it: what an agent or a project could set grants nothing.
const TrustVariable = "TRAMMEL_TRUST"

// ProgramOf is Program or, isolated, one that knows no rules and no trust of this
// user and machine; done removes what it has written.
func ProgramOf(isolated bool) (p *full.Program, done func(), err error) {
	if !isolated {
		p, err = Program()
		return p, func() {}, err
	}
	state, err := os.MkdirTemp("", "trammel-isolated-")
	if err != nil {
		return nil, nil, err
	}
	dirs := layers.Dirs{State: state, Cache: filepath.Join(state, "cache")}
	if own, err := layers.System(); err == nil {
		dirs.Bundles = layers.BundlesIn(own) // what is in them is checked against the project's lock
	}
	return full.New(dirs), func() { os.RemoveAll(state) }, nil
}

// Interruptible is the context of a command that is to end in order when it is
// interrupted or terminated.
func Interruptible(cmd *cobra.Command) (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
}

// Secret is what a file holds, without blanks around it; no file holds none.
func Secret(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	text, err := os.ReadFile(file)
	return strings.TrimSpace(string(text)), err
}
