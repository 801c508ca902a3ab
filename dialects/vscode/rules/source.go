// Package rules reads VS Code's auto-approval settings, so that they can be
// imported (TEAM-30).
package rules

import (
	"regexp"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/vscode"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source reads settings of VS Code: true approves; false asks, and comes first.
var Source = importers.Source{
	Name: vscode.Host.System,
	Host: vscode.Host.System,
	Files: []string{".vscode/settings.json", "~/.config/Code/User/settings.json",
		"~/Library/Application Support/Code/User/settings.json"},
	Read: importers.Settings(read),
}

func read(root *document.Node, _ importers.File) (out []importers.Rule, err error) {
	for _, l := range []struct {
		key  string
		mean func(importers.Rule, *document.Node) importers.Rule
	}{{"chat.tools.terminal.autoApprove", command}, {"chat.tools.edits.autoApprove", edits}, {"chat.tools.urls.autoApprove", address}} {
		n := root.Get(l.key)
		if err := n.Want(l.key, document.Map); err != nil {
			return nil, err
		}
		for _, m := range n.Entries() {
			r := importers.Rule{Line: m.Line, Text: m.Key}
			value := m.Value
			if value.Is(document.Map) {
				value = value.Get("approve")
			}
			switch {
			case value == nil || value.Kind == document.Null:
				out = append(out, r.Ignore("it neither approves nor asks"))
				continue
			case value.Kind != document.Bool && !m.Value.Is(document.Map):
				return nil, document.Wrong(m.Line, "%s is %s, expected true, false or a mapping", m.Key, value.Kind)
			case value.True():
				r.Decision = trammel.Allow
			default:
				r.Decision = trammel.Ask
			}
			out = append(out, l.mean(r, m.Value))
		}
	}
	return out, nil
}

// command is the beginning of a command, or a regular expression between slashes,
// for each command of a line or with matchCommandLine for the line.
func command(r importers.Rule, n *document.Node) importers.Rule {
	end := strings.LastIndexByte(r.Text, '/')
	flags := r.Text[end+1:]
	if !strings.HasPrefix(r.Text, "/") || end == 0 || strings.Trim(flags, "dgimsuvy") != "" {
		if r.Calls.Command = importers.Prefix(r.Text); r.Calls.Command.All() {
			return r.Ignore("it is empty")
		}
		return r
	}
	pattern := strings.ReplaceAll(r.Text[1:end], `\/`, "/")
	for _, flag := range "ims" {
		if strings.ContainsRune(flags, flag) {
			pattern = "(?" + string(flag) + ")" + pattern
		}
	}
	if _, err := regexp.Compile(pattern); err != nil {
		return r.Refuse("this is not a valid regular expression: " + err.Error())
	}
	if n.Get("matchCommandLine").True() && r.Decision == trammel.Ask {
		r.Calls.Actions, r.Calls.When = []string{"shell"}, "command matches "+importers.Quote(pattern)
		return r
	}
	r.Calls.Command = &importers.Command{Regexp: pattern}
	return r
}

// edits are globs of files that may be changed, or only after a question.
func edits(r importers.Rule, _ *document.Node) importers.Rule {
	glob := r.Text
	if strings.HasPrefix(glob, "**/") || strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "~/") {
		r.Calls.Paths = []string{glob}
	} else {
		r.Calls.Paths = []string{"./" + strings.TrimPrefix(glob, "./")}
	}
	if r.Decision == trammel.Allow {
		return r.Refuse("edits that are approved stay in the agent's own settings: its tools change several files at once")
	}
	r.Calls.Actions = []string{"write", "edit"}
	return r
}

// address is a URL, of which the host can be imported.
func address(r importers.Rule, _ *document.Node) importers.Rule {
	host := strings.TrimPrefix(strings.TrimPrefix(r.Text, "https://"), "http://")
	host, path, _ := strings.Cut(host, "/")
	switch {
	case host == "" || strings.ContainsAny(host, "@ ?#:[") || strings.Trim(host, "*.") == "":
		return r.Refuse("this is not a pattern for a host")
	case r.Decision == trammel.Allow:
		return r.Refuse("addresses that are approved stay in the agent's own settings")
	case strings.Trim(path, "*") != "":
		r.Why = "all of the host"
	}
	r.Calls.To = []string{strings.ToLower(host)}
	return r
}
