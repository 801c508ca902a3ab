package main

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The help texts: after "== " and the command comes a line about it, then a
// text and examples.
//
//go:embed help.txt
var helpTexts string

// groups are the headings of trammel --help, with their commands.
var groups = []struct{ title, commands string }{
	{"Start here:", "demo init import docs status doctor uninstall"},
	{"Write rules and check them:", "explain deny test backtest suggest lint check compile list policies events schema trust bundle"},
	{"Let people decide:", "approvals allow pause resume watch serve notify"},
	{"Look at the record:", "log evidence report snapshot"},
	{"Build on it:", "mcp pack hooks task agent"},
	{"For programs and shells:", "run run-hook conformance completion man version help"},
}

// group sorts the top-level commands below headings, in the order of the table.
func group(root *cobra.Command) {
	cobra.EnableCommandSorting = false
	byName := map[string]*cobra.Command{}
	for _, cmd := range root.Commands() {
		byName[cmd.Name()] = cmd
	}
	var sorted []*cobra.Command
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for name := range strings.FieldsSeq(g.commands) {
			byName[name].GroupID = g.title
			sorted = append(sorted, byName[name])
		}
	}
	hidden := slices.DeleteFunc(root.Commands(), func(cmd *cobra.Command) bool { return cmd.GroupID != "" })
	root.ResetCommands()
	root.AddCommand(append(hidden, sorted...)...)
}

// describe sets the texts of a command and its subcommands.
func describe(root *cobra.Command) {
	texts := map[string]string{}
	for part := range strings.SplitSeq(helpTexts, "== ") {
		path, text, _ := strings.Cut(part, "\n")
		texts[path] = strings.TrimSpace(text)
	}
	var walk func(*cobra.Command, string)
	walk = func(cmd *cobra.Command, path string) {
		text, examples, _ := strings.Cut(texts[path], "\n\nExamples:\n")
		cmd.Short, cmd.Long, _ = strings.Cut(text, "\n\n")
		cmd.Example = examples
		for _, sub := range cmd.Commands() {
			walk(sub, path+" "+sub.Name())
		}
	}
	walk(root, root.Name())
}
