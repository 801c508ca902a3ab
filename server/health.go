package server

import (
	"context"
	"net/http"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// Health is the state of the server.
type Health struct {
	Status  string `json:"status"`
	Version string `json:"version"`
}

// healthz says that the process answers.
func (s *Server) healthz(_ http.ResponseWriter, _ *http.Request) (any, error) {
	return Health{"ok", s.Program.Version}, nil
}

// readyz says that the server can do its work: configuration and store can be
// read, and it is not shutting down.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
	defer cancel()
	svc, err := s.service(ctx)
	if err == nil {
		_, err = svc.Store.Approvals(ctx, store.Query{Most: 1})
	}
	switch {
	case s.ending.Err() != nil:
		s.problem(w, r, http.StatusServiceUnavailable, "the server is shutting down")
	case err != nil:
		s.failed(w, r, err)
	default:
		s.answer(w, Health{"ready", s.Program.Version})
	}
}
