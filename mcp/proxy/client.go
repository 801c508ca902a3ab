package proxy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
)

// RefuseClient answers a message of the client that cannot be read or is too large.
func (s *Session) RefuseClient(err error, l Link) {
	id, code := refusal(err)
	id = cmp.Or(id, "null")
	s.note("refused", "", err.Error())
	_ = l.ToClient(failure(id, code, "Trammel has not passed this message on: "+err.Error()))
}

func (s *Session) fromClient(ctx context.Context, m *frame.Message, l Link) (rest func()) {
	if err := clear(m); err != nil {
		if m.Kind == frame.Response { // its id is the server's
			err = &frame.Refused{Code: frame.InvalidRequest, Why: err.Error()}
		}
		s.RefuseClient(err, l)
		return nil
	}
	switch m.Kind {
	case frame.Response:
		return s.clientResponse(ctx, m, l)
	case frame.Notification:
		if judgedRequests[m.Method] != nil || slices.Contains(passedRequests, m.Method) {
			s.RefuseClient(&frame.Refused{Code: frame.InvalidRequest, Why: m.Method + " is a request, and has no id"}, l)
			return nil // a server might act on it anyway
		}
		if id := frame.KeyOf(m.Params["requestId"]); m.Method == "notifications/cancelled" && !s.cancelled(&s.client, id) {
			return nil // the server has never heard of it
		}
		_ = l.ToServer(m.Raw)
		return nil
	}
	e := &exchange{id: m.ID, method: m.Method, began: time.Now(), modern: s.isModern(m.Params)}
	if needsParams(m.Method) {
		e.params = m.Params
	}
	if why := s.anothersTask(m); why != "" {
		s.RefuseClient(&frame.Refused{Code: frame.InvalidParams, Why: why, ID: m.ID}, l)
		return nil
	}
	rest, ok := s.begin(ctx, &s.client, m, e, l, judgedRequests[m.Method], func() { s.pass(m, e, l) })
	if !ok {
		s.RefuseClient(&frame.Refused{Code: frame.InvalidRequest, Why: "a request with this id still waits for its response", ID: "null"}, l)
	}
	return rest
}

// needsParams reports whether the params of a request are needed after it was
// passed on. Others may be large, and are not kept.
func needsParams(method string) bool {
	return judgedRequests[method] != nil || judgedResults[method] != nil || method == "initialize" || method == "server/discover"
}

// judgedRequests are the requests of clients that are judged before they are passed on.
var judgedRequests = map[string]step{
	"tools/call":          (*Session).call,
	"resources/read":      (*Session).call,
	"prompts/get":         (*Session).call,
	"completion/complete": (*Session).call,
	"tasks/update":        (*Session).update,
}

// passedRequests are known, and passed on without judging.
var passedRequests = []string{"initialize", "server/discover", "ping", "tools/list", "prompts/list", "resources/list",
	"resources/templates/list", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen",
	"logging/setLevel", "tasks/get", "tasks/result", "tasks/list", "tasks/cancel"}

// pass passes on a request that is not judged.
func (s *Session) pass(m *frame.Message, e *exchange, l Link) {
	if !slices.Contains(passedRequests, m.Method) {
		if s.Unknown == "deny" {
			s.note("denied", m.Method, "the method is unknown")
			s.answer(e, failure(e.id, deniedCode, "Trammel does not pass on methods that it does not know."), l)
			return
		}
		s.note("passed", m.Method, "the method is unknown")
	}
	s.send(&s.client, e, m.Raw, l.ToServer)
}
