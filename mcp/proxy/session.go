// Package proxy sits between one MCP client and one MCP server. It judges their
// messages and passes them on unchanged; it answers denied ones itself.
package proxy

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/pin"
)

// Judge decides about events and records them.
type Judge interface {
	// Judge always returns a verdict. If judging fails, it denies where that
	// prevents something.
	Judge(ctx context.Context, ev *trammel.Event) *trammel.Verdict
	// Recognize reports whether the client's hooks have judged a call already,
	// and then assigns it to their session. id is the client's, or "".
	Recognize(ctx context.Context, ev *trammel.Event, id string)
	// Redacts reports whether secrets in servers' messages are redacted.
	Redacts() bool
	// Withdraw cancels the approval request of a call that nobody is waiting
	// for.
	Withdraw(session, call string)
	// Note records something that is not an event.
	Note(n Note)
}

// Note is something that happened in a session and is not an event.
type Note struct{ Session, What, Method, Detail string }

// Link is where messages go that result from one message. Over HTTP it is the
// stream of the request. Both may be called at any time until the request of the
// message is answered, and by several goroutines.
type Link struct {
	ToServer func(raw []byte) error
	ToClient func(raw []byte) error
	outer    *Link // that of the batch that the message is in
}

// beside is where our own messages go: they are not part of a batch.
func (l Link) beside() Link {
	if l.outer != nil {
		return *l.outer
	}
	return l
}

// Session is what is known about one client and one server that talk. It is
// safe for concurrent use. The fields are set before the first message.
type Session struct {
	ID   string // of the session, in events
	Name string // of the server, as the client calls it
	Dir  string // where the client works
	Settings
	Judge Judge
	Pins  *pin.Watch // nil pins nothing
	Busy  func()     // is called with each message, if it is set
	// User is who was let in by a gate, "" if there is none. Tasks holds the
	// owners of the server's tasks if all users share its credentials; it is
	// nil if the server can tell users apart.
	User  string
	Tasks *Claims

	mu      sync.Mutex
	client  calls  // requests of the client that wait for the server
	server  calls  // requests of the server that wait for the client
	version string // that was negotiated, "" before that
	peer    peer
	own     *memory // see memory()
}

// peer is the client's description of itself and its capabilities.
type peer struct {
	info any
	can  map[string]any
}

// calls are requests that wait for their response, by the key of their id.
type calls map[string]*exchange

// exchange is a request and, later, its response.
type exchange struct {
	id       string // as it came
	method   string
	params   map[string]any
	modern   bool
	began    time.Time
	event    *trammel.Event // as which it was judged
	contexts []string       // context for the model, added to the result
	task     string         // the task that it became
	sent     bool           // it was passed on
	// resumed says that the call was repeated with an answer to our question,
	// and agreed that the answer was yes.
	resumed, agreed bool
	cancel          context.CancelFunc
	answer          chan<- *frame.Message // for our own requests
}

// Client takes a message of the client. What has to happen in order has
// happened when it returns. It may return a function for the slow part: the
// caller runs it, concurrently with the next messages if possible.
func (s *Session) Client(ctx context.Context, raw []byte, l Link) (rest func()) {
	s.busy()
	if frame.IsBatch(raw) {
		return s.clientBatch(ctx, raw, l)
	}
	m, err := frame.Parse(raw)
	if err != nil {
		s.RefuseClient(err, l)
		return nil
	}
	return s.fromClient(ctx, m, l)
}

// Server takes a message of the server; otherwise it is like Client.
func (s *Session) Server(ctx context.Context, raw []byte, l Link) (rest func()) {
	s.busy()
	if frame.IsBatch(raw) {
		return s.serverBatch(ctx, raw, l)
	}
	m, err := frame.Parse(raw)
	if err != nil {
		s.RefuseServer(err, l)
		return nil
	}
	return s.fromServer(ctx, m, l)
}

func (s *Session) busy() {
	if s.Busy != nil {
		s.Busy()
	}
}

// open adds a request to the list. It fails if one with this id is still waiting.
func (s *Session) open(c *calls, e *exchange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if *c == nil {
		*c = calls{}
	}
	key := frame.Key(e.id)
	if (*c)[key] != nil {
		return false
	}
	(*c)[key] = e
	return true
}

// step judges a request before it is passed on.
type step func(*Session, context.Context, *frame.Message, *exchange, Link)

// begin adds a request to the list. One that is not judged passes at once; the
// others return a slow part. ok is false if a request with this id is still
// waiting.
func (s *Session) begin(ctx context.Context, c *calls, m *frame.Message, e *exchange, l Link, judge step, pass func()) (rest func(),
	ok bool) {
	if judge != nil {
		ctx, e.cancel = context.WithCancel(ctx)
	}
	if !s.open(c, e) {
		return nil, false
	}
	if judge == nil {
		pass()
		return nil, true
	}
	return func() {
		defer e.cancel()
		judge(s, ctx, m, e, l)
	}, true
}

// close takes a request off the list: nil if none with this id is waiting.
func (s *Session) close(c *calls, id string) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := (*c)[frame.Key(id)]
	delete(*c, frame.Key(id))
	return e
}

// send passes a request on, unless it was cancelled meanwhile.
func (s *Session) send(c *calls, e *exchange, raw []byte, to func([]byte) error) bool {
	s.mu.Lock()
	open := (*c)[frame.Key(e.id)] == e
	e.sent = open
	s.mu.Unlock()
	if open {
		_ = to(raw) // the reader of that side notices
	}
	return open
}

// cancelled ends a cancelled request. It reports
// whether the other side knows of the request.
func (s *Session) cancelled(c *calls, id string) bool {
	e := s.close(c, id)
	if e == nil {
		return false
	}
	if e.cancel != nil {
		e.cancel()
	}
	return e.sent
}

// EndServer answers every waiting request, because the server is gone.
func (s *Session) EndServer(why string, to func(raw []byte) error) {
	s.mu.Lock()
	waiting := s.client
	s.client = nil
	s.mu.Unlock()
	for _, e := range waiting {
		if e.cancel != nil {
			e.cancel()
		}
		if e.answer == nil {
			_ = to(failure(e.id, frame.ServerGone, why))
		}
	}
}

// Close stops pending judgements.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range []calls{s.client, s.server} {
		for _, e := range list {
			if e.cancel != nil {
				e.cancel()
			}
		}
	}
}

// refusal is the answer to a message that frame refused.
func refusal(err error) (id string, code int) {
	var r *frame.Refused
	var large *frame.TooLarge
	switch {
	case errors.As(err, &r):
		return r.ID, r.Code
	case errors.As(err, &large):
		if id = frame.PeekID(large.Head); id == "" {
			id = frame.PeekLastID(large.Tail)
		}
		return id, frame.InvalidRequest
	}
	return "", frame.InternalError
}

func (s *Session) note(what, method, detail string) {
	s.Judge.Note(Note{s.ID, what, method, detail})
}
