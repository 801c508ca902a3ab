package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/trammel-dev/trammel/internal/layers"
)

// enforcement 14: a command that does not exist fails, wherever in the tree it
// was looked for, also with flags and with a subject.
func TestUnknownCommandsFail(t *testing.T) {
	t.Parallel()
	groups := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		if !cmd.HasSubCommands() {
			if cmd.Args == nil {
				t.Errorf("%s takes any arguments, and so no typo among them fails", cmd.CommandPath())
			}
			return
		}
		groups++
		for _, more := range [][]string{{"frobnicate"}, {"frobnicate", "x"}} {
			unknown(t, `unknown command "frobnicate"`, append(path, more...)...)
		}
		if _, err := run(append(path, "--josn", "frobnicate")...); err == nil {
			t.Errorf("%s --josn frobnicate succeeds", cmd.CommandPath())
		}
		if out, err := run(append(path, "--help")...); err != nil || out != "" {
			t.Errorf("%s --help: %v, %s", cmd.CommandPath(), err, out)
		}
		for _, sub := range cmd.Commands() {
			if name := sub.Name(); !sub.Hidden && len(name) > 3 && name[1] != name[2] && name != "help" {
				unknown(t, "did you mean", append(path, name[:1]+name[2:3]+name[1:2]+name[3:], "x")...)
			}
			walk(sub)
		}
	}
	walk(root())
	if groups < 6 {
		t.Errorf("only %d commands with sub-commands were found", groups)
	}
	unknown(t, `unknown command "frobnicate"`, "help", "frobnicate")
	unknown(t, `unknown command "chekc"`, "help", "hooks", "chekc")
}

func unknown(t *testing.T, says string, args ...string) {
	t.Helper()
	if text, err := run(args...); err != misspelt || !strings.Contains(text, says) {
		t.Errorf("trammel %s: %v, %s", strings.Join(args, " "), err, text)
	}
}

// run executes a command line in this process, and returns what it said on stderr.
func run(args ...string) (string, error) {
	cmd := root()
	cmd.SetArgs(args)
	cmd.SetOut(io.Discard)
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	stderr := os.Stderr
	os.Stderr = write
	err = cmd.Execute()
	os.Stderr = stderr
	write.Close()
	text, _ := io.ReadAll(read)
	return string(text), err
}

// The same from outside, once.
func TestUnknownCommandExitCode(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"pack", "vaildate", "x"}, {"hooks", "chekc"}, {"evidence", "verfiy"}, {"task", "frob"}, {"lsit"}} {
		cmd := exec.Command(filepath.Join(bin, "trammel"), args...)
		out, _ := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != 2 || len(out) > 0 {
			t.Errorf("trammel %s: exit code %d, %s", strings.Join(args, " "), code, out)
		}
	}
}

// The root's flags are read the same wherever they stand, before or
// after the words of every command, and no command has one of its own of that name.
func TestRootFlagsAnywhere(t *testing.T) {
	t.Parallel()
	var flags []string
	root().PersistentFlags().VisitAll(func(f *pflag.Flag) { flags = append(flags, "--"+f.Name) })
	if len(flags) < 2 {
		t.Fatalf("only the flags %q were found", flags)
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		for _, flag := range flags {
			for at := range len(path) + 1 {
				for _, words := range [][]string{{flag, "/list"}, {flag + "=/list"}} {
					line := append(slices.Concat(path[:at], words, path[at:]), "--help")
					if _, err := run(line...); err != nil {
						t.Errorf("trammel %s: %v", strings.Join(line, " "), err)
					}
				}
			}
			if cmd.LocalNonPersistentFlags().Lookup(flag[2:]) != nil {
				t.Errorf("%s has a %s of its own", cmd.CommandPath(), flag)
			}
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root())
	for _, line := range [][]string{{"approvals"}, {"hooks"}, {"serve", "token", "list"}} {
		for at := range len(line) + 1 {
			if _, err := run(slices.Concat(line[:at], []string{layers.UserFlag, "here"}, line[at:])...); err == nil ||
				!strings.Contains(err.Error(), "expected an absolute path") {
				t.Errorf("%s here, at %d of trammel %s: %v", layers.UserFlag, at, strings.Join(line, " "), err)
			}
		}
	}
}
