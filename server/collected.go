package server

import (
	"errors"
	"net/http"
	"path/filepath"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/collect"
)

// collector keeps what machines send. The machine is the name of its token.
func (s *Server) collector() *collect.Collector {
	return &collect.Collector{Dir: filepath.Join(s.Program.Dirs.State, "collected")}
}

func (s *Server) collectState(w http.ResponseWriter, r *http.Request) {
	state, err := s.collector().State(auth.From(r.Context()).Name, r.PathValue("log"))
	s.collected(w, r, state, err)
}

func (s *Server) collectTake(w http.ResponseWriter, r *http.Request) {
	var in collect.Push
	if err := read(w, r, &in); err != nil {
		s.failed(w, r, err)
		return
	}
	state, err := s.collector().Take(r.Context(), auth.From(r.Context()).Name, r.PathValue("log"), &in)
	s.collected(w, r, state, err)
}

func (s *Server) collected(w http.ResponseWriter, r *http.Request, state collect.State, err error) {
	var refused *collect.Refused
	switch {
	case errors.As(err, &refused):
		s.Log.Warn("evidence was refused", "machine", auth.From(r.Context()).Name, "log", r.PathValue("log"), "why", refused.Detail)
		s.refuse(w, http.StatusConflict, "", refused.Detail)
	case err != nil:
		s.failed(w, r, err)
	default:
		s.answer(w, state)
	}
}
