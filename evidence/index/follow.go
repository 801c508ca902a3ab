package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/store"
)

const (
	lookEvery  = time.Second            // for new logs, and after an error
	pruneEvery = 5 * time.Second        // for tombstones
	gather     = 100 * time.Millisecond // how long a record waits for others
	batch      = 250                    // how many are indexed at once
)

// Follower indexes the logs in the directories below Root as they grow. Its
// position is in the store, so it continues where it, or another process,
// stopped.
type Follower struct {
	Events  store.Events
	Machine string
	Root    string
	// Busy, if set, reports whether others need the processors more. Then the
	// index falls behind for a while instead of slowing them down.
	Busy func() bool
	// Keep is the maximum age of indexed records; 0 means no limit.
	Keep time.Duration
	// Report, if set, is called with the reason why indexing a log has stopped for now.
	Report func(log string, err error)
}

// Run follows until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	var logs sync.WaitGroup
	defer logs.Wait()
	EachLog(ctx, f.Root, func(log string) {
		logs.Go(func() { f.keep(ctx, log) })
		logs.Go(func() { f.prune(ctx, log) })
	})
}

// EachLog calls found for each log below a directory, once: those that are
// there, and those that come until ctx ends.
func EachLog(ctx context.Context, root string, found func(log string)) {
	known := map[string]bool{}
	for ctx.Err() == nil {
		entries, _ := os.ReadDir(root) // it may not exist yet
		for _, e := range entries {
			if e.IsDir() && !known[e.Name()] {
				known[e.Name()] = true
				found(e.Name())
			}
		}
		pause.For(ctx, lookEvery)
	}
}

// prune removes records from the index that a person has pruned from the log.
func (f *Follower) prune(ctx context.Context, log string) {
	for done := uint64(0); ctx.Err() == nil; pause.For(ctx, pruneEvery) {
		last := transparency.Through(filepath.Join(f.Root, log))
		if last <= done {
			continue
		}
		if err := f.Events.Prune(ctx, f.Machine, log, last); err == nil {
			done = last
		} else if f.Report != nil && ctx.Err() == nil {
			f.Report(log, err)
		}
	}
}

// keep follows one log, and starts over after an error.
func (f *Follower) keep(ctx context.Context, log string) {
	for ctx.Err() == nil {
		err := f.follow(ctx, log)
		if errors.Is(err, evidence.ErrRestarted) {
			err = f.Events.Drop(ctx, f.Machine, log) // the index contradicts the log, and the log is right
		}
		if err != nil && ctx.Err() == nil {
			if f.Report != nil {
				f.Report(log, err)
			}
			pause.For(ctx, lookEvery)
		}
	}
}

func (f *Follower) follow(ctx context.Context, log string) error {
	last, id, err := f.Events.Indexed(ctx, f.Machine, log)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	read := make(chan store.Event, batch)
	go func() {
		defer close(read)
		stop(evidence.Tail(ctx, filepath.Join(f.Root, log), last, func(entry evidence.Entry) error {
			e, err := Event(entry.Seq, entry.Body)
			switch {
			case err != nil:
				return err
			case entry.Seq == last && e.ID != id:
				return evidence.ErrRestarted
			case entry.Seq == last, f.Keep > 0 && time.Since(e.Time.Time) > f.Keep:
				return nil
			}
			e.Machine, e.Log = f.Machine, log
			select {
			case read <- e:
				return nil
			case <-ctx.Done():
				return evidence.ErrStop
			}
		}))
	}()
	for {
		list, more := collect(read)
		if len(list) > 0 {
			// Records before the damage in a log are indexed, too.
			began := time.Now()
			if err := f.Events.Index(context.WithoutCancel(ctx), list...); err != nil {
				return err
			}
			f.yield(ctx, time.Since(began))
		}
		if !more {
			if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		}
	}
}

// yield pauses after work while others need the processors: it uses a twentieth
// of one then.
func (f *Follower) yield(ctx context.Context, worked time.Duration) {
	for rest := min(19*worked, lookEvery); rest > 0 && f.Busy != nil && f.Busy() && ctx.Err() == nil; rest -= gather / 10 {
		time.Sleep(min(rest, gather/10))
	}
}

// collect waits for a record, and a little for those that follow it.
func collect(read <-chan store.Event) (list []store.Event, more bool) {
	e, more := <-read
	if !more {
		return nil, false
	}
	list = append(list, e)
	for late := time.After(gather); len(list) < batch; {
		select {
		case e, more := <-read:
			if !more {
				return list, false
			}
			list = append(list, e)
		case <-late:
			return list, true
		}
	}
	return list, true
}
