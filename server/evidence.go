package server

import (
	"errors"
	"net/http"
	"time"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/store"
)

// Row is a record of the evidence in one line, as streams carry it.
type Row struct {
	Seq      uint64    `json:"seq"`
	ID       string    `json:"id"`
	Time     time.Time `json:"time"`
	Host     string    `json:"host"`
	Event    string    `json:"event"`
	Session  string    `json:"session,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Action   string    `json:"action,omitempty"`
	Summary  string    `json:"summary,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Hooks    []string  `json:"hooks,omitempty"`
	Rewrites []string  `json:"rewrites,omitempty"`
	Micros   int64     `json:"micros"`
	Error    string    `json:"error,omitempty"`
}

func rowView(r *evidence.Row) Row {
	safe := func(text string) string {
		text, _ = secret.Redact(text)
		return show.Line(text)
	}
	return Row{r.Seq, r.ID, r.Time, safe(r.Host), safe(r.Event), safe(r.Session), safe(r.Tool), r.Action, safe(r.Summary), r.Decision,
		safe(r.Reason), r.Hooks, r.Rewrites, r.Micros, r.Error}
}

// Evidence is records that were asked for, newest first. Next is the before of
// the next page.
type Evidence struct {
	Records []*store.Event `json:"records"`
	Next    int64          `json:"next,omitempty"`
}

// listEvidence lists records of all projects, as the index has them.
func (s *Server) listEvidence(_ http.ResponseWriter, r *http.Request) (any, error) {
	svc, f, before, err := s.asked(r, filter.Events)
	if err != nil {
		return nil, err
	}
	events, ok := svc.Store.(store.Events)
	if !ok {
		return nil, errors.New("this store has no index of events")
	}
	list, err := events.Events(r.Context(), store.EventQuery{Filter: f, Before: before, Most: page})
	if err != nil {
		return nil, err
	}
	out := Evidence{Records: []*store.Event{}}
	for _, e := range list {
		visible(&e.Host, &e.Session, &e.Agent, &e.AgentID, &e.User, &e.Project, &e.Tool, &e.Summary, &e.URL, &e.Server, &e.Reason)
		for i := range e.Paths {
			visible(&e.Paths[i])
		}
		out.Records = append(out.Records, e)
	}
	if len(list) == page {
		out.Next = list[len(list)-1].Row
	}
	return out, nil
}

// visible makes texts that agents wrote safe to look at.
func visible(texts ...*string) {
	for _, t := range texts {
		*t = show.Line(*t)
	}
}
