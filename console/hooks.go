package console

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/store"
)

// Configuration is what is in force.
type Configuration struct {
	Digest  string
	Hooks   []Hook
	Presets []Preset
	Notes   []string
}

// Hook is a hook as it is declared, and whether it is in force.
type Hook struct {
	ID, About, Match, Does, May, Layer, Source, Status, Why string
	On                                                      []string
	Trial                                                   bool
}

// Preset is a set of hooks that can be switched on.
type Preset struct {
	Name, About string
	On          bool
	Hooks       []string
}

// hookRow is a hook with what it did.
type hookRow struct {
	Hook
	Hits, Denies, Asks int
	Failures           []failure
	P50, P99           string
	Spark              string
	LastDenial         *store.Event
	Last               time.Time
	Would              map[string]int // on trial
	micros             []int64
	days               []int
}

type failure struct {
	Code string
	N    int
}

// looked is how many of the latest events are counted.
const looked = 3000

// counted says over what numbers were counted.
type counted struct {
	Rows   []*hookRow
	Events int
	Partly bool
	Since  string
	Digest string
	Notes  []string
	Hook   *hookRow // the one that is shown
	Latest []eventRow
	list   []*store.Event
}

var sinces = []string{"1h", "24h", "7d", "30d"}

func (c *console) hooks(_ http.ResponseWriter, r *http.Request) (*view, error) {
	n, err := c.count(r, "")
	if err == nil {
		err = c.idle(r, n.Rows)
	}
	if err != nil {
		return nil, err
	}
	return &view{Template: "hooks", Title: "Hooks", Tab: "hooks", Data: n}, nil
}

func (c *console) hook(_ http.ResponseWriter, r *http.Request) (*view, error) {
	id := r.PathValue("id")
	n, err := c.count(r, terms("hook", id))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(n.Rows, func(h *hookRow) bool { return h.ID == id })
	if i < 0 {
		return nil, &problem{http.StatusNotFound, "There is no such hook.", "See trammel list --effective."}
	}
	n.Hook = n.Rows[i]
	list, err := c.events(r, store.EventQuery{Most: 20}, terms("hook", id), "decision:ask,deny")
	n.Latest = eventRows(list)
	return &view{Template: "hook", Title: "Hook " + clean(id), Tab: "hooks", Data: n}, err
}

// idle says when hooks that did nothing lately last ran, within 30 days.
func (c *console) idle(r *http.Request, rows []*hookRow) error {
	quiet := func(h *hookRow) bool { return h.Hits == 0 }
	e, err := index(r)
	if err != nil || !slices.ContainsFunc(rows, quiet) {
		return err
	}
	since := c.Now().Add(-30 * 24 * time.Hour)
	ran, err := c.ran.since(r.Context(), e, since)
	for _, h := range rows {
		if at := ran[h.ID]; quiet(h) && at.After(since) {
			h.Last = at.Time
		}
	}
	return err
}

// ran remembers when hooks last ran: the index is read once, and then only what
// is new in it.
type ran struct {
	mu   sync.Mutex
	last map[string]store.Time
	row  int64
}

// late is how many rows that were read are read again: rows that several
// servers write can appear out of order.
const late = 1000

func (r *ran) since(ctx context.Context, e store.Events, since time.Time) (map[string]store.Time, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fresh, row, err := e.Ran(ctx, since, max(r.row-late, 0))
	if err != nil {
		return nil, err
	}
	if r.last == nil {
		r.last = map[string]store.Time{}
	}
	for hook, at := range fresh {
		if at.After(r.last[hook].Time) {
			r.last[hook] = at
		}
	}
	r.row = row
	return maps.Clone(r.last), nil
}

// count counts what hooks did since a while ago.
func (c *console) count(r *http.Request, which string) (*counted, error) {
	n := &counted{Since: r.URL.Query().Get("since")}
	if !slices.Contains(sinces, n.Since) {
		n.Since = "7d"
	}
	rows := map[string]*hookRow{}
	if c.Hooks != nil {
		conf, err := c.Hooks(r.Context())
		if err != nil {
			return nil, &problem{http.StatusServiceUnavailable, "The configuration cannot be read.", clean(err.Error())}
		}
		n.Digest, n.Notes = conf.Digest, conf.Notes
		for _, h := range conf.Hooks {
			rows[h.ID] = &hookRow{Hook: h}
			n.Rows = append(n.Rows, rows[h.ID])
		}
	}
	list, err := c.events(r, store.EventQuery{Most: looked}, which, "since:"+n.Since)
	if err != nil {
		return nil, err
	}
	n.list, n.Events, n.Partly = list, len(list), len(list) == looked
	days := max(1, int(c.Now().Sub(oldest(list, c.Now())).Hours()/24)+1)
	buckets := min(max(days, 12), 30)
	width := max(c.Now().Sub(oldest(list, c.Now()))/time.Duration(buckets), time.Second)
	for _, e := range list {
		for i := range e.Runs {
			run := &e.Runs[i]
			h := rows[run.Hook]
			if h == nil {
				h = &hookRow{Hook: Hook{ID: run.Hook, Status: "not declared here"}}
				rows[run.Hook] = h
				n.Rows = append(n.Rows, h)
			}
			if h.days == nil {
				h.days = make([]int, buckets)
			}
			h.add(e, run)
			h.days[max(0, buckets-1-int(c.Now().Sub(e.Time.Time)/width))%buckets]++
		}
	}
	for _, h := range n.Rows {
		h.finish()
	}
	slices.SortStableFunc(n.Rows, func(a, b *hookRow) int { return cmp.Compare(b.Denies+b.Asks, a.Denies+a.Asks) })
	return n, nil
}

func oldest(list []*store.Event, now time.Time) time.Time {
	if len(list) == 0 {
		return now
	}
	return list[len(list)-1].Time.Time
}

// add counts one run; events come newest first.
func (h *hookRow) add(e *store.Event, run *store.Run) {
	h.Hits++
	h.micros = append(h.micros, run.Micros)
	if h.Last.IsZero() {
		h.Last = e.Time.Time
	}
	switch run.Decision {
	case "deny":
		h.Denies++
		if h.LastDenial == nil {
			h.LastDenial = e
		}
	case "ask":
		h.Asks++
	}
	if run.Trial != "" && run.Trial != "nothing" {
		if h.Would == nil {
			h.Would = map[string]int{}
		}
		h.Would[run.Trial]++
	}
	if run.Code != "" {
		i := slices.IndexFunc(h.Failures, func(f failure) bool { return f.Code == run.Code })
		if i < 0 {
			i, h.Failures = len(h.Failures), append(h.Failures, failure{Code: run.Code})
		}
		h.Failures[i].N++
	}
}

func (h *hookRow) finish() {
	if len(h.micros) == 0 {
		return
	}
	slices.Sort(h.micros)
	h.P50, h.P99 = took(h.micros[len(h.micros)/2]), took(h.micros[len(h.micros)*99/100])
	h.Spark = spark(h.days)
}
