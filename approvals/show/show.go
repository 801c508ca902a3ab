// Package show renders an approval for people: in a chat, on the page, on a
// terminal. Most of its text comes from models and projects, so secrets are
// masked and invisible characters are written out. The digest is of the real
// call; the rendered text is never used as input.
package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

// View is an approval as people see it. All texts are safe to display; they
// have no markup, so escape them before you put them into markup.
type View struct {
	ID, Tool, Summary, Reason string
	// Args are what would run: the edited arguments, if there is an edit.
	Args Arguments
	// Asked are the arguments that the agent asked for, if there is an edit.
	Asked  *Arguments
	Digest string // of what is shown and would run; a decision repeats it
	// Asker is who asks, Rule is why, Needs is who must approve: a line each.
	Asker, Rule, Needs string
	// Status is the state in a line; Votes has a line for each vote.
	Status string
	Votes  []string
	// Effects are what the call would do, Sessions where it was asked for.
	Effects, Sessions []string
	Open              bool // people can still decide
}

// Of is the view of an approval.
func Of(a *store.Approval) View {
	v := View{ID: a.ID, Tool: Safe(a.Tool), Summary: What(a), Reason: Safe(a.Reason), Args: Args(a.Args), Digest: approvals.Shown(a),
		Asker: asker(a), Rule: rule(a), Needs: Needs(a), Status: Status(a), Open: a.State == store.Pending}
	if a.Edit != nil {
		asked := v.Args
		v.Asked, v.Args = &asked, Args(a.Edit.Args)
	}
	for _, vote := range a.Votes {
		v.Votes = append(v.Votes, describeVote(&vote))
	}
	v.Effects = EachLine(a.Effects)
	for _, ask := range a.Asks {
		v.Sessions = append(v.Sessions, visible.Line(ask.Session))
	}
	return v
}

// EachLine is Line for each of several texts.
func EachLine(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = visible.Line(text)
	}
	return out
}

// What says in a line what would run: the agent's summary, or the beginning of
// the arguments if the summary is only the name of the tool.
func What(a *store.Approval) string {
	if a.Summary != "" && !strings.HasSuffix(a.Tool, a.Summary) {
		return Safe(a.Summary)
	}
	args := a.Args
	if a.Edit != nil {
		args = a.Edit.Args
	}
	line, _ := Cut(strings.Join(strings.Fields(Args(args).Text), " "), 120)
	return line
}

// Remarks say what is special about the arguments shown: that values are
// masked, that characters were written out, that an approver has changed them.
func (v *View) Remarks() []string {
	var out []string
	if v.Asked != nil {
		out = append(out, "An approver has changed the arguments.")
	}
	return append(out, v.Args.Remarks()...)
}

// Remarks say what cannot be seen as it is.
func (a *Arguments) Remarks() []string {
	var out []string
	if n := a.Masked; n > 0 {
		out = append(out, number(n, "value is", "values are")+" masked. The approval is for the real ones.")
	}
	if n := a.Hidden; n > 0 {
		out = append(out, number(n, "invisible character is", "invisible characters are")+
			" written as <U+…>.")
	}
	return out
}

// Safe is Line without secrets.
func Safe(text string) string {
	text, _ = secret.Redact(text)
	return visible.Line(text)
}

func asker(a *store.Approval) string {
	parts := []string{a.Host}
	if a.Agent != "" {
		parts = append(parts, "agent "+a.Agent)
	}
	if len(a.Parents) > 0 {
		parts = append(parts, "started by "+strings.Join(a.Parents, ", started by "))
	}
	if a.User != "" {
		parts = append(parts, "for "+a.User)
	}
	if a.Account != "" && a.Account != a.User {
		parts = append(parts, "submitted by "+a.Account)
	}
	if dir := a.Dir; dir != "" {
		parts = append(parts, "in "+dir)
	}
	if n := len(a.Asks); n > 1 {
		parts = append(parts, fmt.Sprintf("%d calls are waiting for it", n))
	}
	return Safe(strings.Join(parts, ", "))
}

func rule(a *store.Approval) string {
	if a.Source == "" {
		return Safe(a.Hook)
	}
	return Safe(a.Hook + " (" + a.Source + ")")
}

// Needs says who must approve.
func Needs(a *store.Approval) string {
	var parts []string
	for _, f := range a.Needs.Factors {
		who := slices.Clone(f.Approvers)
		for i := range min(a.Escalated, len(a.Needs.Escalate)) {
			who = append(who, a.Needs.Escalate[i]...)
		}
		parts = append(parts, fmt.Sprintf("%d of %s", f.N, strings.Join(who, ", ")))
	}
	return visible.Line(strings.Join(parts, " and "))
}
