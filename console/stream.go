package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// hub rings at every open page when something has changed. It sends no rows:
// a page asks for what it does not have yet, by number, so that nothing can be
// lost or come twice, however often the stream breaks.
type hub struct {
	console *console

	mu      sync.Mutex
	open    map[string]int // streams by person
	bells   map[chan struct{}]bool
	stop    context.CancelFunc
	version int64
	newest  atomic.Int64

	waits waits
}

// waits is what waited at a version of the hub.
type waits struct {
	sync.Mutex
	version int64
	service *approvals.Service // nil if nothing is known
	list    []*store.Approval
}

const (
	maxStreams = 8                      // of one person
	frame      = 250 * time.Millisecond // what happens in one is sent together
	heartbeat  = 15 * time.Second
	sendTime   = 10 * time.Second // for a reader that does not read
)

// ring is what a page is sent.
type ring struct {
	Time    int64  `json:"time"` // the server's, in milliseconds
	Pending int    `json:"pending"`
	Events  int64  `json:"events"`           // the newest row of the index
	Broken  string `json:"broken,omitempty"` // what is wrong with the store
	// Waiting are requests that this person can decide, for notices: no
	// arguments.
	Waiting []notice `json:"waiting"`
}

type notice struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Expires int64  `json:"expires,omitempty"`
	Created int64  `json:"created"`
}

// stream answers GET /stream with server-sent events.
func (h *hub) stream(w http.ResponseWriter, r *http.Request) {
	p := auth.From(r.Context())
	bell, leave, ok := h.enter(p.Of())
	if !ok {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many open pages", http.StatusTooManyRequests)
		return
	}
	defer leave()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	out := http.NewResponseController(w)
	send := func(format string, args ...any) bool {
		out.SetWriteDeadline(time.Now().Add(sendTime)) // not every connection has one
		_, err := fmt.Fprintf(w, format, args...)
		return err == nil && out.Flush() == nil
	}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		text, _ := json.Marshal(h.ring(r.Context(), p)) // texts and numbers only
		if !send("id: %d\nevent: ring\ndata: %s\n\n", h.number(), text) {
			return
		}
		select {
		case <-time.After(frame):
		case <-r.Context().Done():
			return
		}
	wait:
		for {
			select {
			case <-r.Context().Done():
				return
			case <-bell:
				break wait
			case <-beat.C:
				if !send(": %d\n\n", h.console.Now().UnixMilli()) {
					return
				}
			}
		}
	}
}

func (h *hub) ring(ctx context.Context, p *auth.Person) ring {
	c := h.console
	out := ring{Time: c.Now().UnixMilli(), Waiting: []notice{}}
	s, list, err := h.waiting(ctx)
	if err != nil {
		out.Broken = explain(err).detail
		return out
	}
	out.Events = h.newest.Load()
	for _, a := range list {
		if a.Expires.IsZero() || c.Now().Before(a.Expires.Time) {
			out.Pending++
			if may(s, a, p) == "" {
				n := notice{ID: a.ID, Text: "Approval waits: " + clean(a.Tool) + ", project " + clean(base(a.Project)), Created: a.Created.UnixMilli()}
				if !a.Expires.IsZero() {
					n.Expires = a.Expires.UnixMilli()
				}
				out.Waiting = append(out.Waiting, n)
			}
		}
	}
	return out
}

// waiting is what waits. It is read once after each change, for all streams.
func (h *hub) waiting(ctx context.Context) (*approvals.Service, []*store.Approval, error) {
	version := h.number()
	h.waits.Lock()
	defer h.waits.Unlock()
	if w := &h.waits; w.service == nil || w.version != version {
		s, err := h.console.Approvals(ctx)
		if err != nil {
			return nil, nil, err
		}
		list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}, Most: 1000})
		if err != nil {
			return nil, nil, err
		}
		w.version, w.service, w.list = version, s, list
	}
	return h.waits.service, h.waits.list, nil
}

func (h *hub) number() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.version
}

// enter adds a stream, if the person has not too many. The first one starts
// watching the store, the last one ends it.
func (h *hub) enter(person string) (bell chan struct{}, leave func(), ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open[person] >= maxStreams {
		return nil, nil, false
	}
	if h.open == nil {
		h.open, h.bells = map[string]int{}, map[chan struct{}]bool{}
	}
	h.open[person]++
	bell = make(chan struct{}, 1)
	h.bells[bell] = true
	if len(h.bells) == 1 {
		h.version++ // changes while nobody listened were not counted
		ctx, stop := context.WithCancel(context.Background())
		h.stop = stop
		go h.watch(ctx)
		go h.follow(ctx)
	}
	return bell, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.bells, bell)
		if h.open[person]--; h.open[person] == 0 {
			delete(h.open, person)
		}
		if len(h.bells) == 0 {
			h.stop()
		}
	}, true
}

// watch rings whenever the store has changed.
func (h *hub) watch(ctx context.Context) {
	for ctx.Err() == nil {
		if s, err := h.console.Approvals(ctx); err == nil {
			if changes, err := s.Store.Changes(ctx); err == nil {
				h.pass(ctx, changes)
			}
		}
		h.all() // so that pages learn that something is wrong, or is well again
		pause.For(ctx, time.Second)
	}
}

func (h *hub) pass(ctx context.Context, changes <-chan struct{}) {
	for {
		select {
		case _, ok := <-changes:
			if !ok {
				return
			}
			h.all()
		case <-ctx.Done():
			return
		}
	}
}

// follow rings whenever events have come.
func (h *hub) follow(ctx context.Context) {
	tick := time.NewTicker(frame)
	defer tick.Stop()
	for {
		s, err := h.console.Approvals(ctx)
		if err == nil {
			if e, ok := s.Store.(store.Events); ok && h.advance(ctx, e) {
				h.all()
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// advance finds the newest row, and reports whether there is a newer one.
func (h *hub) advance(ctx context.Context, e store.Events) bool {
	known := h.newest.Load()
	list, err := e.Events(ctx, store.EventQuery{After: known, Most: 1000})
	if err != nil || len(list) == 0 {
		return false
	}
	for _, e := range list {
		known = max(known, e.Row)
	}
	h.newest.Store(known)
	return true
}

func (h *hub) all() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.version++
	for bell := range h.bells {
		select {
		case bell <- struct{}{}:
		default: // it rings already
		}
	}
}
