package server

import (
	"context"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/store"
)

// index keeps the index of events up with the logs of this machine.
func (s *Server) index(ctx context.Context) {
	svc, err := s.service(ctx)
	if err != nil {
		s.Log.Error("events are not indexed", "error", err)
		return
	}
	events, ok := svc.Store.(store.Events)
	if !ok {
		return
	}
	machine, _ := os.Hostname() // "" where there is none
	(&index.Follower{Events: events, Machine: machine, Root: filepath.Join(s.Program.Dirs.State, "evidence"),
		Report: func(log string, err error) {
			s.Log.Warn("a log is not indexed any further for now", "log", log, "error", err)
		}}).Run(ctx)
}
