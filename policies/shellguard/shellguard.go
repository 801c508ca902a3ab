// Package shellguard is the policy shell-guard: it denies calls that destroy
// something permanently, open the machine to others, or switch off the checks around
// the agent. It judges what a call does (effects), never how it is spelled.
package shellguard

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	p := option.Guard("shell-guard",
		"denies commands that destroy data, history or infrastructure, open the machine, or switch checks off",
		Options{Level: "careful", ProtectedBranches: []string{"main", "master", "develop", "production", "release/*"}}, build)
	p.Remembers = []trammel.PastSort{trammel.WroteFile, trammel.FetchedFile, trammel.FetchedTree, trammel.CopiedProgram, trammel.HoldsSecret,
		trammel.ReadSecret, trammel.AddedRemote}
	return p
}

// Options are the policy's options.
type Options struct {
	Level             string   `json:"level,omitempty" jsonschema:"What becomes of a warning: careful lets most pass, standard and strict ask; strict also asks about doubts, and denies to read secrets. What is critical or an error is denied." enum:"careful,standard,strict"`
	Unknown           string   `json:"unknown,omitempty" jsonschema:"What becomes of a command that cannot be fully understood. If it is not set: allow, and ask if the level is strict." enum:"allow,ask,deny"`
	Allow             []string `json:"allow,omitempty" jsonschema:"Codes of findings that are let pass."`
	Ask               []string `json:"ask,omitempty" jsonschema:"Codes of findings that a person is asked about."`
	Deny              []string `json:"deny,omitempty" jsonschema:"Codes of findings that are denied, whatever the level."`
	AllowPaths        []string `json:"allow_paths,omitempty" jsonschema:"Globs of files and folders that may be deleted, moved and overwritten; relative ones start at the project."`
	ProtectedBranches []string `json:"protected_branches,omitempty" jsonschema:"Branches that must not be deleted, here or on a remote."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	return &guard{options: o}, nil
}

func (o *Options) check() error {
	for i, list := range [][]string{o.Allow, o.Ask, o.Deny} {
		for _, name := range list {
			if _, known := find(code(name)); !known {
				return &option.Error{Key: []string{"allow", "ask", "deny"}[i], Message: fmt.Sprintf("unknown code %q", name),
					Expected: "a code of the page docs/policies/shell-guard.md"}
			}
		}
	}
	for _, glob := range o.AllowPaths {
		if err := match.CheckGlob(glob); err != nil {
			return &option.Error{Key: "allow_paths", Message: err.Error()}
		}
	}
	return nil
}

type guard struct{ options Options }

// Handle judges one call.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil {
		return trammel.Answer{}, nil
	}
	var found []finding
	if acts(ev.Tool) || searchesHome(ev) {
		found = judgeSet(effects.Of(ev), effects.At(ev), &g.options)
		found = append(found, g.planted(ev, effects.Of(ev))...)
		found = append(found, g.handed(effects.Of(ev), effects.At(ev))...)
	}
	if foreign(ev.Tool) {
		var j judge
		j.inTool(ev.Tool.Input, 0)
		found = append(found, j.found...)
		for _, says := range words.Tool(cmp.Or(ev.Tool.Action.Tool, ev.Tool.Name), ev.Tool.Input) {
			found = append(found, finding{code: code(says), target: ev.Tool.Name})
		}
	}
	if destroys(ev.Tool) {
		found = append(found, finding{code: "tool_destroys", target: ev.Tool.Name})
	}
	if showsSecret(ev.Tool) {
		found = append(found, finding{code: "reads_secret", target: ev.Tool.Name})
	}
	return g.options.decide(found), nil
}

// Explain describes the options, for listings.
func (g *guard) Explain() string {
	return "denies destructive effects; level " + g.options.Level
}

// acts reports whether an action can do any harm: listing names cannot.
func acts(call *trammel.ToolCall) bool {
	a := &call.Action
	if a.Command != "" || len(a.Also) > 0 {
		return true
	}
	switch a.Kind {
	case trammel.ReadAction, trammel.WriteAction, trammel.EditAction, trammel.DeleteAction, trammel.FetchAction:
		return true
	case trammel.SearchAction: // a search shows lines of files
		glob, _ := call.Input["glob"].(string)
		return paths.SecretName(path.Base(glob)) || slices.ContainsFunc(a.Paths, func(p string) bool {
			return paths.SecretName(path.Base(p)) || strings.Contains(p, "/.") // ~/.ssh
		})
	case trammel.MCPAction, trammel.OtherAction:
		return len(a.Paths) > 0 || a.URL != "" || len(call.Input) > 0
	}
	return false
}

// searchesHome reports whether a search shows lines of files from a whole home
// directory or the machine.
func searchesHome(ev *trammel.Event) bool {
	mode, _ := ev.Tool.Input["output_mode"].(string)
	return ev.Tool.Action.Is(trammel.SearchAction) && mode == "content" && slices.ContainsFunc(ev.Tool.Action.Paths, func(p string) bool {
		return p == "~" || p == "/" || path.Clean(p) == effects.At(ev).Home()
	})
}
