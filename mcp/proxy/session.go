// Package proxy stands between one MCP client and one MCP server. It judges
// what they say to each other and passes it on as it came; what is denied is
// answered in the other's place.
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

// Judge decides about events and puts them on record.
type Judge interface {
	// Judge always has a verdict; one that could not be reached denies, where a
	// denial prevents something.
	Judge(ctx context.Context, ev *trammel.Event) *trammel.Verdict
	// Recognize finds out whether hooks of the client have judged a call before,
	// and then makes it one of their session. id is the client's, or "".
	Recognize(ctx context.Context, ev *trammel.Event, id string)
	// Redacts reports whether secrets are taken out of what servers say.
	Redacts() bool
	// Withdraw cancels what people were asked about a call that nobody waits
	// for any more.
	Withdraw(session, call string)
	// Note puts something on record that is no event.
	Note(n Note)
}

// Note is something that happened in a session and is no event.
type Note struct{ Session, What, Method, Detail string }

// Link is where the messages go that one message leads to. Over HTTP it is the
// stream of the request. Both may be called at any time until the request of the
// message is answered, and by several goroutines.
type Link struct {
	ToServer func(raw []byte) error
	ToClient func(raw []byte) error
	outer    *Link // that of the batch that the message is in
}

// beside is where messages of our own go: they are no part of a batch.
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
	// User is who has come through a gate, "" if there is none. Tasks says whose the
	// server's tasks are, where it gets the same credentials for all users; where it
	// tells them apart, it is nil.
	User  string
	Tasks *Claims

	mu      sync.Mutex
	client  calls  // requests of the client that wait for the server
	server  calls  // requests of the server that wait for the client
	version string // that was agreed on, "" before that
	peer    peer
	own     *memory // see memory()
}

// peer is what the client says that it is, and can do.
type peer struct {
	info any
	can  map[string]any
}

// calls are requests that wait for their response, by the key of their id.
type calls map[string]*exchange

// exchange is a request and, later, its response.
type exchange struct {
	id     string // as it came
	method string
	params map[string]any
	modern bool
	began  time.Time
	event  *trammel.Event // that it was judged as
	told   []string       // what the model is to be told with the result
	task   string         // the task that it became
	sent   bool           // it has gone on
	// resumed says that it was made again with an answer to our question, and
	// agreed that this was a yes.
	resumed, agreed bool
	cancel          context.CancelFunc
	answer          chan<- *frame.Message // for requests of our own
}

// Client takes a message of the client. What has to happen in order has happened
// when it returns. What is left, if anything, takes its time: the caller runs it,
// beside the messages that follow if it can.
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

// Server takes a message of the server; otherwise it is as Client.
func (s *Session) Server(ctx context.Context, raw []byte, l Link) (rest func()) {
	s.busy()
	if frame.IsBatch(raw) {
		return s.serverBatch(ctx, raw, l)
	}
	m, err := frame.Parse(raw)
	if err == nil {
		err = clear(m)
	}
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

// open notes a request. It is refused if one with this id still waits.
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

// step judges a request before it goes on.
type step func(*Session, context.Context, *frame.Message, *exchange, Link)

// begin notes a request. One that is not judged passes at once; what is left of
// the others takes its time. It is not ok if a request with this id still waits.
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

// close takes a request off the list: nil if none with this id waits.
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
		_ = to(raw) // whoever reads that end finds out
	}
	return open
}

// cancelled ends what waits for a request that is no longer wanted. It reports
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

// EndServer answers every request that still waits, because the server is gone.
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

// Close ends what is still being judged.
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

// refusal is what an error of frame means for the one who sent the message.
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
