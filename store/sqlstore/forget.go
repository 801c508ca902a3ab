package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// atOnce is how much is removed in one transaction, so that others can write in
// between.
const atOnce = 500

// Drop implements store.Events.
func (s *Store) Drop(ctx context.Context, machine, log string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		_, err := s.write(ctx, tx, `DELETE FROM events WHERE machine = $1 AND log = $2`, column(machine), column(log))
		return err
	})
}

// Prune implements store.Events.
func (s *Store) Prune(ctx context.Context, machine, log string, last uint64) error {
	return s.removeEvents(ctx, `machine = $1 AND log = $2 AND number <= $3 ORDER BY number LIMIT $4`, column(machine), column(log),
		int64(last))
}

// Forget implements store.Store. It starts with the oldest.
func (s *Store) Forget(ctx context.Context, before time.Time) error {
	for after := int64(0); ; {
		ended, err := documents(ctx, s, number, selectApproval+` WHERE state NOT IN ($1, $2) AND seq > $3 ORDER BY seq LIMIT $4`,
			string(store.Pending), string(store.Approved), after, atOnce)
		if err != nil {
			return err
		}
		var old []*store.Approval
		for _, a := range ended {
			if after = a.Seq; a.Created.Before(before) {
				old = append(old, a)
			}
		}
		if len(old) == 0 {
			return s.forgetEvents(ctx, before)
		}
		if err := s.remove(ctx, old); err != nil {
			return err
		}
	}
}

func (s *Store) remove(ctx context.Context, list []*store.Approval) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		for _, a := range list {
			for _, text := range []string{`DELETE FROM asks WHERE approval = $1`, `DELETE FROM approvals WHERE id = $1`} {
				if _, err := s.write(ctx, tx, text, a.ID); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (s *Store) forgetEvents(ctx context.Context, before time.Time) error {
	return s.removeEvents(ctx, `at < $1 ORDER BY at LIMIT $2`, before.UnixMicro())
}

// removeEvents removes the events that match a condition, some at a time. How
// many is its last parameter.
func (s *Store) removeEvents(ctx context.Context, which string, args ...any) error {
	for removed := int64(1); removed > 0; {
		err := s.inTx(ctx, func(tx *sql.Tx) (err error) {
			removed, err = s.write(ctx, tx, `DELETE FROM events WHERE row IN (SELECT row FROM events WHERE `+which+`)`,
				append(slices.Clone(args), atOnce)...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
