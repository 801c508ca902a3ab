package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

// Create implements store.Store. A unique index over the open approvals makes
// sure that of two processes only one creates.
func (s *Store) Create(ctx context.Context, a *store.Approval, notes ...store.Note) (*store.Approval, error) {
	for range 20 {
		open, err := s.Approvals(ctx, store.Query{Digest: a.Digest, States: []store.State{store.Pending, store.Approved}, Most: 1})
		switch {
		case err != nil:
			return nil, err
		case len(open) > 0:
			return open[0], store.ErrExists
		}
		if err = s.insert(ctx, a, notes); !errors.Is(err, store.ErrExists) {
			return a, err
		}
	}
	return nil, fmt.Errorf("store: identical approvals are created and removed at the same time; try again")
}

func (s *Store) insert(ctx context.Context, a *store.Approval, notes []store.Note) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		text, err := encode(a)
		if err != nil {
			return err
		}
		row := tx.QueryRowContext(ctx, s.sql(`INSERT INTO approvals (id, state, digest, call_key, project, open_digest, doc)
			VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING seq`),
			a.ID, string(a.State), a.Digest, a.CallKey, a.Project, openDigest(a), text)
		switch err := row.Scan(&a.Seq); {
		case err != nil && s.Driver.Taken(err):
			return store.ErrExists
		case err != nil:
			return fmt.Errorf("store: %w", err)
		}
		if err := s.putAsks(ctx, tx, a); err != nil {
			return err
		}
		return s.finish(ctx, tx, notes)
	})
}

// openDigest is the value under which an approval can be joined; NULL once it
// is not open.
func openDigest(a *store.Approval) any {
	if a.State.Open() {
		return a.Digest
	}
	return nil
}

const selectApproval = `SELECT seq, doc FROM approvals`

func number(a *store.Approval, seq int64) { a.Seq = seq }

// Approval implements store.Store.
func (s *Store) Approval(ctx context.Context, id string) (*store.Approval, error) {
	list, err := documents(ctx, s, number, selectApproval+` WHERE id = $1`, id)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, store.ErrNotFound
	}
	return list[0], nil
}

// Approvals implements store.Store.
func (s *Store) Approvals(ctx context.Context, q store.Query) ([]*store.Approval, error) {
	out, most := []*store.Approval(nil), q.Most
	if most <= 0 {
		most = 100
	}
	for {
		list, err := s.approvals(ctx, &q, most)
		if err != nil {
			return nil, err
		}
		for _, a := range list {
			if q.Before = a.Seq; q.Filter.Match(store.Item{Approval: a, Mine: q.Mine != nil && q.Mine(a)}) {
				out = append(out, a)
			}
		}
		if len(list) < most || len(out) >= most {
			return out[:min(len(out), most)], nil
		}
	}
}

// approvalColumns are where keys of a filter are in the table.
var approvalColumns = map[string]filter.Column{"id": {Name: "id"}, "state": {Name: "state"}, "project": {Name: "project"}}

// approvals lists the results of the query, before its filter is applied.
func (s *Store) approvals(ctx context.Context, q *store.Query, most int) ([]*store.Approval, error) {
	var c conditions
	if len(q.States) > 0 {
		c.states(q.States)
	}
	c.equal("digest", q.Digest)
	c.equal("call_key", q.CallKey)
	c.equal("project", q.Project)
	if q.Before > 0 {
		c.add("seq < $%d", q.Before)
	}
	if q.Session != "" {
		c.add("id IN (SELECT approval FROM asks WHERE session = $%d)", q.Session)
	}
	c.filter(s, &filter.Table{Columns: approvalColumns}, q.Filter)
	return documents(ctx, s, number, fmt.Sprintf("%s%s ORDER BY seq DESC LIMIT %d", selectApproval, c.where(), most), c.args...)
}

func (c *conditions) states(states []store.State) {
	list := ""
	for i, st := range states {
		c.args = append(c.args, string(st))
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf("$%d", len(c.args))
	}
	c.terms = append(c.terms, "state IN ("+list+")")
}

// Change implements store.Store.
func (s *Store) Change(ctx context.Context, id string, change func(*store.Approval) ([]store.Note, error)) (*store.Approval, error) {
	asks := 0
	return changed(ctx, s, selectApproval, id,
		func(a *store.Approval, seq int64) ([]store.Note, error) {
			a.Seq, asks = seq, len(a.Asks)
			return change(a)
		},
		func(tx *sql.Tx, a *store.Approval, text string) error {
			_, err := s.write(ctx, tx, `UPDATE approvals SET state = $1, open_digest = $2, doc = $3 WHERE id = $4`, string(a.State),
				openDigest(a), text, id)
			if err == nil && len(a.Asks) != asks {
				err = s.putAsks(ctx, tx, a)
			}
			return err
		})
}

func (s *Store) putAsks(ctx context.Context, tx *sql.Tx, a *store.Approval) error {
	for _, k := range a.Asks {
		if _, err := s.write(ctx, tx, `INSERT INTO asks (approval, session) VALUES ($1, $2) ON CONFLICT DO NOTHING`, a.ID,
			k.Session); err != nil {
			return err
		}
	}
	return nil
}
