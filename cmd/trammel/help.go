package main

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"
)

// What the commands are for: after "== " and the command a line about it, then
// a text and examples, if there are any.
//
//go:embed help.txt
var helpTexts string

// describe gives a command and those below it their texts.
func describe(root *cobra.Command) {
	texts := map[string]string{}
	for part := range strings.SplitSeq(helpTexts, "== ") {
		path, text, _ := strings.Cut(part, "\n")
		texts[path] = strings.TrimSpace(text)
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		text, examples, _ := strings.Cut(texts[cmd.CommandPath()], "\n\nExamples:\n")
		cmd.Short, cmd.Long, _ = strings.Cut(text, "\n\n")
		cmd.Example = examples
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
}
