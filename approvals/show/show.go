// Package show is how an approval looks to people, whatever they look at: a
// chat, the page, a terminal. Model and project wrote most of what is in it, so
// secrets are masked and characters that would not be seen are written out.
// The digest binds the call as it is; what is shown is never fed back.
package show

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/store"
)

// View is an approval as people see it. All texts are safe to look at; they
// have no markup, and whoever puts them into markup escapes them.
type View struct {
	ID, Tool, Summary, Reason string
	// Args are what would run: the edited arguments, if there is an edit.
	Args Arguments
	// Asked are the arguments that the agent asked for, if there is an edit.
	Asked  *Arguments
	Digest string // of what is shown and would run; a decision repeats it
	// Asker is who asks, Rule is why, Needs is who has to agree: a line each.
	Asker, Rule, Needs string
	// Status is how it stands, in a line; Votes are who said what, in theirs.
	Status string
	Votes  []string
	// Effects are what the call would do, Sessions where it was asked for.
	Effects, Sessions []string
	Open              bool // people can still decide
}

// Of is how an approval looks.
func Of(a *store.Approval) View {
	v := View{ID: a.ID, Tool: Safe(a.Tool), Summary: What(a), Reason: Safe(a.Reason), Args: Args(a.Args), Digest: approvals.Shown(a),
		Asker: asker(a), Rule: rule(a), Needs: Needs(a), Status: Status(a), Open: a.State == store.Pending}
	if a.Edit != nil {
		asked := v.Args
		v.Asked, v.Args = &asked, Args(a.Edit.Args)
	}
	for _, vote := range a.Votes {
		v.Votes = append(v.Votes, said(&vote))
	}
	v.Effects = EachLine(a.Effects)
	for _, ask := range a.Asks {
		v.Sessions = append(v.Sessions, Line(ask.Session))
	}
	return v
}

// EachLine is Line for each of several texts.
func EachLine(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = Line(text)
	}
	return out
}

// What says in a line what would run: the agent's summary, or the beginning of
// the arguments where that says no more than the name of the tool does.
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
	if n := v.Args.Masked; n > 0 {
		out = append(out, number(n, "value is", "values are")+" masked. The approval is for the real ones.")
	}
	if n := v.Args.Hidden; n > 0 {
		out = append(out, number(n, "character that a screen would not show is", "characters that a screen would not show are")+
			" written as <U+…>.")
	}
	return out
}

// Safe is Line without secrets.
func Safe(text string) string {
	text, _ = secret.Redact(text)
	return Line(text)
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
	if dir := a.Dir; dir != "" {
		parts = append(parts, "in "+dir)
	}
	if n := len(a.Asks); n > 1 {
		parts = append(parts, fmt.Sprintf("%d calls wait for it", n))
	}
	return Safe(strings.Join(parts, ", "))
}

func rule(a *store.Approval) string {
	if a.Source == "" {
		return Safe(a.Hook)
	}
	return Safe(a.Hook + " (" + a.Source + ")")
}

// Needs says who has to agree.
func Needs(a *store.Approval) string {
	var parts []string
	for _, f := range a.Needs.Factors {
		who := slices.Clone(f.Approvers)
		for i := range min(a.Escalated, len(a.Needs.Escalate)) {
			who = append(who, a.Needs.Escalate[i]...)
		}
		parts = append(parts, fmt.Sprintf("%d of %s", f.N, strings.Join(who, ", ")))
	}
	return Line(strings.Join(parts, " and "))
}
