package console

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/store"
)

type sessionList struct {
	Filter   filterBox
	Sessions []*store.Session
}

func (c *console) sessions(_ http.ResponseWriter, r *http.Request) (*view, error) {
	f, box := c.box(r, "sessions", "project:**/api since:7d")
	l := &sessionList{Filter: box}
	v := &view{Template: "sessions", Title: "Sessions", Tab: "sessions", Data: l}
	return listPage(r, v, box, func(e store.Events) (err error) {
		l.Sessions, err = e.Sessions(r.Context(), f, perPage)
		return err
	})
}

// oneSession is a session with its turns.
type oneSession struct {
	store.Session
	Pending int
	Turns   []*turn
	Only    bool  // decisions only
	All     bool  // the other way was asked for
	Older   int64 // where the next page begins
	Path    string
	// Gap is what the transcript has and the evidence has not; NoGap says why
	// that is not known.
	Gap   *liveness.Gap
	NoGap string
}

// turn is what an agent did after one prompt.
type turn struct {
	Name   string
	Calls  int
	Groups []group
}

// group is what an agent did in a row: the main one, or a sub-agent.
type group struct {
	Agent         string // "" is the main one
	Calls, Denied int
	Rows          []step
}

// step is an event, with who was asked about it and what they said.
type step struct {
	eventRow
	Asked []*store.Approval
}

// sessionPage is how many events a page of a session has.
const sessionPage = 200

func (c *console) session(_ http.ResponseWriter, r *http.Request) (*view, error) {
	host, id, q := r.PathValue("host"), r.PathValue("id"), r.URL.Query()
	s := &oneSession{Session: store.Session{Host: host, ID: id}, Path: r.URL.Path, All: q.Get("all") != ""}
	which := terms("host", host, "session", id)
	all, err := c.events(r, store.EventQuery{Most: sessionPage + 1}, which)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &problem{http.StatusNotFound, "There is no such session here.",
			"Its events may not be indexed yet, or are of another machine."}
	}
	decisions := ""
	if s.Only = len(all) > sessionPage && !s.All; s.Only {
		decisions = "decision:allow,ask,deny"
	}
	list, err := c.events(r, store.EventQuery{Most: sessionPage, Before: number(q.Get("before"))}, which, decisions)
	if err != nil {
		return nil, err
	}
	if len(list) == sessionPage {
		s.Older = list[sessionPage-1].Row
	}
	if err := c.summary(r, s); err != nil {
		return nil, err
	}
	s.compare(c, r, all, which)
	asked, err := service(r.Context()).Store.Approvals(r.Context(), store.Query{Session: id, Most: 1000})
	if err != nil {
		return nil, err
	}
	for _, a := range asked {
		if a.State == store.Pending {
			s.Pending++
		}
	}
	slices.Reverse(list)
	s.Turns = turns(list, asked)
	return &view{Template: "session", Title: "Session " + clean(id), Tab: "sessions", Data: s}, nil
}

func (c *console) summary(r *http.Request, s *oneSession) error {
	e, err := index(r)
	if err != nil {
		return err
	}
	f, err := filter.Parse(terms("host", s.Host, "session", s.ID), filter.Events, c.Now())
	if err != nil {
		return err
	}
	list, err := e.Sessions(r.Context(), f, 1)
	if err == nil && len(list) > 0 {
		s.Session = *list[0]
	}
	return err
}

// compared is how many events of a session are compared with its transcript.
const compared = 3000

// compare looks for calls of the transcript that are not in the evidence. The
// page has some of the events already, or all.
func (s *oneSession) compare(c *console, r *http.Request, list []*store.Event, which string) {
	if c.Gap == nil {
		return
	}
	if s.Events > compared {
		s.NoGap = "This session is too long to compare with its transcript here. Run trammel doctor."
		return
	}
	if s.Events > len(list) {
		var err error
		if list, err = c.events(r, store.EventQuery{Most: compared}, which, "event:"+trammel.PreToolUse.String()); err != nil {
			s.NoGap = "It cannot be compared with its transcript: " + explain(err).detail
			return
		}
	}
	var calls []string
	for _, e := range list {
		if e.Call != "" && e.Event == trammel.PreToolUse.String() {
			calls = append(calls, e.Call)
		}
	}
	gap, err := c.Gap(r.Context(), &s.Session, calls)
	if err != nil {
		s.NoGap = "It cannot be compared with its transcript: " + clean(err.Error())
	}
	s.Gap = gap
}

// turns groups events by the prompt that they follow, and by agent.
func turns(list []*store.Event, asked []*store.Approval) []*turn {
	var out []*turn
	for _, e := range list {
		if n := len(out); n == 0 || out[n-1].Name != e.Turn && e.Turn != "" {
			out = append(out, &turn{Name: e.Turn})
		}
		t := out[len(out)-1]
		agent := ""
		if e.AgentID != "" {
			agent = cmp.Or(e.Agent, e.AgentID)
		}
		if n := len(t.Groups); n == 0 || t.Groups[n-1].Agent != agent {
			t.Groups = append(t.Groups, group{Agent: agent})
		}
		g := &t.Groups[len(t.Groups)-1]
		g.Rows = append(g.Rows, step{eventRow{e, lookOf(e), took(e.Micros)}, about(e, asked)})
		if e.Event == trammel.PreToolUse.String() {
			t.Calls++
			g.Calls++
		}
		if e.Decision == "deny" {
			g.Denied++
		}
	}
	return out
}

// about finds the approvals that a call has asked for.
func about(e *store.Event, asked []*store.Approval) (out []*store.Approval) {
	for _, a := range asked {
		if a.Tool == e.Tool && slices.ContainsFunc(a.Asks, func(k store.Ask) bool { return k.Call != "" && k.Call == e.Call }) {
			out = append(out, a)
		}
	}
	return out
}
