package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// enforcement 14: a command that does not exist fails, wherever in the tree it
// was looked for, also with flags and with a subject.
func TestUnknownCommandsFail(t *testing.T) {
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
	for _, args := range [][]string{{"pack", "vaildate", "x"}, {"hooks", "chekc"}, {"evidence", "verfiy"}, {"task", "frob"}, {"lsit"}} {
		cmd := exec.Command(filepath.Join(bin, "trammel"), args...)
		out, _ := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != 2 || len(out) > 0 {
			t.Errorf("trammel %s: exit code %d, %s", strings.Join(args, " "), code, out)
		}
	}
}
