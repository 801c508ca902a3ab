// Package rules reads the rules of Codex, so that they can be imported (TEAM-30).
package rules

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/codex"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source reads the rules of Codex: Starlark in .rules files, and what an
// administrator requires. The strictest rule wins.
var Source = importers.Source{
	Name:  codex.Host.System,
	Host:  codex.Host.System,
	Files: []string{".codex/rules/*.rules", "~/.codex/rules/*.rules", "~/.codex/requirements.toml"},
	Read:  read,
}

func read(f importers.File) ([]importers.Rule, error) {
	if strings.HasSuffix(f.Path, ".toml") {
		return requirements(f.Data)
	}
	return starlarkRules(f.Path, f.Data)
}

var decisions = map[string]trammel.Decision{"allow": trammel.Allow, "prompt": trammel.Ask, "forbidden": trammel.Deny}

// pattern is what a command has to begin with: at each place one of several words.
type pattern [][]string

// most is the number of commands that a pattern may stand for.
const most = 200

// command is every command that begins like this, nil if there are too many.
func (p pattern) command() *importers.Command {
	all := [][]string{nil}
	for _, words := range p {
		var next [][]string
		for _, begun := range all {
			for _, word := range words {
				next = append(next, append(begun[:len(begun):len(begun)], word))
			}
		}
		if all = next; len(all) > most {
			return nil
		}
	}
	return &importers.Command{Words: all[0], Or: all[1:]}
}

// matches reports whether the words of a command begin like this.
func (p pattern) matches(words []string) bool {
	if len(words) < len(p) {
		return false
	}
	for i, any := range p {
		found := false
		for _, word := range any {
			found = found || word == words[i]
		}
		if !found {
			return false
		}
	}
	return true
}

func (p pattern) String() string {
	var parts []string
	for _, any := range p {
		parts = append(parts, strings.Join(any, "|"))
	}
	return strings.Join(parts, " ")
}

// rule turns a pattern and a decision into a rule.
func (p pattern) rule(line int, decision, why string) importers.Rule {
	r := importers.Rule{Line: line, Text: p.String(), Decision: decisions[decision], Reason: why}
	if r.Calls.Command = p.command(); r.Calls.Command == nil {
		return r.Refuse("it matches too many commands")
	}
	return r
}

// requirements reads [rules] prefix_rules = [{pattern = [{token}|{any_of}], decision}].
func requirements(data []byte) (out []importers.Rule, err error) {
	root, err := document.TOML(data)
	if err != nil {
		return nil, err
	}
	for _, m := range root.Entries() {
		if m.Key != "rules" {
			out = append(out, importers.Rule{Line: m.Line, Text: m.Key}.Refuse("it is not a rule, and stays in the agent's own file"))
		}
	}
	for _, n := range root.Get("rules", "prefix_rules").Many() {
		var p pattern
		for _, part := range n.Get("pattern").Many() {
			words, err := part.Get("any_of").Texts()
			if token := part.Get("token"); token != nil {
				words, err = token.Texts()
			}
			if err != nil {
				return nil, err
			}
			if len(words) == 0 {
				return nil, document.Wrong(part.Line, "a part of a pattern has no words, expected token or any_of")
			}
			p = append(p, words)
		}
		decision := n.Get("decision").String()
		switch {
		case len(p) == 0:
			return nil, document.Wrong(n.Line, "a rule has no pattern")
		case decision != "prompt" && decision != "forbidden":
			return nil, document.Wrong(n.Line, "the decision is %q, expected prompt or forbidden", decision)
		}
		out = append(out, p.rule(n.Line, decision, n.Get("justification").String()))
	}
	return out, nil
}
