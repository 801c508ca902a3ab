package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// RefuseUnknown makes every command with subcommands fail on an unknown one. By
// default cobra prints the help and succeeds, and a script would continue
// without its check.
func RefuseUnknown(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		RefuseUnknown(sub)
	}
	if !cmd.HasSubCommands() {
		Arguments(cmd)
		return
	}
	cmd.SuggestionsMinimumDistance = 2
	parsed := cmd.Runnable() || !cmd.HasParent()
	cmd.DisableFlagParsing = !parsed // cobra would complain of a flag before the command that does not exist
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		var err error
		if !parsed {
			cmd.DisableFlagParsing = false
			if err = cmd.ParseFlags(args); err != nil {
				err = cmd.FlagErrorFunc()(cmd, err)
			}
			args = cmd.Flags().Args()
		}
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return err
	}
	if !cmd.Runnable() {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error {
			// A program that wants JSON must not get the help.
			if help, _ := cmd.Flags().GetBool("help"); cmd.HasParent() && cmd.Flags().NFlag() > 0 && !help {
				return Usagef("a command is missing behind %q; see: %[1]s --help", cmd.CommandPath())
			}
			return cmd.Help()
		}
	}
}

// BadFlag says what a flag takes, and where to find the flags.
func BadFlag(cmd *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		takes := map[string]string{"int": "a whole number", "int64": "a whole number", "uint64": "a whole number", "bool": "true or false",
			"duration": "a time such as 30s, 5m or 2h", "HOST:PORT": "a host and a port, such as 127.0.0.1:7777"}[bad.GetFlag().Value.Type()]
		if takes != "" {
			err = fmt.Errorf("--%s is %q, expected %s", bad.GetFlag().Name, bad.GetValue(), takes)
		}
	}
	words := cmd.Flags().Args() // of the command line, up to its first flag
	if len(words) > 0 && !strings.Contains(words[0], " ") && slices.Contains([]string{"trammel explain", "trammel deny"}, cmd.CommandPath()) {
		return Usagef("%w; put the whole command line in quotes: %s \"%s …\"", err, cmd.CommandPath(), strings.Join(words, " "))
	}
	return Usagef("%w; see: %s --help", err, cmd.CommandPath())
}

func unknownCommand(cmd *cobra.Command, name string) error {
	hint := "see: " + cmd.CommandPath() + " --help"
	near := cmd.SuggestionsFor(name)
	if !cmd.HasParent() || len(near) == 0 {
		near = append(Named(cmd.Root(), name), near...)
	}
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return Usagef("unknown command %q for %q\n%s", name, cmd.CommandPath(), hint)
}

// HelpCommand shows the help of a command, and fails if there is none.
func HelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{Use: "help [COMMAND]", Args: cobra.ArbitraryArgs, RunE: func(_ *cobra.Command, args []string) error {
		cmd, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 && cmd.HasSubCommands() {
			return unknownCommand(cmd, args[len(args)-max(len(rest), 1)])
		}
		cmd.InitDefaultHelpFlag()
		return cmd.Help()
	}}
}
