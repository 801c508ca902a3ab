package approvals_test

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// after looks at something once the burst is over: only then all votes in it
// are known.
func (w *town) after(look func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.later = append(w.later, look)
}

// use lets a call go on, if it may; then it must have been allowed to.
func (w *town) use(p *process, id string, r *approvals.Request) {
	now := p.Now()
	a, err := use(p.Service, id, r)
	if err != nil {
		return
	}
	w.after(func() {
		w.ran++
		w.runs[id]++
		args, _ := json.Marshal(r.Event.Tool.Input)
		shown := a.Args
		if a.Edit != nil {
			shown = a.Edit.Args
		}
		switch {
		case string(args) != string(plain(shown)) || a.PolicyDigest != r.Policy:
			w.t.Errorf("%s ran under %s, and %s was approved under %s", args, r.Policy, shown, a.PolicyDigest)
		case w.runs[id] > w.asks[id]:
			w.t.Errorf("%s: %d calls ran, and people saw %d", id, w.runs[id], w.asks[id])
		}
		w.agreed(a, r, now)
	})
}

// plain is JSON as Go writes it.
func plain(text json.RawMessage) []byte {
	var v map[string]any
	_ = json.Unmarshal(text, &v)
	out, _ := json.Marshal(v)
	return out
}

// agreed counts again, by what the onlooker has seen, who agreed and when.
func (w *town) agreed(a *store.Approval, r *approvals.Request, now time.Time) {
	edit, last, steps := "", time.Time{}, 0
	if a.Edit != nil {
		edit = a.Edit.Digest
	}
	yes, no := map[string]bool{}, map[string]bool{}
	for _, c := range w.votes {
		switch {
		case c.id != a.ID:
		case !c.approve:
			no[c.who] = true
		case c.edit == edit:
			yes[c.who], last = true, c.at
			steps = max(steps, c.steps)
			if r.Needs.Every > 0 {
				steps = max(steps, int(c.at.Sub(a.Created.Time)/r.Needs.Every))
			}
		}
	}
	for _, k := range a.Asks {
		delete(yes, map[string]string{"slack:T/cy": "cy", "slack:T/al": "al"}[k.User])
	}
	for _, f := range r.Needs.Factors {
		who := w.procs[0].Roster.Members(f.Approvers)
		for _, more := range r.Needs.Escalate[:min(steps, len(r.Needs.Escalate))] {
			who = append(who, more...)
		}
		n := 0
		for name := range yes {
			if slices.Contains(who, name) {
				n++
			}
		}
		if n < f.N {
			w.t.Errorf("%s ran, and %d of %v agreed, not %d: %+v", a.ID, n, who, f.N, yes)
		}
	}
	if len(no) >= r.Needs.DenyAt || !now.Before(last.Add(r.Window)) {
		w.t.Errorf("%s ran at %s; %d were against it, and the last vote for it was at %s", a.ID, now, len(no), last)
	}
}

// give grants exactly the call of an approval, for a minute.
func (w *town) give(p *process, a *store.Approval, who string, session bool) {
	ev, _ := approvals.EventOf(a, trammel.Shapes{})
	match, err := approvals.PatternOf(ev)
	scope := map[bool]string{true: approvals.ScopeSession, false: approvals.ScopeRule}[session]
	if err != nil {
		w.t.Error(err)
	}
	g, err := p.Grant(context.Background(), a, scope, match, approvals.Granter{Identity: "slack:T/" + who, Signer: w.key,
		For: 2 * time.Minute})
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.grants[g.ID] = &granted{Grant: g, key: a.CallKey}
}

// pass lets a call through by a grant, if there is one that may.
func (w *town) pass(p *process, r *approvals.Request) {
	now := p.Now()
	used, err := p.Granted(context.Background(), r)
	if err != nil || used == nil {
		return
	}
	w.after(func() {
		w.passed++
		g := w.grants[used.ID]
		digest, _ := approvals.Digest(r.Event, "")
		asker := map[string]string{"slack:T/cy": "cy", "slack:T/al": "al"}[r.User]
		switch {
		case g == nil:
			w.t.Errorf("%s was never made", used.ID)
		case g.over || !now.Before(g.Expires.Time) || now.Before(g.Created.Add(-time.Minute)):
			w.t.Errorf("%s was used at %s, taken back: %v, until %s", g.ID, now, g.over, g.Expires)
		case g.Policy != r.Policy || g.key != digest || g.Scope == approvals.ScopeSession && g.Session != r.Event.Session.ID:
			w.t.Errorf("%s is for another call, policy or session", g.ID)
		case r.Policy == "p1" || r.Policy == "p2" || g.By == asker || !slices.Contains([]string{"al", "bo", "cy"}, g.By):
			w.t.Errorf("%s could not decide alone under %s for %s", g.By, r.Policy, r.User)
		}
	})
}

func (w *town) revoke(p *process) {
	list, err := p.Store.Grants(context.Background())
	if err == nil && len(list) > 0 {
		_, _ = p.Revoke(context.Background(), list[0].ID, "al")
	}
}

// inspect looks at all approvals: what has ended is as it was, nothing goes
// back, and each state has a note that is on record, or on its way.
func (w *town) inspect() {
	ctx := context.Background()
	notes, err := w.procs[0].Store.Notes(ctx, 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	told := map[string]int{}
	for _, n := range notes {
		w.recorded[n.ID] = n.Subject + " " + n.Kind
	}
	for _, what := range w.recorded {
		told[what]++
	}
	list, err := w.procs[0].Store.Approvals(ctx, store.Query{Most: 40})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, a := range list {
		was := w.last[a.ID]
		w.last[a.ID] = a
		switch {
		case told[a.ID+" approval."+string(a.State)] == 0 && a.State != store.Pending, told[a.ID+" approval.requested"] == 0:
			w.t.Errorf("%s is %s, and nothing on record says so", a.ID, a.State)
		case was == nil:
		case !was.State.Open() && (a.State != was.State || len(a.Votes) != len(was.Votes) || a.Why != was.Why):
			w.t.Errorf("%s was %s and is %s", a.ID, was.State, a.State)
		case was.State == store.Approved && a.State == store.Pending, len(a.Votes) < len(was.Votes):
			w.t.Errorf("%s was %s with %d votes and is %s with %d", a.ID, was.State, len(was.Votes), a.State, len(a.Votes))
		}
		used := 0
		for _, k := range a.Asks {
			if !k.Used.IsZero() {
				used++
			}
		}
		if n := told[a.ID+" approval.consumed"]; n != used {
			w.t.Errorf("%s was used %d times, and %d are on record", a.ID, used, n)
		}
	}
}
