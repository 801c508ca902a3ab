// Package deliver sends messages about requests to people, and keeps them up to
// date. Deliveries are stored in the approval, so that a restart loses nothing;
// a conditional write decides which server sends, so that any number of servers
// can run.
//
// A failed message is tried again. It decides nothing: somebody may see the
// request elsewhere.
package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/store"
)

// Worker delivers through channels. Its fields are set before it runs.
type Worker struct {
	Service  *approvals.Service
	Channels map[string]channels.Channel
	// Intake takes the answers of channels that fetch them; it may be nil.
	Intake *channels.Intake
	// Report is called with errors; it may be nil.
	Report func(error)
}

// idle is how often a worker checks if nothing has changed: for retries, and
// for work that another server left.
const idle = time.Second

// Run delivers until ctx ends. Each channel has its own goroutine: one that
// hangs does not delay the others.
func (w *Worker) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for name, c := range w.Channels {
		group.Go(func() { w.run(ctx, name, c) })
		if l, ok := c.(channels.Listener); ok && w.Intake != nil {
			group.Go(func() { _ = w.Intake.Listen(ctx, name, l) }) // it ends only with ctx
		}
	}
	group.Wait()
	return ctx.Err()
}

func (w *Worker) run(ctx context.Context, name string, c channels.Channel) {
	r := &route{Worker: w, name: name, channel: c, open: map[string]bool{}}
	changes, err := w.Service.Store.Changes(ctx)
	w.report(name, err)
	tick := time.NewTicker(idle)
	defer tick.Stop()
	for ctx.Err() == nil {
		start := time.Now()
		w.report(name, r.round(ctx))
		// Checking many approvals takes time: leave some for other work.
		pause.For(ctx, min(3*time.Since(start), idle))
		select {
		case <-ctx.Done():
		case <-changes:
		case <-tick.C:
		}
	}
}

func (w *Worker) report(name string, err error) {
	if err != nil && w.Report != nil && !errors.Is(err, context.Canceled) {
		w.Report(fmt.Errorf("channel %s: %w", name, err))
	}
}

// wants reports whether an approval is sent through this channel: its policy
// names this channel, or none.
func (w *Worker) wants(a *store.Approval, name string) bool {
	return len(a.Needs.Channels) == 0 || slices.Contains(a.Needs.Channels, name)
}
