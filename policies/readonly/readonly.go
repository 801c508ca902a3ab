// Package readonly is the policy read-only: the agent may read, but change
// nothing (FIM-41).
package readonly

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/sql"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Guard("read-only", "denies every action that is not known to only read",
		Options{Scope: "session", SQLTools: []string{"sql", "sql_query", "sql_select", "sql_read", "sql_run", "sql_execute",
			"sql_exec", "query_sql", "read_sql", "run_sql", "execute_sql"}}, build)
}

// Options configure the policy.
type Options struct {
	Scope    string              `json:"scope,omitempty" enum:"session,project,environment,organisation" jsonschema:"What may not change: anything at all, only the project's tree, anything while when_env holds, or anything for the organisations of when_org."`
	WhenEnv  map[string][]string `json:"when_env,omitempty" jsonschema:"For scope environment: variables and the values under which it holds; one that fits is enough."`
	WhenOrg  []string            `json:"when_org,omitempty" jsonschema:"For scope organisation: ids of the organisations that are read-only."`
	SQLTools []string            `json:"sql_tools,omitempty" jsonschema:"Tools that do nothing but run the SQL they are given: they pass with statements that only read."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	g := &guard{o}
	if (g.Scope == "environment") != (len(g.WhenEnv) > 0) {
		return nil, fmt.Errorf("found scope %s and %d variables in when_env, expected scope environment with at least one", g.Scope,
			len(g.WhenEnv))
	}
	if (g.Scope == "organisation") != (len(g.WhenOrg) > 0) {
		return nil, fmt.Errorf("found scope %s and %d organisations in when_org, expected scope organisation with at least one", g.Scope,
			len(g.WhenOrg))
	}
	return g, nil
}

type guard struct{ Options }

// Handle judges one event.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil {
		return trammel.Answer{}, nil
	}
	j := judgement{guard: g, ev: ev, set: effects.Of(ev)}
	if g.Scope == "environment" && !j.holds() {
		return trammel.Answer{}, nil
	}
	if org := ev.Session.Org; g.Scope == "organisation" && org != "" && !slices.Contains(g.WhenOrg, org) || g.readsSQL(ev.Tool) {
		return trammel.Answer{}, nil
	}
	if target, reason, found := j.change(); found {
		return trammel.Answer{
			Decision: trammel.Deny,
			Reason:   fmt.Sprintf("%s is read-only, and %s. Describe the change instead of making it.", g.subject(), reason),
			Findings: []trammel.Finding{{Code: "read_only", Severity: "error", Target: target}},
		}, nil
	}
	return trammel.Answer{}, nil
}

func (g *guard) subject() string {
	switch g.Scope {
	case "project":
		return "This project"
	case "environment":
		return "This environment"
	case "organisation":
		return "This organisation"
	}
	return "This session"
}

type judgement struct {
	*guard
	ev  *trammel.Event
	set *effects.Set
}

// holds reports whether the policy applies in this environment: the agent's own,
// or the one that a command sets for itself.
func (j *judgement) holds() bool {
	getenv := world.Getenv(j.ev)
	for name, values := range j.WhenEnv {
		if slices.Contains(values, getenv(name)) {
			return true
		}
		for i := range j.set.Runs {
			r := &j.set.Runs[i]
			for _, a := range r.Env {
				if a.Name == name && (slices.Contains(values, a.Value.Text) || !a.Value.Known) {
					return true
				}
			}
			for _, w := range r.Args { // export NAME=value, env NAME=value
				if key, value, ok := strings.Cut(w.Text, "="); ok && key == name && slices.Contains(values, value) {
					return true
				}
			}
		}
	}
	return false
}

// change finds the first thing that is not known to only read.
func (j *judgement) change() (target, reason string, found bool) {
	a := &j.ev.Tool.Action
	if !effects.Reads(j.ev) && a.Command == "" || a.Kind == trammel.AgentAction {
		if t, outside := j.outside(); !outside {
			return t, fmt.Sprintf("%s is an action of kind %s", j.ev.Tool.Name, a.Kind), true
		}
	}
	for _, t := range effects.Touches(j.ev) {
		if t.Changes() && !j.free(t) {
			return named(t), fmt.Sprintf("this would %s %s", verb(t.Op), named(t)), true
		}
	}
	for i := range j.set.Nets {
		switch n := &j.set.Nets[i]; {
		case n.Listens:
			return "port " + n.Port, "this waits for others to connect", true
		case n.Sends:
			return n.Host, fmt.Sprintf("this sends data to %s", cmp.Or(n.Host, "somebody")), true
		}
	}
	if len(j.set.Bombs) > 0 {
		return j.set.Bombs[0], "this starts processes without end", true
	}
	for i := range j.set.Runs {
		if r := &j.set.Runs[i]; !programs.OnlyReads(r) && !j.changesElsewhere(i) {
			return r.Program, fmt.Sprintf("%s is not known to only read", program(r)), true
		}
	}
	return j.doubt()
}

// doubt finds something unknown. It ignores doubts about which file is read.
func (j *judgement) doubt() (target, reason string, found bool) {
	for i := range j.set.Codes {
		if c := &j.set.Codes[i]; c.Origin != model.Inline || c.Language == "sql" && !sql.ClientReads(c.Text) {
			return c.Language, fmt.Sprintf("it is unknown what this %s code does", c.Language), true
		}
	}
	for i := range j.set.Doubts {
		if d := &j.set.Doubts[i]; d.Code != "path" {
			return d.What, fmt.Sprintf("it is unknown what %q does", d.What), true
		}
	}
	return "", "", false
}

// outside reports whether a call without a command changes only files outside of
// the protected tree.
func (j *judgement) outside() (string, bool) {
	changes := 0
	for _, t := range effects.Touches(j.ev) {
		if t.Changes() {
			if changes++; !j.free(t) {
				return named(t), false
			}
		}
	}
	_, bad := effects.Unreadable(j.ev)
	if kind := j.ev.Tool.Action.Kind; bad || changes == 0 || kind == trammel.OtherAction || kind == trammel.MCPAction {
		return j.ev.Tool.Action.Kind.String(), false
	}
	return "", true
}

// changesElsewhere reports whether everything that a run is known to change is
// outside of the protected tree. A run without known changes does not count: what
// it does is unknown.
func (j *judgement) changesElsewhere(run int) bool {
	changes := 0
	for _, t := range effects.Touches(j.ev) {
		if t.Run == run && t.Changes() {
			if changes++; !j.free(t) {
				return false
			}
		}
	}
	return changes > 0
}

// free reports whether a path may change, which only scope project allows.
func (j *judgement) free(t *effects.Touch) bool {
	root := j.ev.Session.Place()
	if j.Scope != "project" || !t.Path.Known() || root == "" {
		return false
	}
	for _, name := range t.Names() {
		if paths.Within(name, root) || t.Removes() && paths.Within(root, name) || t.Tree && paths.Within(root, name) {
			return false
		}
	}
	return true
}

func named(t *effects.Touch) string {
	if t.Path.Known() {
		return t.Path.Abs
	}
	return t.Path.Text
}

func program(r *effects.Run) string {
	return cmp.Or(r.Program, "an unknown program")
}

func verb(op model.Op) string {
	words := map[model.Op]string{effects.Mode: "change the permissions of", effects.Link: "make a link to"}
	return cmp.Or(words[op], op.String())
}
