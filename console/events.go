package console

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

// index is where events are looked up.
func index(r *http.Request) (store.Events, error) {
	if e, ok := service(r.Context()).Store.(store.Events); ok {
		return e, nil
	}
	return nil, &problem{http.StatusServiceUnavailable, "This store has no index of events.", "Use a store of this version."}
}

// events lists what a query and further terms ask for.
func (c *console) events(r *http.Request, q store.EventQuery, texts ...string) ([]*store.Event, error) {
	e, err := index(r)
	if err != nil {
		return nil, err
	}
	if q.Filter, err = filter.Parse(strings.TrimSpace(strings.Join(texts, " ")), filter.Events, c.Now()); err != nil {
		return nil, wrong(err)
	}
	return e.Events(r.Context(), q)
}

// box reads the filter of a page. An error in it is shown beside it, and
// nothing is listed then: a filter is never ignored.
func (c *console) box(r *http.Request, page, example string) (*filter.Query, filterBox) {
	b := c.newBox(r, page, example)
	f, err := filter.Parse(b.Query, filter.Events, c.Now())
	if err != nil {
		b.Wrong = err.Error()
	}
	return f, b
}

// listPage is a page of what a filter finds: rows reads it from the index, if
// the filter can be read.
func listPage(r *http.Request, v *view, box filterBox, rows func(e store.Events) error) (*view, error) {
	if box.Wrong != "" {
		v.Status = http.StatusUnprocessableEntity
		return v, nil
	}
	e, err := index(r)
	if err != nil {
		return nil, err
	}
	return v, rows(e)
}

// wrong is a filter that cannot be read.
func wrong(err error) error {
	var at *filter.Error
	if errors.As(err, &at) {
		return &problem{http.StatusUnprocessableEntity, at.Error(), ""}
	}
	return err
}

// eventRow is an event in a list.
type eventRow struct {
	*store.Event
	Class string // what it looks like: deny, ask, …
	Took  string
}

func eventRows(list []*store.Event) []eventRow {
	out := make([]eventRow, len(list))
	for i, e := range list {
		out[i] = eventRow{e, lookOf(e), took(e.Micros)}
	}
	return out
}

// lookOf is the name of the mark that says what came of an event.
func lookOf(e *store.Event) string {
	for _, is := range e.Is {
		if is == "failed" && e.Decision != "deny" {
			return "failed"
		}
		if is == "rewritten" && (e.Decision == "none" || e.Decision == "") {
			return "rewritten"
		}
	}
	return cmp.Or(e.Decision, "none")
}

func took(micros int64) string {
	switch d := time.Duration(micros) * time.Microsecond; {
	case micros < 100:
		return fmt.Sprintf("%d µs", micros)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(micros)/1000)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	default:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
}
