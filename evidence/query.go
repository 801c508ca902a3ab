package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Row is a record in one line, for listings.
type Row struct {
	Seq      uint64
	ID       string
	Time     time.Time
	Host     string
	Event    string
	Session  string
	Tool     string
	Action   string
	Summary  string
	Decision string
	Reason   string
	Hooks    []string // the ids of those that ran
	Micros   int64
	Error    string // the code, if the event could not be judged
}

// Filter says which records are wanted. What is empty does not matter.
type Filter struct {
	Host, Event, Session, Tool, Decision, Hook string
	Since                                      time.Time
}

// Matches reports whether a record is wanted.
func (f *Filter) Matches(r *Row) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.Host, r.Host) && is(f.Event, r.Event) && is(f.Session, r.Session) && is(f.Tool, r.Tool) && is(f.Decision, r.Decision) &&
		(f.Hook == "" || slices.Contains(r.Hooks, f.Hook)) && !r.Time.Before(f.Since)
}

// List calls fn for each record that the filter wants, oldest first.
func List(dir string, f Filter, fn func(Row) error) error {
	return each(dir, f, func(_ Entry, r Row) error { return fn(r) })
}

func each(dir string, f Filter, fn func(Entry, Row) error) error {
	return Scan(dir, func(e Entry) error {
		r, err := e.Row()
		if err != nil {
			return err
		}
		if !f.Matches(&r) {
			return nil
		}
		return fn(e, r)
	})
}

// Row reads what a listing shows of the record.
func (e *Entry) Row() (Row, error) {
	m, err := e.Record()
	if err != nil {
		return Row{}, err
	}
	r := Row{
		Seq: e.Seq, ID: text(m, "id"), Host: text(m, "host"), Event: text(m, "event"), Session: text(m, "session", "id"),
		Tool:   text(m, "tool", "name"),
		Action: text(m, "action", "kind"), Summary: text(m, "action", "summary"),
		Decision: text(m, "verdict", "decision"), Reason: text(m, "verdict", "reason"), Error: text(m, "error", "code"),
	}
	r.Micros, _ = m["micros"].(int64)
	if t, err := time.Parse(time.RFC3339Nano, text(m, "time")); err == nil {
		r.Time = t
	}
	hooks, _ := m["hooks"].([]any)
	for _, h := range hooks {
		if h, ok := h.(map[string]any); ok {
			r.Hooks = append(r.Hooks, text(h, "id"))
		}
	}
	return r, nil
}

// text follows keys down to a string; what is not there is "".
func text(m map[string]any, keys ...string) string {
	for _, key := range keys[:len(keys)-1] {
		m, _ = m[key].(map[string]any)
	}
	s, _ := m[keys[len(keys)-1]].(string)
	return s
}

// Show finds one record by its number, or by the start of its id that no other
// record has.
func Show(dir, which string) (Entry, error) {
	seq, _ := strconv.ParseUint(which, 10, 64)
	if seq == 0 && !strings.HasPrefix(which, "ev_") {
		return Entry{}, fmt.Errorf("%q is neither the number nor the id of a record, expected 42 or ev_…", which)
	}
	var found []Entry
	err := Scan(dir, func(e Entry) error {
		if seq != 0 {
			if e.Seq == seq {
				found = append(found, e.clone())
				return ErrStop
			}
			return nil
		}
		m, err := e.Record()
		if err == nil && strings.HasPrefix(text(m, "id"), which) {
			found = append(found, e.clone())
		}
		return err
	})
	switch {
	case err != nil:
		return Entry{}, err
	case len(found) == 0:
		return Entry{}, fmt.Errorf("no record %s", which)
	case len(found) > 1:
		return Entry{}, fmt.Errorf("%d records begin with %s, the first are %d and %d", len(found), which, found[0].Seq, found[1].Seq)
	}
	return found[0], nil
}

// clone makes an entry that outlives the scan.
func (e Entry) clone() Entry {
	e.Line = slices.Clone(e.Line)
	_, e.Body, _ = parseLine(e.Line)
	return e
}
