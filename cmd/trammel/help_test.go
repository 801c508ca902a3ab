package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// callsIn are the arguments of each call of Trammel in a line of shell.
func callsIn(t *testing.T, line string) (calls [][]string) {
	file, err := syntax.NewParser().Parse(strings.NewReader(line), "")
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return nil
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		call, ok := n.(*syntax.CallExpr)
		if !ok {
			return true
		}
		words, err := expand.Fields(&expand.Config{Env: expand.FuncEnviron(func(string) string { return "VALUE" })}, call.Args...)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if i := slices.Index(words, "trammel"); i >= 0 {
			calls = append(calls, words[i+1:])
		}
		return true
	})
	return calls
}

// checkExamples wants an example of a command, and that each one is a valid
// call: the flags exist and take these values, and the arguments are as many as
// expected.
func checkExamples(t *testing.T, cmd *cobra.Command) {
	shown := false
	for line := range strings.Lines(cmd.Example) {
		line = strings.TrimSpace(line)
		for _, words := range callsIn(t, line) {
			of, words, err := root().Find(words)
			if err == nil {
				shown = shown || strings.HasPrefix(of.CommandPath()+" ", cmd.CommandPath()+" ")
				err = of.ParseFlags(words)
			}
			if err == nil && !of.HasSubCommands() {
				err = of.ValidateArgs(of.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: the example %q: %v", cmd.CommandPath(), line, err)
			}
		}
	}
	if !shown {
		t.Errorf("%s has no example: add one to help.txt", cmd.CommandPath())
	}
}

// Every command has a text in help.txt with an example, and every text there a command.
func TestEveryCommandIsDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^== (.*)$`).FindAllStringSubmatch(helpTexts, -1) {
		described[m[1]] = true
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Short == "" {
			t.Errorf("%s has no text", cmd.CommandPath())
		}
		if strings.Contains(cmd.Short, "\n") {
			t.Errorf("%s: what it does is not said in one line: %q", cmd.CommandPath(), cmd.Short)
		}
		if !cmd.Hidden && !strings.HasPrefix(cmd.CommandPath(), "trammel completion") { // which cobra describes
			checkExamples(t, cmd)
		}
		delete(described, cmd.CommandPath())
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	program := root()
	walk(program)
	for _, cmd := range program.Commands() {
		if cmd.GroupID == "" && !cmd.Hidden {
			t.Errorf("%s is below no heading of trammel --help: add it to groups", cmd.CommandPath())
		}
	}
	for path := range described {
		t.Errorf("help.txt describes %s, which does not exist", path)
	}
}

// noJSON are the commands without --json, and why.
var noJSON = map[string]string{
	"demo": "a show for people", "watch": "a view for people", "man": "writes pages", "help": "a text for people",
	"evidence show": "prints JSON", "schema": "prints JSON", "evidence export": "has --format", "evidence prove": "prints the proof",
	"run": "speaks the language of the host", "hook": "speaks the language of the host", "run-hook": "speaks the language of the host",
	"mcp proxy": "speaks MCP",
}

// use.md, friction 6: every command that says something says it to programs, too.
func TestEveryCommandHasJSON(t *testing.T) {
	t.Parallel()
	left := maps.Clone(noJSON)
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "trammel ")
		if cmd.HasSubCommands() || strings.HasPrefix(name, "completion") {
			return
		}
		has, but := cmd.Flag("json") != nil || cmd.InheritedFlags().Lookup("json") != nil, left[name] != ""
		if delete(left, name); has == but {
			t.Errorf("%s has --json: %v, and is in noJSON: %v", name, has, but)
		}
	}
	walk(root())
	for name := range left {
		t.Errorf("noJSON has %q, which does not exist", name)
	}
}
