package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

var _ store.Events = (*Store)(nil)

// eventColumns are where the keys of a filter are in the table. That of machine
// is written so that no index is used for it: most records are of one machine.
var eventColumns = map[string]filter.Column{
	filter.Word: {Name: "words"}, filter.At: {Name: "at"}, "took": {Name: "took"}, "id": {Name: "id"}, "host": {Name: "host"},
	"machine": {Name: "(machine || '')"}, "event": {Name: "kind"}, "session": {Name: "session"}, "agent": {Name: "agents", Many: true},
	"user": {Name: "person"}, "project": {Name: "project"}, "tool": {Name: "tool"}, "action": {Name: "action"}, "url": {Name: "url"},
	"server": {Name: "server"}, "decision": {Name: "decision"}, "reason": {Name: "reason"}, "config": {Name: "config"},
	"path": {Name: "paths", Many: true}, "hook": {Name: "hooks", Many: true}, "phase": {Name: "phases", Many: true},
	"is": {Name: "flags", Many: true}, "code": {Name: "codes", Many: true}, "finding": {Name: "findings", Many: true},
}

// indexing is the lock of the processes that index: so rows become visible in
// their order.
const indexing = 7_301_845_921

const insertEvent = `INSERT INTO events (machine, log, number, at, took, id, host, kind, session, agents, person, project, tool, action,
	url, server, decision, reason, config, paths, hooks, phases, flags, codes, findings, words, doc) VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
	$9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27)
	ON CONFLICT (machine, log, number) DO NOTHING`

// Index implements store.Events.
func (s *Store) Index(ctx context.Context, events ...store.Event) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if s.Driver.Lock != "" {
			if _, err := s.write(ctx, tx, s.Driver.Lock, int64(indexing)); err != nil {
				return err
			}
		}
		insert, err := tx.PrepareContext(ctx, s.sql(insertEvent))
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		defer insert.Close()
		for i := range events {
			args, err := eventRow(&events[i])
			if err != nil {
				return err
			}
			if _, err := insert.ExecContext(ctx, args...); err != nil {
				return fmt.Errorf("store: %w", err)
			}
		}
		return nil
	})
}

func eventRow(e *store.Event) ([]any, error) {
	doc := *e
	doc.Row = 0
	text, err := encode(&doc)
	if err != nil {
		return nil, err
	}
	args := []any{column(e.Machine), column(e.Log), int64(e.Seq), e.Time.Micros(), e.Micros}
	for _, key := range []string{"id", "host", "event", "session", "agent", "user", "project", "tool", "action", "url", "server", "decision",
		"reason", "config", "path", "hook", "phase", "is", "code", "finding", filter.Word} {
		values := e.Texts(key)
		if !eventColumns[key].Many {
			args = append(args, column(values[0]))
			continue
		}
		clean := make([]string, len(values))
		for i, v := range values {
			clean[i] = column(v)
		}
		args = append(args, filter.Join(clean))
	}
	return append(args, text), nil
}

// column is a text that a column can store. Filters cannot ask for the replaced
// characters.
func column(text string) string {
	return strings.Map(func(r rune) rune {
		if r == 0 || r == rune(filter.Separator[0]) {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// Indexed implements store.Events.
func (s *Store) Indexed(ctx context.Context, machine, log string) (last uint64, id string, err error) {
	err = s.retry(ctx, func() error {
		row := s.DB.QueryRowContext(ctx, s.sql(`SELECT number, id FROM events WHERE machine = $1 AND log = $2 ORDER BY number DESC LIMIT 1`),
			column(machine), column(log))
		if err := row.Scan(&last, &id); !errors.Is(err, sql.ErrNoRows) {
			return failed(err)
		}
		return nil
	})
	return last, id, err
}

// found is the where clause for a filter; if it is not exact, the filter must
// be applied to the results.
func (s *Store) found(ctx context.Context, f *filter.Query) (c conditions, exact bool) {
	exact = c.filter(s, &filter.Table{Columns: eventColumns, Values: func(key string) []string { return s.valuesOf(ctx, key) }}, f)
	return c, exact
}

// mostValues is how many values of a column are listed.
const mostValues = 200

// valuesOf lists the values of a column, if an index begins with it and there
// are not too many. Each value is looked up in the index: nothing else is read.
func (s *Store) valuesOf(ctx context.Context, key string) []string {
	if key != "host" && key != "project" && key != "tool" {
		return nil
	}
	out := []string{}
	err := s.eachRow(ctx, s.DB, strings.ReplaceAll(`WITH RECURSIVE found (value) AS (SELECT min(COLUMN) FROM events
		UNION ALL SELECT (SELECT min(COLUMN) FROM events WHERE COLUMN > value) FROM found WHERE value IS NOT NULL)
		SELECT value FROM found WHERE value IS NOT NULL LIMIT `+fmt.Sprint(mostValues+1), "COLUMN", key), nil, func(rows *sql.Rows) error {
		var value string
		err := rows.Scan(&value)
		out = append(out, value)
		return err
	})
	if err != nil || len(out) > mostValues {
		return nil
	}
	return out
}

// filter adds the conditions of a filter on columns, and reports whether those
// are all.
func (c *conditions) filter(s *Store, table *filter.Table, f *filter.Query) (exact bool) {
	if table.Contains = "strpos"; s.Driver.Question {
		table.Contains = "instr"
	}
	where, args, exact := f.Where(table, len(c.args)+1)
	if where != "" {
		c.terms = append(c.terms, where)
		c.args = append(c.args, args...)
	}
	return exact
}

// Events implements store.Events.
func (s *Store) Events(ctx context.Context, q store.EventQuery) (out []*store.Event, err error) {
	most := q.Most
	if most <= 0 {
		most = 100
	}
	out = []*store.Event{}
	err = s.eachEvent(ctx, &q, most, func(e *store.Event) bool {
		out = append(out, e)
		return len(out) < most
	})
	return out, err
}

// batch is how many rows are read at a time if a filter drops some.
const batch = 1000

// eachEvent calls use for the results of the query until it returns false. It
// ignores the query's Most; page is how many are likely to be used.
func (s *Store) eachEvent(ctx context.Context, q *store.EventQuery, page int, use func(e *store.Event) bool) error {
	found, exact := s.found(ctx, q.Filter)
	if !exact {
		page = batch
	}
	at, row, err := s.place(ctx, q.Before)
	if err != nil {
		return err
	}
	after := q.After
	for {
		c, order := conditions{append([]string(nil), found.terms...), append([]any(nil), found.args...)}, "at DESC, row DESC"
		switch {
		case q.After > 0:
			order = "row"
			c.add("row > $%d", after)
		case row > 0:
			c.add("at <= $%d", at)
			c.args = append(c.args, at, row)
			c.terms = append(c.terms, fmt.Sprintf("(at, row) < ($%d, $%d)", len(c.args)-1, len(c.args)))
		}
		list, err := documents(ctx, s, func(e *store.Event, row int64) { e.Row = row },
			fmt.Sprintf("SELECT row, doc FROM events%s ORDER BY %s LIMIT %d", c.where(), order, page), c.args...)
		if err != nil {
			return err
		}
		for _, e := range list {
			at, row, after = e.Time.Micros(), e.Row, e.Row
			if (exact || q.Filter.Match(e)) && !use(e) {
				return nil
			}
		}
		if len(list) < page {
			return nil
		}
	}
}

// place is where a row is in the order of time.
func (s *Store) place(ctx context.Context, before int64) (at, row int64, err error) {
	if before <= 0 {
		return 0, 0, nil
	}
	err = s.retry(ctx, func() error {
		err := s.DB.QueryRowContext(ctx, s.sql(`SELECT at FROM events WHERE row = $1`), before).Scan(&at)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrNotFound
		}
		return failed(err)
	})
	return at, before, err
}
