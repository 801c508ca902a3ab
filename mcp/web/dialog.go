package web

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/sse"
)

// dialog is a proxy on two streams and the client that talks to it over HTTP.
type dialog struct {
	in            *io.PipeWriter
	lines         *frame.Writer // to in
	authorization string        // that the client has
	single        bool          // it is one client's

	mu      sync.Mutex
	open    []*stream // of requests that wait, the newest last
	unasked *stream   // for messages that belong to no request, if the client listens
	queued  [][]byte  // such messages, as long as there is no stream for them
	last    time.Time
	ended   bool
}

// stream is a response that messages go to.
type stream struct {
	id, token string // keys of the request's id and of its progress token
	messages  chan []byte
	gone      chan struct{} // the client has stopped reading
	over      chan struct{} // no message will come
	once      sync.Once
}

// maxQueued is how many messages wait for a client that does not listen yet.
const maxQueued = 256

func newStream() *stream {
	return &stream{messages: make(chan []byte, 16), gone: make(chan struct{}), over: make(chan struct{})}
}

func (s *stream) put(raw []byte) {
	select {
	case s.messages <- raw:
	case <-s.gone:
	}
}

func (s *stream) finish() { s.once.Do(func() { close(s.over) }) }

// say passes on a message of the client.
func (d *dialog) say(m *frame.Message, raw []byte) {
	_ = d.lines.Write(raw) // if it has ended, so have the streams
	if m.Method == "notifications/cancelled" {
		d.mu.Lock()
		defer d.mu.Unlock()
		if s := d.find(func(s *stream) bool { return s.id == frame.KeyOf(m.Params["requestId"]) }); s != nil {
			s.finish() // a cancelled request gets no response
		}
	}
}

// expect makes the stream of a request: nil for other messages, and if a
// request with this id is waiting.
func (d *dialog) expect(m *frame.Message) *stream {
	if m.Kind != frame.Request {
		return nil
	}
	s := newStream()
	s.id = frame.Key(m.ID)
	if meta, _ := m.Params["_meta"].(map[string]any); meta["progressToken"] != nil {
		s.token = frame.KeyOf(meta["progressToken"])
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.find(func(o *stream) bool { return o.id == s.id }) != nil {
		return nil
	}
	d.open, d.last = append(d.open, s), time.Now()
	if d.ended {
		s.finish()
	}
	return s
}

// listen makes the stream for messages that belong to no request.
func (d *dialog) listen() (s *stream, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.unasked != nil {
		return nil, false
	}
	s = newStream()
	d.unasked, d.last = s, time.Now()
	queued := d.queued
	d.queued = nil
	go func() {
		for _, raw := range queued {
			s.put(raw)
		}
	}()
	if d.ended {
		s.finish()
	}
	return s, true
}

// removeStream removes a stream that nobody reads.
func (d *dialog) removeStream(s *stream) {
	close(s.gone)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last = time.Now()
	if d.unasked == s {
		d.unasked = nil
	}
	d.open = without(d.open, s)
}

func (d *dialog) find(is func(*stream) bool) *stream {
	if i := slices.IndexFunc(d.open, is); i >= 0 {
		return d.open[i]
	}
	return nil
}

func (d *dialog) idle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.open) == 0 && d.unasked == nil && time.Since(d.last) > idle
}

// end ends all streams: no more messages will come.
func (d *dialog) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
	for _, s := range append(d.open, d.unasked) {
		if s != nil {
			s.finish()
		}
	}
}

// Write takes a message of the proxy, which is one line, to the stream that it
// belongs to.
func (d *dialog) Write(line []byte) (int, error) {
	raw := slices.Clone(line[:max(0, len(line)-1)])
	if s := d.route(raw); s != nil {
		s.put(raw)
	}
	return len(line), nil
}

// route finds the stream of a message: that of its request, or the one for all
// other messages, or the newest one of its client. A client never gets a
// message that may be for another.
func (d *dialog) route(raw []byte) *stream {
	m, err := frame.Parse(raw)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && m.Kind == frame.Response && m.ID != "null" {
		return d.find(func(s *stream) bool { return s.id == frame.Key(m.ID) })
	}
	if err == nil {
		meta, _ := m.Params["_meta"].(map[string]any)
		token, listens := frame.KeyOf(m.Params["progressToken"]), frame.KeyOf(meta["io.modelcontextprotocol/subscriptionId"])
		if s := d.find(func(s *stream) bool { return s.token != "" && s.token == token || s.id == listens }); s != nil {
			return s
		}
	}
	switch {
	case d.unasked != nil:
		return d.unasked
	case len(d.open) == 1 || len(d.open) > 1 && d.single:
		return d.open[len(d.open)-1]
	case d.single:
		d.queued = append(d.queued[max(0, len(d.queued)-maxQueued+1):], raw)
	}
	return nil
}

// carry writes the messages of a stream until its request has its response. m is
// nil for a stream that belongs to no request.
func (s *stream) carry(w http.ResponseWriter, req *http.Request, m *frame.Message) {
	streams, begun := strings.Contains(req.Header.Get("Accept"), eventStream), false
	begin := func() {
		if !begun {
			h := w.Header()
			h.Set("Content-Type", eventStream)
			h.Set("Cache-Control", "no-store")
			h.Set("X-Accel-Buffering", "no")
			w.WriteHeader(http.StatusOK)
			begun = true
		}
		http.NewResponseController(w).Flush()
	}
	if m == nil {
		begin()
	}
	for {
		var raw []byte
		select {
		case raw = <-s.messages:
		case <-req.Context().Done():
			return
		case <-s.over:
			select {
			case raw = <-s.messages: // it arrived before the end
			default:
				if !begun {
					_ = fail(w, http.StatusBadGateway, proxy.Failure(m.ID, frame.ServerGone, errNoAnswer.Error()))
				}
				return
			}
		}
		last := m != nil && isResponse(raw, m.ID)
		switch {
		case last && !begun:
			w.Header().Set("Content-Type", jsonBody)
			w.WriteHeader(statusOf(raw, versionOf(m)))
			w.Write(raw)
		case streams:
			begin()
			w.Write(sse.Append(nil, raw))
			begin()
		}
		if last {
			return
		}
	}
}

func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(e T) bool { return e == one })
}

// fail answers with an error of JSON-RPC.
func fail(w http.ResponseWriter, status int, raw []byte) error {
	w.Header().Set("Content-Type", jsonBody)
	w.WriteHeader(status)
	_, err := w.Write(raw)
	return err
}
