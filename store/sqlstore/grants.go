package sqlstore

import (
	"context"
	"database/sql"

	"github.com/trammel-dev/trammel/store"
)

// PutGrant implements store.Store.
func (s *Store) PutGrant(ctx context.Context, g *store.Grant, notes ...store.Note) error {
	text, err := encode(g)
	if err != nil {
		return err
	}
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := s.write(ctx, tx, `INSERT INTO grants (id, doc) VALUES ($1, $2)`, g.ID, text); err != nil {
			return err
		}
		return s.finish(ctx, tx, notes)
	})
}

// Grants implements store.Store.
func (s *Store) Grants(ctx context.Context) ([]*store.Grant, error) {
	return documents[store.Grant](ctx, s, nil, `SELECT seq, doc FROM grants ORDER BY seq DESC`)
}

// ChangeGrant implements store.Store.
func (s *Store) ChangeGrant(ctx context.Context, id string, change func(*store.Grant) ([]store.Note, error)) (*store.Grant, error) {
	var g *store.Grant
	err := s.inTx(ctx, func(tx *sql.Tx) (err error) {
		var seq int64
		g, err = document[store.Grant](tx.QueryRowContext(ctx, s.sql(`SELECT seq, doc FROM grants WHERE id = $1`+s.Driver.ForUpdate), id), &seq)
		if err != nil {
			return err
		}
		notes, err := change(g)
		if err != nil {
			return err
		}
		text, err := encode(g)
		if err != nil {
			return err
		}
		if _, err := s.write(ctx, tx, `UPDATE grants SET doc = $1 WHERE id = $2`, text, id); err != nil {
			return err
		}
		return s.finish(ctx, tx, notes)
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}
