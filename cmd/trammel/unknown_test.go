package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
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
	unknown(t, "did you mean trammel approvals approve", "approve", "apr_1")
	unknown(t, "did you mean trammel bundle verify or trammel evidence verify?", "verify")
	unknown(t, "did you mean deny?", "approvals", "reject", "apr_1")
	unknown(t, "did you mean get?", "task", "show", "task-1")
	unknown(t, `unknown command "frobnicate"`, "help", "frobnicate")
	unknown(t, `unknown command "chekc"`, "help", "hooks", "chekc")
}

// A program that asks for JSON without a command gets an error, and not the help.
func TestFlagsWithoutACommandAreRefused(t *testing.T) {
	for _, group := range []string{"approvals", "task"} {
		unknown(t, "a command is missing behind", group, "--json")
	}
}

func unknown(t *testing.T, says string, args ...string) {
	t.Helper()
	if code, err := called(args...); code != 2 || !strings.Contains(err.Error(), says) {
		t.Errorf("trammel %s: exit code %d, %v", strings.Join(args, " "), code, err)
	}
}

// running is held while os.Stderr is another one.
var running sync.Mutex

// run executes a command line in this process, and returns what it said on stderr.
func run(args ...string) (string, error) {
	running.Lock()
	defer running.Unlock()
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

// called executes a command line in this process, and returns its exit code.
func called(args ...string) (int, error) {
	running.Lock()
	defer running.Unlock()
	program := root()
	program.SetArgs(args)
	program.SetOut(io.Discard)
	cmd, err := program.ExecuteC()
	if err == nil {
		return 0, nil
	}
	return cli.ExitCode(cmd, err), err
}

// twos are the commands whose help has an exit code 2, and what they exit with
// if they are called wrong: it must not be one of their answers.
var twos = map[string]int{
	"agent run": 1, "explain": 1, "hooks run": 1, "pack call": 1, "pack control": 1, "run-hook": 1, "task": 1,
	"check": 2, "compile": 2, "docs": 2, "lint": 2, "run": 2,
}

// A wrong call exits with one code for every command, which is none of its
// answers: with a flag that does not exist, without the value of one, with too
// many arguments or too few.
func TestCalledWrong(t *testing.T) {
	t.Parallel()
	mentioned := regexp.MustCompile(`(?is)exit(s with|s?\.? codes?).*\b2\b`)
	verbs, counts := 0, 0
	var walk func(cmd *cobra.Command, want int)
	walk = func(cmd *cobra.Command, want int) {
		path := strings.Fields(cmd.CommandPath())[1:]
		name := strings.Join(path, " ")
		if code, there := twos[name]; there {
			want = code
		} else if cmd.HasParent() && mentioned.MatchString(cmd.Long) {
			t.Errorf("%s has an exit code 2: add it to twos, and to answersTwo if it is an answer", name)
		}
		for _, sub := range cmd.Commands() {
			walk(sub, want)
		}
		if cmd.HasSubCommands() {
			return
		}
		verbs++
		for _, flags := range [][]string{{"--no-such-flag"}, {"-0"}, {layers.StateFlag}} {
			if code, err := called(append(path, flags...)...); code != want {
				t.Errorf("trammel %s %s: exit code %d, expected %d: %v", name, flags[0], code, want, err)
			}
		}
		for _, n := range []int{0, 99} {
			if err := cmd.Args(cmd, slices.Repeat([]string{"x"}, n)); err != nil {
				counts++
				if code := cli.ExitCode(cmd, err); code != want {
					t.Errorf("trammel %s with %d arguments: exit code %d, expected %d: %v", name, n, code, want, err)
				}
			}
		}
	}
	walk(root(), 2)
	if verbs < 80 || counts < verbs {
		t.Errorf("only %d commands and %d wrong numbers of arguments", verbs, counts)
	}
}

// The same from outside, also where only the command itself sees that it was called wrong.
func TestCalledWrongExitCode(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"pack vaildate x": 2, "hooks chekc": 2, "evidence verfiy": 2, "task frob": 2, "lsit": 2, "check --josn": 2, "lint x": 2, "run x": 2,
		"check --format pdf": 2, "evidence check FILE": 2, "test --min 80": 2, "trust --digest --yes": 2, "hooks new x": 2,
		"explain": 1, "explain --josn x": 1, "task run": 1,
	} {
		cmd := exec.Command(filepath.Join(bin, "trammel"), strings.Fields(line)...)
		cmd.Dir = t.TempDir()
		out, _ := cmd.Output()
		if code := cmd.ProcessState.ExitCode(); code != want || len(out) > 0 {
			t.Errorf("trammel %s: exit code %d, expected %d, %s", line, code, want, out)
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
