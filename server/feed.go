package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/store"
)

// lookForLogs is how often to look for new logs; sweepEvery how often to do
// what is due, even if others do it, too; forgetEvery how often to remove old
// entries; gatherChanges how long to collect changes of approvals before
// reading them again.
const (
	lookForLogs = time.Second
	sweepEvery  = 2 * time.Second
	forgetEvery = time.Hour

	gatherChanges = 100 * time.Millisecond
)

// feedRecords publishes every record that any process appends.
func (s *Server) feedRecords(ctx context.Context) {
	root := filepath.Join(s.Program.Dirs.State, "evidence")
	known, first := map[string]bool{}, true
	for {
		entries, _ := os.ReadDir(root) // it may not exist yet
		for _, e := range entries {
			if dir := filepath.Join(root, e.Name()); e.IsDir() && !known[dir] {
				known[dir] = true
				from := uint64(1)
				if first {
					from = next(dir)
				}
				go s.follow(ctx, dir, from)
			}
		}
		first = false
		if !pause.For(ctx, lookForLogs) {
			return
		}
	}
}

// next is the number that the next record will have.
func next(dir string) uint64 {
	last, err := evidence.Last(dir)
	if err != nil {
		return 1
	}
	return last.Seq + 1
}

func (s *Server) follow(ctx context.Context, dir string, from uint64) {
	for {
		err := evidence.Tail(ctx, dir, from, func(e evidence.Entry) error {
			from = e.Seq + 1
			if s.Hub.Idle() {
				return nil
			}
			if row, err := e.Row(); err == nil {
				s.publish("record", shown(row))
			}
			return nil
		})
		if ctx.Err() != nil {
			return
		}
		s.Log.Warn("a log cannot be followed", "dir", dir, "error", err)
		if from++; errors.Is(err, evidence.ErrRestarted) { // else skip the line that is not a record
			from = 1
		}
		if !pause.For(ctx, lookForLogs) {
			return
		}
	}
}

func (s *Server) publish(kind string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		s.Log.Error("an event cannot be written", "error", err)
		return
	}
	s.Hub.Publish(kind, data)
}

// feedApprovals publishes approvals that have changed, in any process, and counts those
// decided since then.
func (s *Server) feedApprovals(ctx context.Context, since time.Time) {
	seen := map[string]string{} // the state of each, as it was published
	for first := true; ; first = false {
		svc, err := s.service(ctx)
		var changes <-chan struct{}
		if err == nil {
			changes, err = svc.Store.Changes(ctx)
		}
		for err == nil {
			began := time.Now()
			if err = s.published(ctx, svc.Store, seen, since, first); err != nil {
				break
			}
			first = false
			// Reading many takes time: leave some for other work.
			if !pause.For(ctx, max(gatherChanges, 3*time.Since(began))) {
				return
			}
			select {
			case _, open := <-changes:
				if !open {
					return
				}
			case <-ctx.Done():
				return
			}
		}
		if ctx.Err() != nil {
			return
		}
		s.Log.Error("approvals cannot be followed", "error", err)
		if !pause.For(ctx, time.Second) {
			return
		}
	}
}

// published publishes the approvals that have changed since they were last published.
func (s *Server) published(ctx context.Context, st store.Store, seen map[string]string, since time.Time, quiet bool) error {
	list, err := st.Approvals(ctx, store.Query{Most: 1000})
	if err != nil {
		return err
	}
	there := make(map[string]string, len(list))
	for i := range list {
		a := list[len(list)-1-i]
		now := fmt.Sprint(a.State, len(a.Votes), len(a.Asks), a.Edit != nil, a.Reminded, a.Escalated)
		there[a.ID] = now
		if seen[a.ID] != now && !quiet {
			s.publish("approval", viewOf(a))
		}
		before, known := seen[a.ID] // unknown if it was asked for and decided since the last look
		if strings.HasPrefix(before, string(store.Pending)) && !a.Decided.IsZero() || !known && a.Decided.After(since) {
			s.metrics.decided(a)
			s.exporter.Approval(a)
		}
	}
	clear(seen)
	for id, now := range there {
		seen[id] = now
	}
	return nil
}

// sweep does what is due, and regularly removes old entries.
func (s *Server) sweep(ctx context.Context) {
	var forgot time.Time
	for {
		svc, err := s.service(ctx)
		if err == nil {
			err = svc.Sweep(ctx)
		}
		if now := s.Now(); err == nil && now.Sub(forgot) >= forgetEvery {
			if err = svc.Store.Forget(ctx, now.Add(-s.retention())); err == nil {
				forgot = now
			}
		}
		if err != nil && ctx.Err() == nil {
			s.Log.Error("the sweep failed", "error", err)
		}
		if !pause.For(ctx, sweepEvery) {
			return
		}
	}
}
