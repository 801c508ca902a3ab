package console

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// perPage is how many rows a page has.
const perPage = 100

// row is an approval in a list.
type row struct {
	*store.Approval
	Summary  string
	Standing string // what has become of it, "" while it waits
	Bound    string // the digest of what would run
	Yes, Of  int    // votes for it, and how many it needs
	Mine     bool   // this person can decide it now
}

// tabs are the lists of the inbox; the last is a page of its own.
var tabs = []string{"pending", "mine", "history", "denied"}

// inbox is what the page of the same name shows.
type inbox struct {
	Tab      string
	Rows     []row
	Shown    string // the ids of the rows
	New      int    // how many wait that are not among them
	Older    int64  // where the next page begins; 0 if there is none
	Today    int    // how many were decided today
	Outcomes []outcome
	Secret   bool // a decision needs the authority secret
	MayDeny  string
	Filter   filterBox
}

var decided = []store.State{store.Approved, store.Rejected, store.Expired, store.Cancelled, store.Consumed, store.Lapsed, store.Revoked}

// inbox lists what waits, soonest expiry first, or what was decided. With rows
// it shows those and in that order: rows never move while somebody looks, and
// what has come since is counted.
func (c *console) inbox(_ http.ResponseWriter, r *http.Request) (*view, error) {
	in, err := c.list(r, r.URL.Query())
	if err != nil {
		return nil, err
	}
	v := &view{Template: "inbox", Title: "Inbox", Tab: "inbox", Data: in}
	if in.Filter.Wrong != "" {
		v.Status = http.StatusUnprocessableEntity
	}
	return v, nil
}

func (c *console) list(r *http.Request, form map[string][]string) (*inbox, error) {
	get := func(key string) string { return strings.Join(form[key], "") }
	p := auth.From(r.Context())
	in := &inbox{Tab: get("tab"), Secret: !p.Fresh(c.Now()), MayDeny: mayNot(p)}
	if !slices.Contains(tabs[:3], in.Tab) {
		in.Tab = "pending"
	}
	in.Filter = c.newBox(r, "inbox", "is:mine tool:Bash project:**/api")
	in.Filter.Query, in.Filter.Keep = get("q"), map[string]string{"tab": in.Tab}
	f, err := filter.Parse(in.Filter.Query, filter.Approvals, c.Now())
	if err != nil {
		in.Filter.Wrong = err.Error()
		return in, nil
	}
	q := store.Query{States: []store.State{store.Pending}, Most: perPage, Before: number(get("before")), Filter: f,
		Mine: func(a *store.Approval) bool { return may(service(r.Context()), a, p) == "" }}
	if in.Tab == "history" {
		q.States = decided
	}
	all, err := service(r.Context()).Store.Approvals(r.Context(), q)
	if err != nil {
		return nil, err
	}
	if len(all) == perPage {
		in.Older = all[perPage-1].Seq
	}
	var rows []row
	for _, a := range all {
		if made := makeRow(r.Context(), a, p); in.Tab != "mine" || made.Mine {
			rows = append(rows, made)
		}
	}
	if in.Tab != "history" {
		slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.last(), b.last()) })
	}
	if kept := get("rows"); kept != "" {
		rows, in.New, err = c.keep(r, rows, strings.Split(kept, ","), p)
	}
	in.Rows, in.Shown = rows, ids(rows)
	if len(rows) == 0 && err == nil {
		in.Today, err = c.today(r.Context())
	}
	return in, err
}

// keep puts the rows that are shown already where they were, as they stand
// now, and counts the others.
func (c *console) keep(r *http.Request, rows []row, kept []string, p *auth.Person) (out []row, others int, err error) {
	for _, id := range kept[:min(len(kept), perPage)] {
		a, err := service(r.Context()).Store.Approval(r.Context(), id)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, makeRow(r.Context(), a, p))
	}
	for i := range rows {
		if !slices.Contains(kept, rows[i].ID) {
			others++
		}
	}
	return out, others, nil
}

// last is the moment by which it has to be decided; what has no limit comes last.
func (r *row) last() int64 {
	if r.Expires.IsZero() {
		return 1<<63 - 1
	}
	return r.Expires.Micros()
}

func makeRow(ctx context.Context, a *store.Approval, p *auth.Person) row {
	out := row{Approval: a, Summary: show.What(a), Bound: approvals.Shown(a), Mine: a.State == store.Pending &&
		may(service(ctx), a, p) == ""}
	for _, f := range a.Needs.Factors {
		out.Of += f.N
	}
	for _, v := range a.Votes {
		if v.Approve {
			out.Yes++
		}
	}
	if a.State != store.Pending {
		out.Standing = show.Status(a)
	}
	return out
}

// may says why this person cannot decide it, "" if they can.
func may(s *approvals.Service, a *store.Approval, p *auth.Person) string {
	if why := mayNot(p); why != "" {
		return why
	}
	if err := s.May(a, p.Identity); err != nil {
		return explain(err).detail
	}
	return ""
}

// mayNot says why this person cannot decide anything, "" if they can.
func mayNot(p *auth.Person) string {
	if p.Role < auth.Approver {
		return "You are logged in as a viewer. Log in with the authority secret or as an approver to decide."
	}
	return ""
}

// waiting is how many requests wait.
func (c *console) waiting(ctx context.Context) (int, error) {
	list, err := service(ctx).Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}, Most: 1000})
	n := 0
	for _, a := range list {
		if a.Expires.IsZero() || c.Now().Before(a.Expires.Time) {
			n++
		}
	}
	return n, err
}

// today is how many were decided since midnight.
func (c *console) today(ctx context.Context) (n int, err error) {
	list, err := service(ctx).Store.Approvals(ctx, store.Query{States: decided, Most: 1000})
	for _, a := range list {
		if !a.Decided.IsZero() && !a.Decided.Before(c.Now().Truncate(24*time.Hour)) {
			n++
		}
	}
	return n, err
}

func ids(rows []row) string {
	out := make([]string, len(rows))
	for i := range rows {
		out[i] = rows[i].ID
	}
	return strings.Join(out, ",")
}

// outcome is what came of one of several decisions.
type outcome struct {
	ID, Tool, Text string
	OK             bool
}

// denyAll denies what was selected, with one reason. Each is decided by
// itself, and says what came of it.
func (c *console) denyAll(_ http.ResponseWriter, r *http.Request) (*view, error) {
	if err := r.ParseForm(); err != nil {
		return nil, &problem{http.StatusBadRequest, "The form cannot be read.", ""}
	}
	chosen, reason := r.PostForm["chosen"], strings.TrimSpace(r.PostFormValue("comment"))
	switch {
	case len(chosen) == 0 || len(chosen) > perPage:
		return nil, &problem{http.StatusUnprocessableEntity, "Nothing was selected.", "Mark the requests to deny first."}
	case reason == "":
		return nil, &problem{http.StatusUnprocessableEntity, "A reason is needed to deny several requests.", "The agents see it."}
	}
	p, err := c.decider(r)
	if err != nil {
		return nil, err
	}
	var outcomes []outcome
	for _, text := range chosen {
		id, rest, _ := strings.Cut(text, " ") // id, nonce and digest, as they were shown
		nonce, digest, _ := strings.Cut(rest, " ")
		a, err := service(r.Context()).Decide(r.Context(), approvals.Decision{Approval: id, Nonce: nonce, Digest: digest, Comment: reason,
			Identity: p.Identity, Channel: channel, Signer: p.Key})
		if err != nil {
			outcomes = append(outcomes, outcome{ID: id, Text: explain(err).detail})
			continue
		}
		outcomes = append(outcomes, outcome{ID: id, Tool: a.Tool, Text: show.Status(a), OK: true})
	}
	in, err := c.list(r, r.URL.Query())
	if err != nil {
		return nil, err
	}
	in.Outcomes = outcomes
	return &view{Template: "inbox", Title: "Inbox", Tab: "inbox", Data: in}, nil
}
