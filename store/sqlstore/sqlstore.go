// Package sqlstore is what store/sqlite and store/postgres have in common: the
// statements. What differs between the two is a Driver.
package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/store"
)

// Driver is what is special about a database.
type Driver struct {
	// Question is true if parameters are ?1 and not $1.
	Question bool
	// ForUpdate is appended to a select whose row is about to be changed.
	ForUpdate string
	// Lock, if set, is a statement that locks a number until the end of the
	// transaction.
	Lock string
	// Notify, if set, is a statement that notifies listeners.
	Notify string
	// Listen calls wake after each change by anybody, and whenever it may have
	// missed one, until ctx ends.
	Listen func(ctx context.Context, wake func())
	// Again reports whether what failed with err should be tried again.
	Again func(err error) bool
	// Turns, if set, holds one value while this process writes: if only one
	// writer is possible, waiting in line is faster than trying again.
	Turns chan struct{}
	// Taken reports whether err means that a unique value exists already.
	Taken func(err error) bool
}

// Store implements store.Store.
type Store struct {
	DB     *sql.DB
	Driver Driver

	listeners listeners
	watchers  watchers
}

var _ store.Store = (*Store)(nil)

var parameter = lazy.Regexp(`\$(\d+)`)

func (s *Store) sql(text string) string {
	if s.Driver.Question {
		return parameter().ReplaceAllString(text, "?$1")
	}
	return text
}

// Close implements store.Store. When it returns, nothing uses the file any
// more.
func (s *Store) Close() error {
	s.watchers.close()
	s.listeners.close()
	s.listeners.running.Wait()
	return s.DB.Close()
}

// patience is how long a conflicting operation is retried. The caller's context
// may end it sooner.
const patience = 5 * time.Second

// Retry calls try until there is no conflict; again reports whether an error is
// one.
func Retry(ctx context.Context, again func(error) bool, try func() error) error {
	end := time.Now().Add(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := try()
		if err == nil || !again(err) || time.Now().After(end) || !pause.For(ctx, wait/2+rand.N(wait)) {
			return err
		}
	}
}

func (s *Store) retry(ctx context.Context, try func() error) error {
	return Retry(ctx, s.Driver.Again, try)
}

// inTx runs do in a transaction.
func (s *Store) inTx(ctx context.Context, do func(tx *sql.Tx) error) error {
	if s.Driver.Turns != nil {
		select {
		case s.Driver.Turns <- struct{}{}:
			defer func() { <-s.Driver.Turns }()
		case <-ctx.Done():
			return fmt.Errorf("store: %w", ctx.Err())
		}
	}
	return s.retry(ctx, func() error { return s.once(ctx, do) })
}

func (s *Store) once(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return failed(tx.Commit())
}

// write executes a statement and says how many rows it changed.
func (s *Store) write(ctx context.Context, tx *sql.Tx, text string, args ...any) (int64, error) {
	r, err := tx.ExecContext(ctx, s.sql(text), args...)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return r.RowsAffected()
}

// document reads the JSON of a row that was found.
func document[T any](row interface{ Scan(...any) error }, seq *int64) (*T, error) {
	var text []byte
	v := new(T)
	switch err := row.Scan(seq, &text); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, store.ErrNotFound
	case err != nil:
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("store: a damaged entry: %w", err)
	}
	return v, nil
}

// changed changes and saves the document with this id in one transaction.
func changed[T any](ctx context.Context, s *Store, read, id string, change func(v *T, seq int64) ([]store.Note, error),
	save func(tx *sql.Tx, v *T, text string) error) (*T, error) {
	var v *T
	err := s.inTx(ctx, func(tx *sql.Tx) (err error) {
		var seq int64
		if v, err = document[T](tx.QueryRowContext(ctx, s.sql(read+` WHERE id = $1`+s.Driver.ForUpdate), id), &seq); err != nil {
			return err
		}
		notes, err := change(v, seq)
		if err != nil {
			return err
		}
		text, err := encode(v)
		if err != nil {
			return err
		}
		if err := save(tx, v, text); err != nil {
			return err
		}
		return s.finish(ctx, tx, notes)
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// documents reads the JSON of all rows that a query finds; set, if there is
// one, gets the number of each.
func documents[T any](ctx context.Context, s *Store, set func(v *T, seq int64), query string, args ...any) (out []*T, err error) {
	err = s.retry(ctx, func() error {
		out = nil
		rows, err := s.DB.QueryContext(ctx, s.sql(query), args...)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		out, err = scan(rows, set)
		return err
	})
	return out, err
}

// scan reads the JSON of all rows.
func scan[T any](rows *sql.Rows, set func(v *T, seq int64)) (out []*T, err error) {
	defer rows.Close()
	for rows.Next() {
		var seq int64
		v, err := document[T](rows, &seq)
		if err != nil {
			return nil, err
		}
		if out = append(out, v); set != nil {
			set(v, seq)
		}
	}
	return out, failed(rows.Err())
}

func encode(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), failed(err)
}

// conditions collects the terms of a where clause.
type conditions struct {
	terms []string
	args  []any
}

func (c *conditions) add(term string, arg any) {
	c.args = append(c.args, arg)
	c.terms = append(c.terms, fmt.Sprintf(term, len(c.args)))
}

func (c *conditions) equal(column, value string) {
	if value != "" {
		c.add(column+" = $%d", value)
	}
}

func (c *conditions) where() string {
	if len(c.terms) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(c.terms, " AND ")
}
