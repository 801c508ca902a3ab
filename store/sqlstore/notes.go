package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/trammel-dev/trammel/store"
)

// finish stores the notes of a change and notifies listeners.
func (s *Store) finish(ctx context.Context, tx *sql.Tx, notes []store.Note) error {
	for i := range notes {
		text, err := encode(&notes[i])
		if err != nil {
			return err
		}
		if _, err := s.write(ctx, tx, `INSERT INTO notes (id, doc) VALUES ($1, $2)`, notes[i].ID, text); err != nil {
			return err
		}
	}
	if s.Driver.Notify == "" {
		return nil
	}
	_, err := s.write(ctx, tx, s.Driver.Notify)
	return err
}

// Notes implements store.Store.
func (s *Store) Notes(ctx context.Context, most int) ([]store.Note, error) {
	list, err := documents[store.Note](ctx, s, nil, `SELECT seq, doc FROM notes ORDER BY seq LIMIT $1`, most)
	var out []store.Note
	for _, n := range list {
		out = append(out, *n)
	}
	return out, err
}

// mostHeld is how many notes Hold reads.
const mostHeld = 1000

// Hold implements store.Store.
func (s *Store) Hold(ctx context.Context, hold func(*store.Note) bool) (held []store.Note, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		held = nil
		rows, err := tx.QueryContext(ctx, s.sql(`SELECT seq, doc FROM notes ORDER BY seq LIMIT $1`+s.Driver.ForUpdate), mostHeld)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		list, err := scan[store.Note](rows, nil)
		if err != nil {
			return err
		}
		for _, n := range list {
			if !hold(n) {
				continue
			}
			text, err := encode(n)
			if err != nil {
				return err
			}
			if _, err := s.write(ctx, tx, `UPDATE notes SET doc = $1 WHERE id = $2`, text, n.ID); err != nil {
				return err
			}
			held = append(held, *n)
		}
		return nil
	})
	return held, err
}

// Recorded implements store.Store.
func (s *Store) Recorded(ctx context.Context, ids ...string) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			if _, err := s.write(ctx, tx, `DELETE FROM notes WHERE id = $1`, id); err != nil {
				return err
			}
		}
		return nil
	})
}
