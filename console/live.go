package console

import (
	"net/http"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

// live is what happens now, newest first.
type live struct {
	Filter filterBox
	Rows   []eventRow
	Newest int64 // the highest row that is shown
	Chart  *chart
	Rate   int // events in the last minute
	Denied int
	Quiet  bool // nothing in the last ten minutes
}

// chartTime is what the histogram of the page shows, in steps.
const (
	chartTime = time.Hour
	chartStep = time.Minute
)

func (c *console) live(_ http.ResponseWriter, r *http.Request) (*view, error) {
	f, box := c.box(r, "live", "decision:deny tool:Bash since:2h")
	l := &live{Filter: box}
	v := &view{Template: "live", Title: "Live", Tab: "live", Data: l}
	return listPage(r, v, box, func(e store.Events) error {
		after := number(r.URL.Query().Get("after"))
		list, err := e.Events(r.Context(), store.EventQuery{Filter: f, After: after, Most: perPage})
		if err != nil {
			return err
		}
		if after > 0 { // what came since, in the order in which it came
			slices.Reverse(list)
		}
		l.Rows, l.Newest = eventRows(list), after
		for _, e := range list {
			l.Newest = max(l.Newest, e.Row)
		}
		if after > 0 {
			return nil
		}
		return c.rates(r, e, l)
	})
}

// rates counts what happened lately.
func (c *console) rates(r *http.Request, e store.Events, l *live) error {
	recent, err := filter.Parse(l.Filter.Query+" since:1h", filter.Events, c.Now())
	if err != nil { // the filter alone was fine, so it is too long with ours
		return nil
	}
	bars, err := e.Histogram(r.Context(), recent, chartStep)
	if err != nil {
		return err
	}
	now := c.Now()
	l.Chart = histogram(bars, now.Add(-chartTime).Truncate(chartStep), chartStep, int(chartTime/chartStep)+1)
	l.Quiet = true
	for _, b := range bars {
		if age := now.Sub(b.At.Time); age < 10*time.Minute {
			l.Quiet = false
		}
		if !b.At.Before(now.Truncate(chartStep).Add(-chartStep)) {
			l.Rate += b.N
			if b.Decision == "deny" {
				l.Denied += b.N
			}
		}
	}
	return nil
}
