package approvals

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/summary"
	"github.com/trammel-dev/trammel/store"
)

// EventOf is the call of an approval as it was asked. tools are those of its host.
func EventOf(a *store.Approval, tools trammel.Shapes) (*trammel.Event, error) {
	input, err := strict.Object(a.Args, strict.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the stored arguments are damaged: %w", err)
	}
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: a.Host, Tools: tools, Tool: &trammel.ToolCall{Name: a.Tool, Input: input},
		Session: trammel.Session{Project: a.Project, Dir: a.Dir, Agent: a.Agent, Parents: a.Parents}}
	ask := a.First()
	ev.Session.ID, ev.Session.AgentID = ask.Session, ask.Agent
	ev.Prepare()
	return ev, nil
}

// maxEffects is how many effects are listed, followed by the number of others.
const maxEffects = 40

// effectsOf says what a call does, a line each.
func effectsOf(ev *trammel.Event) []string {
	set := effects.Of(ev)
	var out []string
	for i := range set.Runs {
		out = append(out, "runs "+match.Line(&set.Runs[i]))
	}
	for i := range set.Files {
		f := &set.Files[i]
		line := f.Op.String() + " " + f.Path.Abs
		if f.Path.Abs == "" {
			line = f.Op.String() + " " + f.Path.Text
		}
		if f.Tree {
			line += " and everything below"
		}
		out = append(out, line)
	}
	for _, n := range effects.Hosts(set) {
		out = append(out, "talks to "+cmp.Or(n.Host, "an unknown host"))
	}
	for i := range set.Codes {
		out = append(out, fmt.Sprintf("runs %s code (%s)", set.Codes[i].Language, set.Codes[i].Origin))
	}
	for i := range set.Doubts {
		out = append(out, fmt.Sprintf("unknown %s: %s", set.Doubts[i].Code, set.Doubts[i].What))
	}
	if n := len(out); n > maxEffects {
		out = append(out[:maxEffects], fmt.Sprintf("and %d more", n-maxEffects))
	}
	for i := range out {
		out[i] = summary.Line(out[i])
	}
	return out
}

// Describe says in lines what a grant lets through.
func (n *CallPattern) Describe() []string {
	if n.Exact != "" {
		return []string{"exactly these arguments"}
	}
	var out []string
	for _, r := range n.Runs {
		words := append(append(append([]string{}, r.Env...), r.Program), r.Words...)
		out = append(out, "runs "+strings.Join(words, " ")+" in "+r.Dir)
	}
	for _, f := range n.Files {
		switch {
		case f.In != "":
			out = append(out, f.Op+" files in "+f.In)
		case f.Tree:
			out = append(out, f.Op+" "+f.Path+" and everything below")
		default:
			out = append(out, f.Op+" "+f.Path)
		}
	}
	for _, h := range n.Hosts {
		out = append(out, "talks to "+h)
	}
	if n.With != "" {
		out = append(out, "with "+n.With)
	}
	for i := range out {
		out[i] = summary.Line(out[i])
	}
	return append(out, "and nothing else")
}
