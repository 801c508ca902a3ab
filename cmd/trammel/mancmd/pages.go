// Package mancmd is trammel man: the manual pages, from the same texts and flags
// as --help.
package mancmd

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// hookPage is about the other program, which has no commands.
const hookPage = `trammel-hook is what an agent starts for each of its events. It reads the event
as JSON from standard input, judges it by the hooks in trammel.yaml, records what
it decided, and answers on standard output in the agent's own form. "trammel init"
writes the lines that call it, so you do not type them.

HOST is the agent (claude-code, codex, gemini-cli, ...), EVENT its name for the
event. What the program does not do itself it hands to the trammel beside it, so
both are kept in one directory.`

const hookExits = `0: the answer is on standard output. 2: the call is blocked, the reason is on
standard error. Where it is called for an event that can be blocked, everything
that goes wrong is a block, too.`

// Pages are the manual pages by file name: one for the program, one for each
// command with all that is below it, and one for trammel-hook.
func Pages(root *cobra.Command, version string, at time.Time) map[string][]byte {
	out := map[string][]byte{}
	p := &page{}
	p.head("trammel", at, version)
	p.section("name")
	p.line("trammel - " + root.Short)
	p.section("synopsis")
	p.line("trammel COMMAND [ARGUMENTS]")
	p.section("description")
	p.prose(root.Long)
	for _, g := range root.Groups() {
		p.section(trimColon(g.Title))
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID && !cmd.Hidden {
				fmt.Fprintf(p, ".TP\n\\fB%s\\fR\n", escape(pageName(cmd)+"(1)"))
				p.line(cmd.Short)
			}
		}
	}
	p.section("files")
	for _, f := range [][2]string{{"/etc/trammel/trammel.yaml, /etc/trammel/hooks.d", "hooks for everybody on the machine"},
		{"~/.config/trammel", "hooks of the user"}, {"trammel.yaml, .trammel", "hooks of a project, which need trust"}} {
		fmt.Fprintf(p, ".TP\n\\fI%s\\fR\n", escape(f[0]))
		p.line(f[1])
	}
	p.section("examples")
	p.prose(root.Example)
	p.section("see also")
	p.line("trammel-hook(1)")
	out["trammel.1"] = []byte(p.String())
	for _, cmd := range root.Commands() {
		if cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" {
			continue
		}
		out[pageName(cmd)+".1"] = commandPage(cmd, version, at)
	}
	p = &page{}
	p.head("trammel-hook", at, version)
	p.section("name")
	p.line("trammel-hook - answers one event of an agent")
	p.section("synopsis")
	p.line("trammel-hook [--wait=DURATION] HOST EVENT")
	p.section("description")
	p.prose(hookPage)
	p.section("exit status")
	p.prose(hookExits)
	p.section("see also")
	p.line("trammel(1), trammel-init(1), trammel-doctor(1)")
	out["trammel-hook.1"] = []byte(p.String())
	return out
}

func commandPage(cmd *cobra.Command, version string, at time.Time) []byte {
	p := &page{}
	p.head(pageName(cmd), at, version)
	p.section("name")
	p.line(pageName(cmd) + " - " + cmd.Short)
	p.command(cmd, true)
	var below func(*cobra.Command)
	below = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				p.command(sub, false)
				below(sub)
			}
		}
	}
	if cmd.HasAvailableSubCommands() {
		p.section("commands")
		below(cmd)
	}
	p.section("see also")
	p.line("trammel(1)")
	return []byte(p.String())
}

func pageName(cmd *cobra.Command) string { return "trammel-" + cmd.Name() }

func trimColon(s string) string {
	if n := len(s); n > 0 && s[n-1] == ':' {
		return s[:n-1]
	}
	return s
}
