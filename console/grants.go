package console

import (
	"net/http"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// offer is a grant that could be made: what it would let through, and how often
// that came up.
type offer struct {
	Tool    string
	Lines   []string
	Matched int
	Partly  int // how many records were looked at, if that was not all
}

// offer makes the narrow matcher for calls like this one.
func (c *console) offer(r *http.Request, a *store.Approval, p *auth.Person) (*offer, string) {
	if a.State != store.Pending {
		return nil, "It is decided."
	}
	if c.CallPattern == nil {
		return nil, "This server does not know which calls are like this one."
	}
	by := approvals.Granter{Identity: p.Identity, For: approvals.DefaultGrant}
	if _, err := service(r.Context()).MayGrant(a, approvals.ScopeRule, by); err != nil {
		return nil, explain(err).detail
	}
	n, err := c.CallPattern(a)
	if err != nil {
		return nil, "There is no narrow rule for calls like this one."
	}
	o := &offer{Tool: clean(a.Tool), Lines: n.Describe()}
	o.Matched, o.Partly = c.matched(r, a, &n)
	return o, ""
}

// matchedMost is how many records are looked at for what a grant would have matched.
const matchedMost = 1000

// matched counts recent calls of the same tool, host and project whose summary,
// taken as the call, fits. Records have no full arguments, so it is an estimate.
func (c *console) matched(r *http.Request, a *store.Approval, n *approvals.CallPattern) (count, partly int) {
	list, err := c.events(r, store.EventQuery{Most: matchedMost}, terms("tool", a.Tool, "host", a.Host, "project", a.Project)+" since:7d")
	if err != nil {
		return 0, 0
	}
	for _, e := range list {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Host: e.Host, Session: trammel.Session{Project: e.Project, Agent: e.Agent, Dir: a.Dir},
			Tool: &trammel.ToolCall{Name: e.Tool, Action: actionOf(e)}}
		if e.Event == trammel.PreToolUse.String() && n.Fits(ev) {
			count++
		}
	}
	if len(list) == matchedMost {
		partly = matchedMost
	}
	return count, partly
}

// actionOf is what a record says that a call would have done.
func actionOf(e *store.Event) trammel.Action {
	kind, _ := trammel.ParseActionKind(e.Action)
	a := trammel.Action{Kind: kind, Paths: e.Paths, URL: e.URL, Server: e.Server}
	if kind == trammel.ShellAction {
		a.Command = e.Summary
	}
	return a
}

// terms is a filter for keys with exactly these values.
func terms(pairs ...string) string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		value := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pairs[i+1])
		out = append(out, pairs[i]+`:="`+value+`"`)
	}
	return strings.Join(out, " ")
}

// grant approves a call, and makes a grant for those like it.
func (c *console) grant(w http.ResponseWriter, r *http.Request, a *store.Approval) (*view, error) {
	if c.CallPattern == nil {
		return c.card(r, a, &problem{http.StatusUnprocessableEntity, "Grants cannot be made here.", "Nothing was decided."})
	}
	p, err := c.decider(r)
	if err != nil {
		return c.card(r, a, err)
	}
	n, err := c.CallPattern(a)
	if err != nil {
		return c.card(r, a, err)
	}
	scope, why := r.PostFormValue("scope"), strings.TrimSpace(r.PostFormValue("why"))
	last, err := time.ParseDuration(r.PostFormValue("for"))
	s, by := service(r.Context()), approvals.Granter{Identity: p.Identity, Signer: p.Key, Reason: why, For: last}
	if err != nil || !by.Lasts() || scope != approvals.ScopeSession && scope != approvals.ScopeRule {
		return c.card(r, a, &problem{http.StatusUnprocessableEntity, "The form does not say which calls, or how long.", "Nothing was decided."})
	}
	if _, err := s.MayGrant(a, scope, by); err != nil {
		return c.card(r, a, err)
	}
	done, err := s.Decide(r.Context(), approvals.Decision{Approval: a.ID, Nonce: r.PostFormValue("nonce"), Digest: r.PostFormValue("digest"),
		Approve: true, Comment: why, Identity: p.Identity, Channel: channel, Signer: p.Key})
	if err != nil {
		return c.card(r, c.again(r, a), err)
	}
	if _, err := s.Grant(r.Context(), done, scope, n, by); err != nil {
		return c.card(r, done, err)
	}
	http.Redirect(w, r, "/grants", http.StatusSeeOther)
	return nil, nil
}

// grantRow is a grant in the list.
type grantRow struct {
	*store.Grant
	Lines []string
	Live  bool
	Why   string // why this person cannot take it back
}

func (c *console) grants(_ http.ResponseWriter, r *http.Request) (*view, error) {
	s, p := service(r.Context()), auth.From(r.Context())
	list, err := s.Store.Grants(r.Context())
	if err != nil {
		return nil, err
	}
	rows := make([]grantRow, len(list))
	for i, g := range list {
		rows[len(list)-1-i] = grantRow{Grant: g, Lines: approvals.PatternIn(g).Describe(), Live: s.Live(g), Why: p.MayRevoke(g.By)}
	}
	return &view{Template: "grants", Title: "Grants", Tab: "grants", Data: rows}, nil
}

func (c *console) revoke(w http.ResponseWriter, r *http.Request) (*view, error) {
	s, p := service(r.Context()), auth.From(r.Context())
	if !c.decisions.Allow(p.Of()) {
		return nil, auth.ErrTooMany
	}
	list, err := s.Store.Grants(r.Context())
	if err != nil {
		return nil, err
	}
	for _, g := range list {
		if g.ID != r.PathValue("id") {
			continue
		}
		if why := p.MayRevoke(g.By); why != "" {
			return nil, &problem{http.StatusForbidden, why, "Nothing has changed."}
		}
		if _, err := s.Revoke(r.Context(), g.ID, p.Name); err != nil {
			return nil, err
		}
		http.Redirect(w, r, "/grants", http.StatusSeeOther)
		return nil, nil
	}
	return nil, store.ErrNotFound
}
