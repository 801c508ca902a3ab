package server

import (
	"errors"
	"net/http"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

// shown is a row as streams carry it: without secrets, and without anything
// that a terminal or a page would interpret.
func shown(r evidence.Row) evidence.Row {
	for _, text := range []*string{&r.Host, &r.Event, &r.Session, &r.Tool, &r.Summary, &r.Reason} {
		redacted, _ := secret.Redact(*text)
		*text = visible.Line(redacted)
	}
	return r
}

// Evidence is a page of records, newest first. Next is the before of
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
		neutral(&e.Host, &e.Session, &e.Agent, &e.AgentID, &e.User, &e.Project, &e.Tool, &e.Summary, &e.URL, &e.Server, &e.Reason)
		for i := range e.Paths {
			neutral(&e.Paths[i])
		}
		out.Records = append(out.Records, e)
	}
	if len(list) == page {
		out.Next = list[len(list)-1].Row
	}
	return out, nil
}

// neutral makes texts of agents safe to display.
func neutral(texts ...*string) {
	for _, t := range texts {
		*t = visible.Line(*t)
	}
}
