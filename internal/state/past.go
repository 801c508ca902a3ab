package state

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
)

// Past is what sessions have done, one value for each session and sort: what
// nobody asks about is not read, and no flood of one sort pushes out another.
// Where a host tells the sessions above one, they share what they do.
type Past struct {
	store    Store
	host     string
	sessions []string

	mu    sync.Mutex
	known map[trammel.PastSort]recalled
}

type recalled struct {
	trammel.Recalled
	err error
}

var past = trammel.Bucket{Name: "sessions", Keep: Retention}

const (
	// maxPast is how many things of one sort are remembered; the oldest are
	// forgotten first, and that something was forgotten never is.
	maxPast = 256
	// maxPastText is how long the name of one may be.
	maxPastText = 1 << 10
	maxParents  = 4
)

// PastOf is the past of an event's session. It is read when it is asked.
func PastOf(s trammel.State, ev *trammel.Event) *Past {
	sessions := []string{Session(ev)}
	above := ev.Session.Parents[:min(len(ev.Session.Parents), maxParents)]
	if ev.Exchange != nil { // not every call that the proxy sees is known to be of the agent's session
		above = append(slices.Clone(above), ev.Exchange.Session)
	}
	for _, parent := range above {
		if !slices.Contains(sessions, parent) {
			sessions = append(sessions, parent)
		}
	}
	return &Past{store: Store{s, &past, ev.Rehearsal}, host: ev.Host, sessions: sessions}
}

func (p *Past) keys(sort trammel.PastSort) []trammel.Key {
	keys := make([]trammel.Key, len(p.sessions))
	for i, session := range p.sessions {
		keys[i] = trammel.Key{p.host, session, string(sort)}
	}
	return keys
}

// Recall implements trammel.Past.
func (p *Past) Recall(sort trammel.PastSort) (trammel.Recalled, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.known[sort]
	if !ok {
		r.err = p.store.State.View(context.Background(), p.store.Bucket, p.keys(sort), func(values [][]byte) error {
			for _, value := range values {
				one, err := parsePast(string(value))
				if err != nil {
					return err
				}
				r.Items, r.Forgot = append(r.Items, one.Items...), r.Forgot || one.Forgot
			}
			return nil
		})
		if p.known == nil {
			p.known = map[trammel.PastSort]recalled{}
		}
		p.known[sort] = r
	}
	return r.Recalled, r.err
}

// Add remembers what a session has done, each thing once. In a rehearsal
// nothing is remembered.
func (p *Past) Add(ctx context.Context, sort trammel.PastSort, items ...trammel.Remembered) error {
	return p.store.update(ctx, p.keys(sort), func(values [][]byte) error {
		for i := range values {
			was, err := parsePast(string(values[i]))
			if err != nil {
				return err
			}
			if next, changed := was.with(items); changed {
				values[i] = next
			}
		}
		return nil
	})
}

type pastValue struct{ trammel.Recalled }

// with is the value with more in it, in the form in which it is kept.
func (v pastValue) with(items []trammel.Remembered) (next []byte, changed bool) {
	for _, item := range items {
		if len(item.What) > maxPastText {
			changed, v.Forgot = changed || !v.Forgot, true
			continue
		}
		if slices.ContainsFunc(v.Items, func(r trammel.Remembered) bool { return r.What == item.What && r.By == item.By }) {
			continue
		}
		v.Items, changed = append(v.Items, item), true
	}
	if over := len(v.Items) - maxPast; over > 0 {
		v.Items, v.Forgot = v.Items[over:], true
	}
	if v.Forgot {
		next = append(next, forgot...)
	}
	for _, r := range v.Items {
		next = append(strconv.AppendInt(next, r.At.Unix(), 10), ' ')
		next = append(strconv.AppendQuote(next, r.What), ' ')
		next = append(strconv.AppendQuote(next, r.By[:min(len(r.By), maxPastText)]), '\n')
	}
	return next, changed
}

// forgot is the first line of a value that does not hold everything.
const forgot = "more\n"

func parsePast(text string) (v pastValue, err error) {
	text, v.Forgot = strings.CutPrefix(text, forgot)
	for line := range strings.Lines(text) {
		at, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		what, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return v, errDamaged
		}
		seconds, bad := strconv.ParseInt(at, 10, 64)
		by, err := strconv.Unquote(strings.TrimPrefix(rest[len(what):], " "))
		name, _ := strconv.Unquote(what)
		if bad != nil || err != nil {
			return v, errDamaged
		}
		v.Items = append(v.Items, trammel.Remembered{What: name, By: by, At: time.Unix(seconds, 0)})
	}
	return v, nil
}
