package server

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/store"
)

// busyFor is how long the index pauses after an event: it works when there are
// no events.
const busyFor = 20 * time.Millisecond

// retention is how long finished approvals, and the index, are kept.
func (s *Server) retention() time.Duration {
	if d, err := s.Program.OwnDesk(); err == nil {
		return d.Settings.Kept()
	}
	return approvals.DefaultKeep
}

// busy reports whether an event came a moment ago. One from the future came
// before the clock was set back.
func (s *Server) busy(now time.Time) bool {
	return now.Sub(time.Unix(0, s.judged.Load())).Abs() < busyFor
}

// index keeps the index of events up to date with the logs of this machine.
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
		Keep: s.retention(),
		Busy: func() bool { return s.busy(time.Now()) },
		Report: func(log string, err error) {
			s.Log.Warn("indexing a log has stopped for now", "log", log, "error", err)
		}}).Run(ctx)
}
