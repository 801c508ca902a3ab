package proxy

import (
	"context"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// RefuseServer drops a message of the server that cannot be read or is too
// large. If it is clearly the response to a request, that request gets an
// error.
func (s *Session) RefuseServer(err error, l Link) {
	s.note("dropped", "", "a message of the server: "+err.Error())
	id, _ := refusal(err)
	if id == "" {
		return
	}
	if e := s.close(&s.client, id); e != nil && e.sent && e.answer == nil {
		_ = l.ToClient(failure(e.id, frame.InternalError, "Trammel has not passed the server's response on: "+err.Error()))
	}
}

func (s *Session) fromServer(ctx context.Context, m *frame.Message, l Link) (rest func()) {
	if err := clear(m); err != nil {
		if m.Kind != frame.Response { // its id is not the client's
			err = &frame.Refused{Code: frame.InvalidRequest, Why: err.Error()}
		}
		s.RefuseServer(err, l)
		return nil
	}
	switch m.Kind {
	case frame.Response:
		return s.serverResponse(ctx, m, l)
	case frame.Notification:
		return s.serverNotification(ctx, m, l)
	}
	e := &exchange{id: m.ID, method: m.Method, began: time.Now()}
	rest, ok := s.begin(ctx, &s.server, m, e, l, judgedAsks[m.Method], func() { s.send(&s.server, e, m.Raw, l.ToClient) })
	if !ok {
		s.note("dropped", m.Method, "a request of the server whose id is in use")
	}
	return rest
}

func (s *Session) serverNotification(ctx context.Context, m *frame.Message, l Link) (rest func()) {
	switch {
	case m.Method == "notifications/cancelled":
		if !s.cancelled(&s.server, frame.KeyOf(m.Params["requestId"])) {
			return nil // unknown to the client
		}
	case judgedAsks[m.Method] != nil:
		s.note("dropped", m.Method, "a request of the server without an id")
		return nil
	case (m.Method == "notifications/message" || m.Method == "notifications/progress") && s.Judge.Redacts():
		_ = l.ToClient(redactedMessage(m, "params", m.Params))
		return nil
	case strings.HasPrefix(m.Method, "notifications/tasks"):
		if why := s.anothersTask(m); why != "" {
			s.note("dropped", m.Method, why)
			return nil
		}
		return func() { _ = l.ToClient(s.nested(ctx, m, s.task(m.Params), "params", m.Params)) }
	}
	_ = l.ToClient(m.Raw)
	return nil
}

func (s *Session) serverResponse(ctx context.Context, m *frame.Message, l Link) (rest func()) {
	if m.ID == "null" && m.Error != nil {
		_ = l.ToClient(s.errorOf(m))
		return nil
	}
	e := s.responded(&s.client, m)
	if e == nil {
		return nil
	}
	if e.answer != nil {
		e.answer <- m
		return nil
	}
	judge := judgedResults[e.method]
	if e.method == "completion/complete" && m.Error == nil && s.Judge.Redacts() {
		_ = l.ToClient(redactedMessage(m, "result", m.Result))
		return nil
	}
	switch e.method {
	case "initialize", "server/discover": // nothing overtakes it
		_ = l.ToClient(s.storeServerInfo(ctx, m, e))
		return nil
	}
	if judge == nil {
		_ = l.ToClient(s.errorOf(m))
		return nil
	}
	return func() { _ = l.ToClient(judge(s, ctx, m, e)) }
}

// responded takes the request of a response off the list: nil if it was never
// sent, or was already answered.
func (s *Session) responded(c *calls, m *frame.Message) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := frame.Key(m.ID)
	e := (*c)[key]
	if e == nil || !e.sent {
		go s.note("dropped", "", "a response without a request, id "+m.ID)
		return nil
	}
	delete(*c, key)
	return e
}

// judgedResults are the requests whose results are judged. Each returns what the
// client gets.
var judgedResults map[string]func(*Session, context.Context, *frame.Message, *exchange) []byte

func init() {
	judgedResults = map[string]func(*Session, context.Context, *frame.Message, *exchange) []byte{
		"tools/call":               (*Session).called,
		"resources/read":           (*Session).called,
		"prompts/get":              (*Session).called,
		"tasks/get":                (*Session).taskSeen,
		"tasks/result":             (*Session).taskSeen,
		"tasks/list":               (*Session).tasksListed,
		"tools/list":               (*Session).listed,
		"prompts/list":             (*Session).listed,
		"resources/templates/list": (*Session).listed,
	}
}

// errorOf is a response without the secrets in an error.
func (s *Session) errorOf(m *frame.Message) []byte {
	if m.Error == nil || !s.Judge.Redacts() {
		return m.Raw
	}
	return redactedMessage(m, "error", m.Error)
}

// redactedMessage is a message with the secrets in one part redacted.
func redactedMessage(m *frame.Message, key string, part map[string]any) []byte {
	sieve := secret.Sieve{}
	safe, found := sieve.Value(part)
	obj, ok := safe.(map[string]any)
	if len(found) == 0 || !ok {
		return m.Raw
	}
	for _, name := range []string{"code", "level", "logger", "progressToken"} {
		if v, there := part[name]; there {
			obj[name] = v
		}
	}
	raw, err := m.With(key, obj)
	if err != nil {
		return failure("null", frame.InternalError, "Trammel could not remove the secrets from a message.")
	}
	return raw
}
