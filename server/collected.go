package server

import (
	"errors"
	"net/http"
	"path/filepath"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/collect"
)

// collector stores what machines send. The machine is the name of its token.
func (s *Server) collector() *collect.Collector {
	return &collect.Collector{Dir: filepath.Join(s.Program.Dirs.State, "collected")}
}

func (s *Server) collectState(_ http.ResponseWriter, r *http.Request) (any, error) {
	state, err := s.collector().State(auth.From(r.Context()).Name, r.PathValue("log"))
	return state, s.refused(r, err)
}

func (s *Server) collectTake(w http.ResponseWriter, r *http.Request) (any, error) {
	var in collect.Push
	if err := read(r, &in); err != nil {
		return nil, err
	}
	state, err := s.collector().Take(r.Context(), auth.From(r.Context()).Name, r.PathValue("log"), &in)
	return state, s.refused(r, err)
}

// refused turns a refused push into a 409, and logs it.
func (s *Server) refused(r *http.Request, err error) error {
	var refused *collect.Refused
	if !errors.As(err, &refused) {
		return err
	}
	s.Log.Warn("evidence was refused", "machine", auth.From(r.Context()).Name, "log", r.PathValue("log"), "why", refused.Detail)
	return &badRequest{http.StatusConflict, refused.Detail}
}
