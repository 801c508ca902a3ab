package console

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// channel is how votes that are given here are known.
const channel = "console"

// decider is who decides, proved, and within the limit.
func (c *console) decider(r *http.Request) (*auth.Person, error) {
	p := auth.From(r.Context())
	if !c.decisions.Allow(p.Of()) {
		return nil, auth.ErrTooMany
	}
	if why := mayNot(p); why != "" {
		return nil, &problem{http.StatusForbidden, why, "Nothing was decided."}
	}
	return c.Decider(r, r.PostFormValue("secret"))
}

// decide takes a decision. What is shown afterwards is what the store has.
func (c *console) decide(w http.ResponseWriter, r *http.Request) (*view, error) {
	id, do := r.PathValue("id"), r.PostFormValue("do")
	d := approvals.Decision{Approval: id, Nonce: r.PostFormValue("nonce"), Digest: r.PostFormValue("digest"), Channel: channel,
		Comment: strings.TrimSpace(r.PostFormValue("comment"))}
	a, err := service(r.Context()).Store.Approval(r.Context(), id)
	if err != nil {
		return nil, err
	}
	switch do {
	case "preview":
		return c.card(r, a, nil)
	case "approve":
		d.Approve = true
	case "approve-edit":
		d.Approve = true
		if d.Edit, err = c.edit(r, a); err != nil {
			return c.card(r, a, err)
		}
	case "grant":
		return c.grant(w, r, a)
	case "deny":
		if d.Comment == "" {
			d.Comment = r.PostFormValue("option")
		}
	default:
		return c.card(r, a, &problem{http.StatusBadRequest, "The form does not say what to do.", "Nothing was decided."})
	}
	p, err := c.decider(r)
	if err != nil {
		return c.card(r, a, err)
	}
	d.Identity, d.Signer = p.Identity, p.Key
	if _, err = service(r.Context()).Decide(r.Context(), d); err != nil {
		return c.card(r, c.again(r, a), err)
	}
	http.Redirect(w, r, "/approvals/"+id, http.StatusSeeOther)
	return nil, nil
}

// again is the approval as it is now, for who decided about something else.
func (c *console) again(r *http.Request, a *store.Approval) *store.Approval {
	if now, err := service(r.Context()).Store.Approval(r.Context(), a.ID); err == nil {
		return now
	}
	return a
}

// edit is the edit in a form, with what the guards say about it.
func (c *console) edit(r *http.Request, a *store.Approval) (*store.Edit, error) {
	if c.Edit == nil {
		return nil, &problem{http.StatusUnprocessableEntity, "Arguments cannot be edited here.", "This server cannot judge the edited call."}
	}
	edited, err := strict.Object([]byte(r.PostFormValue("args")), strict.Limits{})
	if err != nil {
		return nil, &problem{http.StatusUnprocessableEntity, "The edited arguments are not a JSON object: " + clean(err.Error()),
			"Nothing was decided."}
	}
	asked, err := strict.Object(a.Args, strict.Limits{})
	if err != nil {
		return nil, err
	}
	if err := unmask(asked, edited); err != nil {
		return nil, &problem{http.StatusUnprocessableEntity, err.Error(), "Nothing was decided."}
	}
	args, err := canonical.Append(nil, edited)
	if err != nil {
		return nil, err
	}
	return c.Edit(r.Context(), a, args)
}

// number reads a positive number; anything else is 0.
func number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
