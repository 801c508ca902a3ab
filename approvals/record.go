package approvals

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/store"
)

// A note is recorded once. The process that makes it or takes it over holds it
// for a while; nobody else records it meanwhile. A process that takes it over
// first checks whether it is recorded already: the holder may have crashed
// right after recording it.

// busy is how long a note is held.
const busy = 10 * time.Second

// held is until when a new note is held. A process that cannot record leaves it
// to others at once.
func (s *Service) held() store.Time {
	if s.Record == nil {
		return store.Time{}
	}
	return store.At(s.Now().Add(busy))
}

// free reports whether nobody holds a note. A hold of more than busy means that
// the clock was changed.
func (s *Service) free(n *store.Note) bool {
	left := n.Held.Sub(s.Now())
	return left <= 0 || left > busy
}

// record records notes that this process holds, and removes them from the list
// of unrecorded ones. It leaves to others what it cannot record.
func (s *Service) record(ctx context.Context, notes []store.Note) error {
	if s.Record == nil || len(notes) == 0 {
		return nil
	}
	var done []string
	for i, n := range notes {
		err := s.inTime(&n)
		if err == nil {
			err = s.Record(ctx, n)
		}
		if err != nil {
			return errors.Join(err, s.done(ctx, done), s.release(ctx, notes[i:]))
		}
		done = append(done, n.ID)
	}
	return s.done(ctx, done)
}

func (s *Service) done(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return s.Store.Recorded(ctx, ids...)
}

// inTime returns an error if another process may take a note over before it is
// recorded.
func (s *Service) inTime(n *store.Note) error {
	if n.Held.Sub(s.Now()) < busy/2 {
		return fmt.Errorf("%s took too long; it will be recorded later", n.Kind)
	}
	return nil
}

// release gives up notes that this process holds.
func (s *Service) release(ctx context.Context, notes []store.Note) error {
	_, err := s.Store.Hold(ctx, func(n *store.Note) bool {
		mine := slices.ContainsFunc(notes, func(m store.Note) bool { return m.ID == n.ID && m.Held == n.Held })
		if mine {
			n.Held = store.Time{}
		}
		return mine
	})
	return err
}

// atOnce is how many notes are taken over at once.
const atOnce = 100

// takeOverNotes takes over notes that nobody holds.
func (s *Service) takeOverNotes(ctx context.Context) ([]store.Note, error) {
	list, err := s.Store.Notes(ctx, atOnce)
	if err != nil || !slices.ContainsFunc(list, func(n store.Note) bool { return s.free(&n) }) {
		return nil, err
	}
	taken := 0
	list, err = s.Store.Hold(ctx, func(n *store.Note) bool {
		if taken == atOnce || !s.free(n) {
			return false
		}
		n.Held = s.held()
		taken++
		return true
	})
	for i := range list {
		list[i].Again = true
	}
	return list, err
}

// flush records what others have left unrecorded.
func (s *Service) flush(ctx context.Context) error {
	for s.Record != nil {
		notes, err := s.takeOverNotes(ctx)
		if err != nil || len(notes) == 0 {
			return err
		}
		if err := s.record(ctx, notes); err != nil {
			return err
		}
	}
	return nil
}

// OnRecord returns when all changes of an approval or a grant are recorded: it
// gives others a moment to record theirs, and then does it itself.
func (s *Service) OnRecord(ctx context.Context, subject string) error {
	ctx, stop := context.WithTimeout(ctx, busy+time.Second)
	defer stop()
	for wait := time.Millisecond; s.Record != nil; wait = min(2*wait, 50*time.Millisecond) {
		if err := s.flush(ctx); err != nil {
			return err
		}
		notes, err := s.Store.Notes(ctx, 1000)
		if err != nil || !slices.ContainsFunc(notes, func(n store.Note) bool { return n.Subject == subject }) {
			return err
		}
		if !pause.For(ctx, wait) {
			return fmt.Errorf("the changes of %s are not recorded yet: %w", subject, ctx.Err())
		}
	}
	return nil
}
