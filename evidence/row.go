package evidence

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// Row is a record in one line, for listings.
type Row struct {
	Seq      uint64    `json:"seq"`
	ID       string    `json:"id"`
	Time     time.Time `json:"time"`
	Host     string    `json:"host"`
	Event    string    `json:"event"`
	Session  string    `json:"session,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Action   string    `json:"action,omitempty"`
	Summary  string    `json:"summary,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Hooks    []string  `json:"hooks,omitempty"`    // the ids of those that ran
	Rewrites []string  `json:"rewrites,omitempty"` // the arguments that were rewritten, and "(output)"
	Trials   []Trial   `json:"trials,omitempty"`   // what hooks on trial would have done
	Micros   int64     `json:"micros"`
	Error    string    `json:"error,omitempty"` // the code, if the event could not be judged
	Detail   string    `json:"detail,omitempty"`
}

// Trial is what a hook on trial would have done: deny, ask, allow, rewrite or context.
type Trial struct {
	Hook  string `json:"hook"`
	Would string `json:"would"`
}

// Filter selects records. Empty fields match everything.
type Filter struct {
	Host, Event, Session, Tool, Decision, Hook string
	Since                                      time.Time
	Trial                                      bool // only where a hook on trial would have done something
	Rewrites                                   bool // only where something was rewritten
	// Body, if set, decides last, about the whole record. Several goroutines
	// call it at once, and only while reading a log.
	Body func(seq uint64, body []byte) bool
}

// Matches reports whether a record matches, judging by its row.
func (f *Filter) Matches(r *Row) bool {
	is := func(want, got string) bool { return want == "" || want == got }
	return is(f.Host, r.Host) && is(f.Event, r.Event) && is(f.Session, r.Session) && is(f.Tool, r.Tool) && is(f.Decision, r.Decision) &&
		(f.Hook == "" || slices.Contains(r.Hooks, f.Hook)) && !r.Time.Before(f.Since) &&
		(!f.Trial || len(r.Trials) > 0) && (!f.Rewrites || len(r.Rewrites) > 0)
}

// Row reads what a listing shows of the record.
func (e *Entry) Row() (Row, error) {
	var w words
	r, ok := w.row(e.Body)
	if !ok { // the slow reader can say what is wrong
		m, err := e.Record()
		if err != nil {
			return Row{}, err
		}
		body, err := canonical.Append(nil, m)
		if err != nil {
			return Row{}, err
		}
		r, _ = w.row(body)
	}
	r.Seq = e.Seq
	return r, nil
}

// words stores repeated words only once, to save memory. So are lists of hook
// ids: most events have the same ones.
type words struct {
	known map[string]string
	hooks []string // of the record that is being read
	last  []string // of the one before it
}

func (w *words) word(s []byte) string {
	if known, ok := w.known[string(s)]; ok {
		return known
	}
	word := string(s)
	if len(word) <= 256 && len(w.known) < 4096 {
		if w.known == nil {
			w.known = map[string]string{}
		}
		w.known[word] = word
	}
	return word
}

// text reads a string; "" if the value is something else.
func (w *words) text(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return ""
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return w.word(value[1 : len(value)-1])
	}
	out, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return w.word(out)
}

// row reads a body without decoding what a listing does not show. It returns
// false if the body is not canonical.
func (w *words) row(body []byte) (r Row, ok bool) {
	c := canonical.NewCursor(body)
	if c.Peek() != '{' {
		return r, false
	}
	c.Members(func(key []byte) {
		switch string(key) {
		case "action":
			w.members(&c, "kind", &r.Action, "summary", &r.Summary)
		case "error":
			w.members(&c, "code", &r.Error, "detail", &r.Detail)
		case "event":
			r.Event = w.text(c.Raw())
		case "hooks":
			w.hooks = w.hooks[:0]
			c.Elements(func() { w.hook(&c, &r) })
			if !slices.Equal(w.hooks, w.last) {
				w.last = slices.Clone(w.hooks)
			}
			if len(w.last) > 0 {
				r.Hooks = w.last
			}
		case "host":
			r.Host = w.text(c.Raw())
		case "id":
			var once words
			r.ID = once.text(c.Raw())
		case "micros":
			r.Micros, _ = strconv.ParseInt(string(c.Raw()), 10, 64)
		case "session":
			w.members(&c, "id", &r.Session, "", nil)
		case "time":
			r.Time = instant(c.Raw())
		case "tool":
			w.members(&c, "name", &r.Tool, "", nil)
		case "verdict":
			w.verdict(&c, &r)
		}
	})
	return r, c.Done()
}

// members reads one or two strings of an object.
func (w *words) members(c *canonical.Cursor, a string, first *string, b string, second *string) {
	c.Members(func(key []byte) {
		switch {
		case string(key) == a:
			*first = w.text(c.Raw())
		case second != nil && string(key) == b:
			*second = w.text(c.Raw())
		}
	})
}

func (w *words) verdict(c *canonical.Cursor, r *Row) {
	c.Members(func(key []byte) {
		switch string(key) {
		case "decision":
			r.Decision = w.text(c.Raw())
		case "reason":
			r.Reason = w.text(c.Raw())
		case "rewrites":
			c.Elements(func() { r.Rewrites = append(r.Rewrites, w.text(c.Raw())) })
		}
	})
}

// onTrial marks a trial in old records, which had no field for it.
const onTrial = `"on trial, would `

func (w *words) hook(c *canonical.Cursor, r *Row) {
	var id, trial string
	object := c.Peek() == '{'
	c.Members(func(key []byte) {
		switch string(key) {
		case "id":
			id = w.text(c.Raw())
		case "trial":
			trial = w.text(c.Raw())
		case "diagnostics":
			c.Elements(func() {
				if said, ok := bytes.CutPrefix(c.Raw(), []byte(onTrial)); ok && trial == "" {
					trial = w.word(said[:bytes.IndexAny(said, ": \"")])
				}
			})
		}
	})
	if object {
		w.hooks = append(w.hooks, id)
	}
	switch trial {
	case "", "nothing", "fail":
	case "add":
		r.Trials = append(r.Trials, Trial{id, "context"})
	default:
		r.Trials = append(r.Trials, Trial{id, trial})
	}
}

// instant reads a time as written in records: in UTC, with up to nine decimals.
func instant(value []byte) time.Time {
	if len(value) < 2 || value[0] != '"' {
		return time.Time{}
	}
	value = value[1 : len(value)-1]
	const form = "2006-01-02T15:04:05"
	if n := len(value); n > len(form) && n <= len(form)+11 && value[n-1] == 'Z' {
		if t, ok := utc(value[:n-1]); ok {
			return t
		}
	}
	t, _ := time.Parse(time.RFC3339Nano, string(value))
	return t
}

// utc reads 2006-01-02T15:04:05, and a fraction if there is one.
func utc(s []byte) (time.Time, bool) {
	number := func(from, to int) (n int) {
		for _, c := range s[from:to] {
			if c < '0' || c > '9' {
				return -1
			}
			n = 10*n + int(c-'0')
		}
		return n
	}
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	hour, minute, second, nanos := number(11, 13), number(14, 16), number(17, 19), 0
	if fraction := len(s) - 20; fraction > 0 && s[19] == '.' {
		if nanos = number(20, len(s)); nanos < 0 {
			return time.Time{}, false
		}
		for range 9 - fraction {
			nanos *= 10
		}
	} else if len(s) != 19 {
		return time.Time{}, false
	}
	fits := year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= 28 && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 &&
		second >= 0 && second < 60 // time.Parse checks the length of months
	if !fits || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, nanos, time.UTC), true
}
