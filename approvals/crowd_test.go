package approvals_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// counting counts how often approvals are read, and who waits.
type counting struct {
	store.Store
	reads, waits atomic.Int64
}

func (c *counting) Approval(ctx context.Context, id string) (*store.Approval, error) {
	c.reads.Add(1)
	return c.Store.Approval(ctx, id)
}

func (c *counting) Decided(ctx context.Context, id string) (<-chan struct{}, error) {
	defer c.waits.Add(1)
	return c.Store.Decided(ctx, id)
}

// Waiting calls do not all query the store whenever anything happens: a decision about
// one call costs the others nothing (issue 10: 200 waiting hooks stay responsive).
func TestCrowd(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		const crowd, others = 50, 40
		c := &counting{Store: o.Store}
		here := *o.Service
		here.Store = c
		var all sync.WaitGroup
		ctx, stop := context.WithCancel(t.Context())
		defer func() { stop(); all.Wait() }()
		began := time.Now()
		done := make(chan string, crowd)
		first := o.ask(t, call("first", 0), 1)
		for i := range crowd {
			a := first
			if i > 0 {
				a = o.ask(t, call(fmt.Sprint("s", i), i), 1)
			}
			all.Go(func() {
				if got, err := here.Wait(ctx, a.ID, nil); err == nil && got.State == store.Approved {
					done <- a.ID
				}
			})
		}
		for c.waits.Load() < crowd {
			time.Sleep(time.Millisecond)
		}
		there := o.other(t)
		for i := range others {
			o.ask(t, call("others", 1000+i), 1)
		}
		if _, err := there.Decide(ctx, o.ballot(first, "al", true)); err != nil {
			t.Fatal(err)
		}
		if got := <-done; got != first.ID {
			t.Errorf("%s was woken", got)
		}
		most := crowd * (2 + int64(time.Since(began)/time.Second)) // one at the start, and one a second
		if n := c.reads.Load(); n > most {
			t.Errorf("%d reads for %d who wait, want at most %d", n, crowd, most)
		}
	})
}
