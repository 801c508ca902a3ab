// Package foreign says how to write here what the settings of other agents and tools spell
// in their own way. It is for messages: nothing is read by it.
package foreign

import (
	"fmt"
	"slices"
	"strings"
)

// Permission says how to write a rule of an agent's permissions here:
// Bash(git push:*), Read(./.env), WebFetch(domain:example.com).
func Permission(text string) (meant string, ok bool) {
	tool, inner, _ := strings.Cut(text, "(")
	if inner, ok = strings.CutSuffix(inner, ")"); !ok || tool == "" {
		return "", false
	}
	if meant = known(tool, inner); meant == "" {
		meant = fmt.Sprintf("tool: %q, or for a tool of an MCP server tool: %q", tool, "mcp__"+tool+"__"+inner)
	}
	return meant, true
}

// Ruling is Permission for a text that should say why something is denied: deny: Bash(rm:*).
// It is "" for such a text.
func Ruling(text string) string {
	tool, inner, _ := strings.Cut(text, "(")
	if inner, ok := strings.CutSuffix(inner, ")"); ok {
		return known(tool, inner)
	}
	return ""
}

// known is a rule about a tool that agents have.
func known(tool, inner string) string {
	switch strings.ToLower(tool) {
	case "bash", "shell", "run_shell_command", "powershell", "execute_bash", "shelltool", "run_terminal_cmd", "terminal", "command":
		line := strings.TrimSuffix(strings.TrimSuffix(inner, ":*"), " *")
		program, rest, _ := strings.Cut(line, " ")
		if rest == "" {
			return "program: " + strings.TrimSuffix(program, "*")
		}
		return Arguments(program, rest)
	case "read", "fs_read", "read_file":
		return fmt.Sprintf("action: read, and path: %q", globPath(inner))
	case "edit", "write", "multiedit", "fs_write", "write_file", "notebookedit":
		return fmt.Sprintf("action: [write, edit], and path: %q", globPath(inner))
	case "delete":
		return fmt.Sprintf("action: delete, and path: %q", globPath(inner))
	case "webfetch", "web_fetch", "domain", "fetch", "url":
		return fmt.Sprintf("to: %q", hostOf(inner))
	case "agent", "task":
		return "action: agent, and when: action.agent == " + quoted(inner)
	case "skill":
		return "tool: Skill, and when: input.skill == " + quoted(inner)
	case "mcp", "mcptool":
		if server, name, ok := strings.Cut(inner, ":"); ok {
			return fmt.Sprintf("tool: %q", "mcp__"+server+"__"+name)
		}
		return fmt.Sprintf("tool: %q", "mcp__"+inner+"__*")
	}
	return ""
}

func hostOf(text string) string {
	text = strings.TrimPrefix(text, "domain:")
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text, _, _ = strings.Cut(rest, "/")
	}
	return text
}

func globPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		return "/" + rest
	}
	return path
}

// Arguments says how to write a program with arguments.
func Arguments(program, args string) string {
	var words []string
	for _, word := range strings.Fields(args) {
		if word != "*" {
			words = append(words, quoted(word))
		}
	}
	return fmt.Sprintf("program: %s, and the arguments as a condition: when: args.begins(%s)", program, strings.Join(words, ", "))
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

// words are the words of others: the word, one of ours that tells where it is used, and how
// to write it there.
const words = `
permissions=hooks=` + "`trammel import AGENT`" + ` makes hooks of them
permission=hooks=` + "`trammel import AGENT`" + ` makes hooks of it
repos=hooks=` + "`trammel import pre-commit`" + ` makes hooks of them
mcpServers=hooks=` + "`trammel init --mcp`" + ` puts Trammel in front of servers
rules=hooks=write hooks
policies=hooks=write hooks
allow=extends=it goes in one of the hooks
deny=extends=it goes in one of the hooks
ask=extends=it goes in one of the hooks
if=when=write when
condition=when=write when
unless=when=write when, with ! before the condition
block=deny=write deny
forbid=deny=write deny
confirm=deny=write ask, or approve
decision=deny=write deny, ask or allow, with the reason
permissionDecision=deny=write deny, ask or allow, with the reason
action=deny=write deny, ask or allow, with the reason, or action in match
reason=deny=write it behind deny, ask or allow
message=deny=write it behind deny, ask or allow
command=run=write run
entry=run=write run, or check if it must exit with 0
type=run=leave it out: run, exec or http says what the hook is
hooks=run=write run, exec or http, one in each hook
event=on=write on
trigger=on=write on
matcher=match=write match: {tool: …}
tool=match=it goes in match
tools=match=write match: {tool: […]}
program=match=it goes in match
path=match=it goes in match
paths=match=write match: {path: […]}
files=match=write match: {path: …}, with a glob
pattern=match=write match: {program: …}, and the arguments as a condition
exclude=match=write match: {path: [GLOB, "!GLOB"]}
name=about=write about
description=about=write about
command=program=write program, and the arguments as a condition: when: args.begins("…")
commands=program=write program, and the arguments as a condition: when: args.begins("…")
commandPrefix=program=write program, and the arguments as a condition: when: args.begins("…")
commandRegex=program=write program, and the arguments as a condition: when: args.text matches "…"
toolName=tool=write tool
tool_name=tool=write tool
matcher=tool=write tool
file=path=write path
file_path=path=write path
file_pattern=path=write path, with a glob
glob=path=write path
domain=to=write to
domains=to=write to
url=to=write to, with the host alone
server=tool=write tool: mcp__SERVER__*
mcpName=tool=write tool: mcp__SERVER__*
args=program=write it as a condition: when: args.has("…")
when=tool=it belongs beside match
bash=shell=write shell, or program: and its name
execute=shell=write shell, or program: and its name
exec=shell=write shell, or program: and its name
run=shell=write shell, or program: and its name
command=shell=write shell, or program: and its name
terminal=shell=write shell, or program: and its name
create=write=it is called write
modify=edit=write [write, edit]
update=edit=write [write, edit]
change=edit=write [write, edit]
remove=delete=it is called delete
network=fetch=write fetch, or to: and a host
web=fetch=write fetch, or to: and a host
http=fetch=write fetch, or to: and a host
list=search=it is called search
grep=search=write search, or read
`

// Word says how to write a word of others where ours may stand; "" if it is not known.
func Word(word string, ours []string) string {
	for line := range strings.Lines(words) {
		if rest, ok := strings.CutPrefix(line, word+"="); ok && word != "" {
			if at, meant, _ := strings.Cut(strings.TrimSpace(rest), "="); slices.Contains(ours, at) {
				return meant
			}
		}
	}
	return ""
}
