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
	return changed(ctx, s, `SELECT seq, doc FROM grants`, id,
		func(g *store.Grant, _ int64) ([]store.Note, error) { return change(g) },
		func(tx *sql.Tx, _ *store.Grant, text string) error {
			_, err := s.write(ctx, tx, `UPDATE grants SET doc = $1 WHERE id = $2`, text, id)
			return err
		})
}
