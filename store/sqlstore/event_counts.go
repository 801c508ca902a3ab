package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

// Histogram implements store.Events.
func (s *Store) Histogram(ctx context.Context, f *filter.Query, step time.Duration) (out []store.Bar, err error) {
	width := max(step.Microseconds(), 1)
	c, exact := s.found(ctx, f)
	if !exact {
		return s.countBars(ctx, f, width)
	}
	c.args = append(c.args, width)
	n := len(c.args)
	err = s.eachRow(ctx, s.DB, fmt.Sprintf(`SELECT at / $%d * $%d AS step, decision, count(*) FROM events%s GROUP BY 1, 2 ORDER BY 1, 2`,
		n, n, c.where()), c.args, func(rows *sql.Rows) error {
		var b store.Bar
		var at int64
		err := rows.Scan(&at, &b.Decision, &b.N)
		b.At = store.FromMicros(at)
		out = append(out, b)
		return err
	})
	return out, err
}

func (s *Store) countBars(ctx context.Context, f *filter.Query, width int64) (out []store.Bar, err error) {
	type key struct {
		at       int64
		decision string
	}
	counts := map[key]int{}
	err = s.eachEvent(ctx, &store.EventQuery{Filter: f}, batch, func(e *store.Event) bool {
		counts[key{e.Time.Micros() / width * width, e.Decision}]++
		return true
	})
	for k, n := range counts {
		out = append(out, store.Bar{At: store.FromMicros(k.at), Decision: k.decision, N: n})
	}
	slices.SortFunc(out, func(a, b store.Bar) int {
		return cmp.Or(a.At.Compare(b.At.Time), cmp.Compare(a.Decision, b.Decision))
	})
	return out, err
}

// Ran implements store.Events. There are few different lists of hooks.
func (s *Store) Ran(ctx context.Context, since time.Time, row int64) (map[string]store.Time, int64, error) {
	out, from := map[string]store.Time{}, store.At(since).Micros()
	where := "at >= $1"
	if row > 0 {
		where, from = "row > $1", row
	}
	err := s.eachRow(ctx, s.DB, `SELECT hooks, max(at), max(row) FROM events WHERE `+where+` GROUP BY hooks`, []any{from},
		func(rows *sql.Rows) error {
			var hooks string
			var at, latest int64
			err := rows.Scan(&hooks, &at, &latest)
			row = max(row, latest)
			for _, hook := range strings.Split(strings.Trim(hooks, filter.Separator), filter.Separator) {
				if last := store.FromMicros(at); hook != "" && last.After(out[hook].Time) {
					out[hook] = last
				}
			}
			return err
		})
	return out, row, err
}

// Sessions implements store.Events.
func (s *Store) Sessions(ctx context.Context, f *filter.Query, most int) (out []*store.Session, err error) {
	if most <= 0 {
		most = 100
	}
	c, exact := s.found(ctx, f)
	if !exact {
		return s.countSessions(ctx, f, most)
	}
	c.terms = append(c.terms, "session <> ''")
	from, err := s.latest(ctx, &c, most)
	if err != nil {
		return nil, err
	}
	err = s.eachRow(ctx, s.DB, fmt.Sprintf(`SELECT host, session, max(project), min(at), max(at), count(*),
		sum(CASE WHEN decision = 'deny' THEN 1 ELSE 0 END), sum(CASE WHEN decision = 'ask' THEN 1 ELSE 0 END)
		FROM %s%s GROUP BY host, session ORDER BY max(at) DESC, host, session LIMIT %d`, from, c.where(), most), c.args,
		func(rows *sql.Rows) error {
			var n store.Session
			var first, last int64
			err := rows.Scan(&n.Host, &n.ID, &n.Project, &first, &last, &n.Events, &n.Denied, &n.Asked)
			n.First, n.Last = store.FromMicros(first), store.FromMicros(last)
			out = append(out, &n)
			return err
		})
	return out, err
}

// window is how many of the latest events are read to find their sessions.
const window = 10_000

// latest restricts the events to those of the last active sessions, if the
// latest events are of enough sessions. Otherwise that would save nothing.
func (s *Store) latest(ctx context.Context, c *conditions, most int) (from string, err error) {
	var pairs []any
	sessions, events := 0, 0
	err = s.eachRow(ctx, s.DB, fmt.Sprintf(`SELECT host, session, count(*) FROM (SELECT host, session, at FROM events%s
		ORDER BY at DESC, row DESC
		LIMIT %d) AS recent GROUP BY host, session ORDER BY max(at) DESC, host, session`, c.where(), window), c.args, func(rows *sql.Rows) error {
		var host, session string
		var n int
		err := rows.Scan(&host, &session, &n)
		if sessions, events = sessions+1, events+n; sessions <= most {
			pairs = append(pairs, host, session)
		}
		return err
	})
	if err != nil || events == 0 || events == window && sessions < most {
		return "events", err
	}
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		c.args = append(c.args, pairs[i], pairs[i+1])
		list = append(list, fmt.Sprintf("($%d, $%d)", len(c.args)-1, len(c.args)))
	}
	c.terms = append(c.terms, "host = column1 AND session = column2")
	return "(VALUES " + strings.Join(list, ", ") + ") AS latest CROSS JOIN events", nil
}

func (s *Store) countSessions(ctx context.Context, f *filter.Query, most int) ([]*store.Session, error) {
	sessions := map[[2]string]*store.Session{}
	var out []*store.Session
	err := s.eachEvent(ctx, &store.EventQuery{Filter: f}, batch, func(e *store.Event) bool {
		if e.Session == "" {
			return true
		}
		n := sessions[[2]string{e.Host, e.Session}]
		if n == nil {
			n = &store.Session{Host: e.Host, ID: e.Session, Last: e.Time}
			sessions[[2]string{e.Host, e.Session}] = n
			out = append(out, n)
		}
		n.Project = max(n.Project, e.Project)
		n.First = e.Time // the last one that comes is the oldest
		n.Events++
		switch e.Decision {
		case "deny":
			n.Denied++
		case "ask":
			n.Asked++
		}
		return true
	})
	slices.SortStableFunc(out, func(a, b *store.Session) int {
		return cmp.Or(b.Last.Compare(a.Last.Time), cmp.Compare(a.Host, b.Host), cmp.Compare(a.ID, b.ID))
	})
	return out[:min(len(out), most)], err
}

// eachRow calls use for each row of a query.
func (s *Store) eachRow(ctx context.Context, db querier, query string, args []any, use func(rows *sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, s.sql(query), args...)
	if err != nil {
		return failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := use(rows); err != nil {
			return failed(err)
		}
	}
	return failed(rows.Err())
}
