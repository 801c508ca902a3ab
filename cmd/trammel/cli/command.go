package cli

import (
	"context"
	"fmt"
	"net"
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

// Exit is an error that was already printed: only the exit code is left.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// JSONFlag adds --json to a command.
func JSONFlag(cmd *cobra.Command) *bool { return cmd.Flags().Bool("json", false, "print JSON") }

// DirFlag adds --dir to a command.
func DirFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("dir", "", "the directory to look from (default: the current one)")
}

// AddressFlag adds a flag that takes an address to listen on.
func AddressFlag(flags *pflag.FlagSet, value *string, name, byDefault, usage string) {
	*value = byDefault
	flags.Var((*address)(value), name, usage)
}

// address is the value of a flag: HOST:PORT or nothing.
type address string

func (a *address) String() string { return string(*a) }
func (a *address) Type() string   { return "HOST:PORT" }

func (a *address) Set(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil && text != "" {
		return err
	}
	*a = address(text)
	return nil
}

// VariableFlag adds a flag that takes its value from an environment variable if
// it is not given. That is not the flag's default value, so that the help is
// the same everywhere.
func VariableFlag(flags *pflag.FlagSet, value *string, name, variable, usage string) {
	flags.StringVar(value, name, "", usage+" (default: $"+variable+")")
	*value = os.Getenv(variable)
}

// CollectSeldom is for long-running programs: little of their memory is in use,
// so collecting garbage less often costs little.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// StaySmall is for programs that mostly wait, and of which several run at once,
// such as the MCP proxy: above this many bytes garbage is collected as often as
// needed.
func StaySmall(most int64) {
	CollectSeldom()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(most)
	}
}

// Program builds the full program for this system's directories.
func Program() (*full.Program, error) {
	dirs, err := layers.System()
	if err != nil {
		return nil, err
	}
	return full.New(dirs), nil
}

// TrustVariable names the digest of a project that a person has seen, for CI.
// No hook reads it: a variable that an agent or a project could set must not
// grant anything.
const TrustVariable = "TRAMMEL_TRUST"

// Reviewed is the digest in TrustVariable. Settings of build servers often end with a line feed.
func Reviewed() string { return strings.TrimSpace(os.Getenv(TrustVariable)) }

// ProgramOf is Program or, isolated, one without the rules and the trust of
// this user and machine; done removes what it has written.
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

// Interruptible is the context of a command that should end cleanly when it is
// interrupted or terminated.
func Interruptible(cmd *cobra.Command) (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
}

// Secret is the content of a file, without blanks around it; "" if no file is named.
func Secret(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	text, err := os.ReadFile(file)
	return strings.TrimSpace(string(text)), err
}
