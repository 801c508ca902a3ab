package main

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var quotedText = regexp.MustCompile(`"[^"]*"|'[^']*'`)

// checkExamples wants an example of a command, and of each the flags that it has.
func checkExamples(t *testing.T, cmd *cobra.Command) {
	shown := false
	for line := range strings.Lines(cmd.Example) {
		_, line, ours := strings.Cut(strings.TrimSpace(line), "trammel ")
		if !ours {
			continue
		}
		shown = shown || strings.HasPrefix("trammel "+line, cmd.CommandPath())
		line, _, _ = strings.Cut(line, " -- ")
		words := strings.Fields(quotedText.ReplaceAllString(line, "TEXT"))
		of, _, err := root().Find(words)
		if err != nil {
			t.Errorf("%s: the example %q: %v", cmd.CommandPath(), line, err)
			continue
		}
		for _, word := range words {
			name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
			if strings.HasPrefix(word, "--") && of.Flag(name) == nil && of.InheritedFlags().Lookup(name) == nil {
				t.Errorf("%s: the example %q has the flag --%s, which does not exist", cmd.CommandPath(), line, name)
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
