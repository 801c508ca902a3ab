package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/trammel-dev/trammel/internal/nearest"
	"github.com/trammel-dev/trammel/internal/plural"
)

// Usage is the error for a wrong call of a command: its flags, its arguments or
// its name. Nothing was done.
type Usage struct{ error }

func (u Usage) Unwrap() error { return u.error }

// Usagef makes a Usage error.
func Usagef(format string, args ...any) error { return Usage{fmt.Errorf(format, args...)} }

// WrongCall makes an error a Usage error.
func WrongCall(err error) error {
	if err == nil {
		return nil
	}
	return Usage{err}
}

// answersTwo are the commands, including their subcommands, for which exit code
// 2 is an answer, so that a wrong call is 1: see help.txt.
var answersTwo = []string{"trammel agent run", "trammel explain", "trammel hooks run", "trammel pack call", "trammel pack control",
	"trammel run-hook", "trammel task"}

// ExitCode is the exit code of a failed command. It is 2 for a wrong call:
// agents take that as a block, and it is not an answer of any command except
// those above.
func ExitCode(cmd *cobra.Command, err error) int {
	inside := func(path string) bool { return strings.HasPrefix(cmd.CommandPath()+" ", path+" ") }
	if usage := (Usage{}); errors.As(err, &usage) && (cmd.HasSubCommands() || !slices.ContainsFunc(answersTwo, inside)) {
		return 2
	}
	return 1
}

// Arguments makes a command print its usage if the number of its arguments is
// wrong, or its flags cannot be combined.
func Arguments(cmd *cobra.Command) {
	accepts := cmd.Args
	if accepts == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := accepts(cmd, args)
		if err != nil && slices.Contains([]string{"accepts", "requires", "unknown"}, strings.Fields(err.Error())[0]) { // cobra's words
			return Usagef("found %s, expected: %s (see %s --help)", plural.Of(len(args), "argument"),
				strings.TrimSuffix(cmd.UseLine(), " [flags]"), cmd.CommandPath())
		}
		if err == nil {
			err = missingFlag(cmd)
		}
		if err == nil {
			err = together(cmd.ValidateFlagGroups())
		}
		return WrongCall(err)
	}
}

// together says in our words which flags cannot be given together.
func together(err error) error {
	if err == nil {
		return nil
	}
	_, set, found := strings.Cut(err.Error(), "none of the others can be; [") // cobra's words
	names, _, _ := strings.Cut(set, "]")
	if !found {
		return err
	}
	return fmt.Errorf("--%s cannot be given together: give one of them", strings.Join(strings.Fields(names), " and --"))
}

// missingFlag is the error for a required flag that was not given.
func missingFlag(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed && err == nil {
			err = fmt.Errorf("--%s is missing: %s; see: %s --help", f.Name, f.Usage, cmd.CommandPath())
		}
	})
	return err
}

// DidYouMean names the known word that a wrong one is close to, if there is one.
func DidYouMean(word string, known []string) string {
	if best := nearest.Word(word, known); best != "" {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	return ""
}

// Named are the full names of all commands below one that are called name.
func Named(below *cobra.Command, name string) (paths []string) {
	for _, cmd := range below.Commands() {
		if cmd.Name() == name && !cmd.Hidden {
			paths = append(paths, cmd.CommandPath())
		}
		paths = append(paths, Named(cmd, name)...)
	}
	return paths
}
