// Package deliver tells people about requests, and keeps what they were told
// up to date. What was sent where is stored in the approval, so that a restart
// loses nothing; who sends is settled by a conditional write, so that any
// number of servers can do this side by side.
//
// A message that cannot be sent is tried again. It decides nothing: somebody
// may still see the request elsewhere.
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
	// Intake takes the answers of channels that fetch them; nil is nobody.
	Intake *channels.Intake
	// Report is told what went wrong; nil is nobody.
	Report func(error)
}

// idle is how often a worker looks although nothing has changed: for what is
// due again, and for what another server left undone.
const idle = time.Second

// Run delivers until ctx ends. Each channel goes its own way: one that hangs
// does not keep the others waiting.
func (w *Worker) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for name, c := range w.Channels {
		group.Go(func() { w.run(ctx, name, c) })
		if l, ok := c.(channels.Listener); ok && w.Intake != nil {
			group.Go(func() { _ = w.Intake.Listen(ctx, name, l) }) // it ends with ctx only
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
		// Looking at many approvals takes time; not all of it is for this.
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

// wants reports whether people should be told about an approval through this
// channel: its policy names it, or none.
func (w *Worker) wants(a *store.Approval, name string) bool {
	return len(a.Needs.Channels) == 0 || slices.Contains(a.Needs.Channels, name)
}
