package main

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/trammel-dev/trammel/test/pages"
)

var update = flag.Bool("update", false, "write the generated pages")

const refresh = "go test ./cmd/trammel -run TestReferenceOfCommands -update"

const referenceIntro = `# Reference of the command line

For people who use the program and want to look up a command, a flag or an exit code. "trammel COMMAND --help" says the same.

This page is generated from the commands: ` + "`" + refresh + "`" + `.

Where a command says nothing else, its exit code is 0 if it did its work, 1 if it could not, and 2 if it was called wrong: there is no
such command or flag, a value is wrong, or the number of arguments is. Where 2 is an answer of the command, 1 is the code of a wrong call.
Every command takes ` + "`--help`" + `. Colors are used on a terminal only, and never if ` + "`NO_COLOR`" + ` is set.
`

// TEAM-50: the reference of the command line has every command with its flags.
func TestReferenceOfCommands(t *testing.T) {
	for _, name := range []string{"CI", "TRAMMEL_ENVIRONMENT", "TRAMMEL_AGENT_SESSION"} {
		t.Setenv(name, "set") // a page that says this machine's values is wrong on all others
	}
	var b strings.Builder
	b.WriteString(referenceIntro)
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden {
			return
		}
		if cmd.HasParent() {
			describeCommand(&b, cmd)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	cobra.EnableCommandSorting = true // as in a program that has just started
	walk(root())
	if wrong := pages.Keep("docs/reference/cli.md", b.String(), refresh, *update); wrong != "" {
		t.Error(wrong)
	}
}

func describeCommand(b *strings.Builder, cmd *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n%s.\n\n```text\n%s\n```\n", cmd.CommandPath(), cmd.Short, cmd.UseLine())
	if cmd.Long != "" && cmd.Name() != "completion" && cmd.Parent().Name() != "completion" {
		fmt.Fprintf(b, "\n%s\n", paragraphs(cmd.Long))
	}
	var rows []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "`--" + f.Name + "`"
		if f.Shorthand != "" {
			name = "`-" + f.Shorthand + "`, " + name
		}
		kind, usage := pflag.UnquoteUsage(f)
		value := f.DefValue
		switch value {
		case "", "false", "0", "0s", "[]":
			value = ""
		default:
			value = "`" + value + "`"
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s |\n", name, kind, value, strings.ReplaceAll(usage, "|", `\|`)))
	})
	if len(rows) > 0 {
		fmt.Fprintf(b, "\n| flag | value | default | |\n|---|---|---|---|\n%s", strings.Join(rows, ""))
	}
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```text\n%s\n```\n", unindent(cmd.Example))
	}
}

// paragraphs is a help text as Markdown: what is indented stays as it is.
func paragraphs(text string) string {
	var out []string
	for part := range strings.SplitSeq(text, "\n\n") {
		if strings.HasPrefix(part, "  ") {
			part = "```text\n" + unindent(part) + "\n```"
		} else {
			part = strings.NewReplacer("<", `\<`, "*", `\*`, "_", `\_`).Replace(part)
		}
		out = append(out, part)
	}
	return strings.Join(out, "\n\n")
}

func unindent(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll(text, "\n  ", "\n"), "  ")
}
