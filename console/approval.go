package console

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// card is one approval with everything that is known about it.
type card struct {
	row
	View    show.View
	Chain   string // of agents, the outermost first
	Args    []argument
	Remarks []string
	Diffs   []show.FileDiff
	Edited  []show.Change // what an approver has changed
	// Why is why this person cannot decide, "" if they can.
	Why     string
	Secret  bool
	Options []string // reasons to choose from
	// Editable is the JSON to edit, NoEdit why it cannot be; Preview is what an
	// edit in the form comes to.
	Editable, NoEdit string
	Preview          *preview
	Older, Newer     string // the requests before and after this one
	Next             string // another one that this person can decide
	OnTimeout        string
	// Grant is what a grant would let through; NoGrant is why there can be none.
	Grant   *offer
	NoGrant string
}

// argument is one of the call's arguments as people see it.
type argument struct {
	Name, Text string
	Long       bool
}

// preview is an edit that is not decided yet.
type preview struct {
	Changes []show.Change
	Answers []string
	Args    string
}

// options are reasons that come up again and again.
var options = []string{"Not now: ask again later.", "Wrong target: check what it is about to change.",
	"Too broad: do only what was asked for.", "Do this another way, and say how first."}

func (c *console) approval(_ http.ResponseWriter, r *http.Request) (*view, error) {
	a, err := service(r.Context()).Store.Approval(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	return c.card(r, a, nil)
}

// card shows an approval, and what was wrong with a decision about it.
func (c *console) card(r *http.Request, a *store.Approval, wrong error) (*view, error) {
	p := auth.From(r.Context())
	k := &card{row: makeRow(r.Context(), a, p), View: show.Of(a), Why: may(service(r.Context()), a, p), Secret: !p.Fresh(c.Now()),
		Options: options,
		Chain:   chain(a), OnTimeout: onTimeout(a)}
	k.Remarks = k.View.Remarks()
	k.Args = arguments(shownArgs(a))
	k.Diffs = show.FileDiffs(shownArgs(a))
	if k.View.Asked != nil {
		k.Edited = show.Diff(k.View.Asked.Text, k.View.Args.Text)
	}
	k.Editable = editable(shownArgs(a))
	if c.Edit == nil {
		k.NoEdit = "This server cannot judge an edited call."
	}
	k.Grant, k.NoGrant = c.offer(r, a, p)
	v := &view{Template: "approval", Title: k.View.Tool + " " + string(a.State), Tab: "inbox", Data: k}
	if r.PostFormValue("do") == "preview" || r.PostFormValue("do") == "approve-edit" {
		k.Editable = r.PostFormValue("args")
		if wrong == nil {
			wrong = c.preview(r, a, k)
		}
	}
	if wrong != nil {
		why := explain(wrong)
		v.Status, v.Problem, v.Hint = why.status, why.detail, why.hint
	}
	return v, c.around(r, k, p)
}

func (c *console) preview(r *http.Request, a *store.Approval, k *card) error {
	edit, err := c.edit(r, a)
	if err != nil {
		return err
	}
	k.Preview = &preview{Changes: show.Diff(k.View.Args.Text, show.Args(edit.Args).Text), Answers: edit.Answers, Args: r.PostFormValue("args")}
	return nil
}

// around finds the neighbors of a card.
func (c *console) around(r *http.Request, k *card, p *auth.Person) error {
	list, err := service(r.Context()).Store.Approvals(r.Context(), store.Query{Before: k.Seq, Most: 1})
	if err != nil {
		return err
	}
	if len(list) > 0 {
		k.Older = list[0].ID
	}
	if list, err = service(r.Context()).Store.Approvals(r.Context(), store.Query{Before: k.Seq + 2, Most: 1}); err == nil && len(list) > 0 &&
		list[0].Seq > k.Seq {
		k.Newer = list[0].ID
	}
	open, err := service(r.Context()).Store.Approvals(r.Context(), store.Query{States: []store.State{store.Pending}})
	for _, a := range open {
		if a.ID != k.row.ID && may(service(r.Context()), a, p) == "" {
			k.Next = a.ID
		}
	}
	return err
}

func shownArgs(a *store.Approval) json.RawMessage {
	if a.Edit != nil {
		return a.Edit.Args
	}
	return a.Args
}

func chain(a *store.Approval) string {
	all := slices.Clone(a.Parents)
	slices.Reverse(all)
	if all = append(all, a.Agent); all[len(all)-1] == "" {
		all[len(all)-1] = "main"
	}
	return clean(strings.Join(all, " > "))
}

func onTimeout(a *store.Approval) string {
	if a.Expires.IsZero() || a.Needs.OnTime == "keep" {
		return "It keeps waiting until somebody decides."
	}
	return "If nobody decides in time, the call does not run, and the agent is told that nobody answered."
}

// arguments lists a call's arguments one by one: all of them, whole, masked,
// with nothing invisible.
func arguments(raw json.RawMessage) []argument {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return []argument{{Name: "(not an object)", Text: show.Args(raw).Text, Long: true}}
	}
	masked, _ := secret.RedactValue(obj)
	values := masked.(map[string]any)
	var out []argument
	for _, name := range slices.Sorted(maps.Keys(values)) {
		a := argument{Name: visible.Line(name)}
		if text, ok := values[name].(string); ok {
			a.Text = show.Lines(text)
		} else {
			one, _ := canonical.Append(nil, map[string]any{"": values[name]})
			text := show.Args(one).Text // {\n  "": …\n}
			text = strings.TrimSuffix(strings.TrimPrefix(text, "{\n  \"\": "), "\n}")
			a.Text = strings.ReplaceAll(text, "\n  ", "\n")
		}
		a.Long = len(a.Text) > 400 || strings.Count(a.Text, "\n") > 6
		out = append(out, a)
	}
	return out
}
