// Package rules reads docker-agent's permission rules and hooks, so that they can
// be imported (TEAM-30).
package rules

import (
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/dialects/dockeragent"
	"github.com/trammel-dev/trammel/dialects/dockeragent/hooksfile"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source are docker-agent's files: an agent's, the user's settings, a file of
// hooks.d. What is denied counts first, then what is allowed, then questions.
var Source = importers.Source{
	Name:   dockeragent.Host.System,
	Host:   dockeragent.Host.System,
	Files:  []string{"agent.yaml", "~/.config/cagent/config.yaml"},
	Ranked: true,
	Read:   read,
}

func read(f importers.File) ([]importers.Rule, error) {
	name := filepath.Base(f.Path)
	text, from, wrong := hooksfile.Translate(strings.TrimSuffix(name, filepath.Ext(name)), f.Data, f.Grants)
	if len(wrong) > 0 {
		p := wrong[0]
		return nil, &document.Problem{Line: p.Line, Column: p.Column, Message: p.Message + ", expected " + p.Expected}
	}
	out := hooks(string(text), from)
	node, _ := hooksfile.Read(f.Data)
	root := document.OfYAML(node)
	for _, at := range []*document.Node{root.Get("permissions"), root.Get("settings", "permissions")} {
		if err := at.Want("permissions", document.Map); err != nil {
			return nil, err
		}
		for _, m := range at.Entries() {
			rules, err := permissions(m)
			if err != nil {
				return nil, err
			}
			out = append(out, rules...)
		}
	}
	return out, nil
}
