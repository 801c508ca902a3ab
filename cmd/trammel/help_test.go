package main

import (
	"regexp"
	"testing"

	"github.com/spf13/cobra"
)

// Every command has a text in help.txt, and every text there a command.
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
