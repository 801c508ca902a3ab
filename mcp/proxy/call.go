package proxy

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// names are the fields of messages that we read: no other field may look like
// one of them.
var names = []string{"name", "arguments", "uri", "_meta", "cursor", "nextCursor", "requestId", "inputResponses",
	"inputRequests", "requestState", "task", "taskId", "messages", "content", "contents", "structuredContent", "isError",
	"resultType", "tools", "prompts", "resourceTemplates", "result", "error", "instructions", "systemPrompt", "message",
	"requestedSchema", "url", "data"}

// clear refuses a message in which one field, or the method, could be mistaken
// for another.
func clear(m *frame.Message) error {
	for _, of := range []map[string]step{judgedRequests, judgedAsks} {
		for method := range of {
			if m.Method != method && strings.EqualFold(strings.TrimSpace(m.Method), method) {
				return &frame.Refused{Code: frame.InvalidRequest, Why: fmt.Sprintf("%q could be taken for %s", m.Method, method), ID: m.ID}
			}
		}
	}
	for _, part := range []map[string]any{m.Params, m.Result, m.Error} {
		if err := strict.CaseVariant(part, names...); err != nil {
			return &frame.Refused{Code: frame.InvalidRequest, Why: err.Error(), ID: m.ID}
		}
	}
	return nil
}

// call judges a tool call, a read of a resource or the use of a prompt, and
// passes it on if it is allowed.
func (s *Session) call(ctx context.Context, m *frame.Message, e *exchange, l Link) {
	var ev *trammel.Event
	refused := s.resume(ctx, e)
	if refused == "" {
		ev, refused = s.callEvent(ctx, m, e, l)
	}
	if refused == "" {
		refused = s.judgeAnswers(ctx, e)
	}
	if refused != "" {
		s.note("denied", m.Method, refused)
		s.answer(e, e.deny(refused), l)
		return
	}
	e.event = ev
	// Behind a gate we do not know whether the agent here is the user's: the
	// same call in its hooks is recognized only by its id.
	if id, named := toolUse(m); m.Method == "tools/call" && (named || s.User == "") {
		if !named {
			id = ""
		}
		s.Judge.Recognize(ctx, ev, id)
	}
	v := s.held(ctx, ev, e, l)
	switch {
	case ctx.Err() != nil: // nobody is waiting for an answer
		s.Judge.Withdraw(ev.Session.ID, callID(ev))
		s.close(&s.client, e.id)
	case s.asks(e, v, l):
	case !v.Proceed():
		s.answer(e, e.deny(reasonOf(v)), l)
	default:
		e.contexts = v.Context
		raw, err := rewrittenCall(m, e, v)
		if err != nil {
			s.answer(e, e.deny(err.Error()), l)
			return
		}
		s.send(&s.client, e, raw, l.ToServer)
	}
}

// update judges the answers that a client adds to a task.
func (s *Session) update(ctx context.Context, m *frame.Message, e *exchange, l Link) {
	if why := s.judgeAnswers(ctx, e); why != "" {
		s.answer(e, failure(e.id, deniedCode, why), l)
		return
	}
	s.send(&s.client, e, m.Raw, l.ToServer)
}

// answer answers a request of the client in the server's place, if the client
// is still waiting.
func (s *Session) answer(e *exchange, raw []byte, l Link) {
	if s.close(&s.client, e.id) == e {
		_ = l.ToClient(raw)
	}
}

// hold is how long a call may wait, with some margin: many clients give up
// after a minute.
const hold = 45 * time.Second

// held judges a call. While the call waits, it sends progress to a client that
// wants it.
func (s *Session) held(ctx context.Context, ev *trammel.Event, e *exchange, l Link) *trammel.Verdict {
	ctx, stop := context.WithTimeout(ctx, cmp.Or(s.Hold, hold))
	defer stop()
	meta, _ := e.params["_meta"].(map[string]any)
	token, wanted := meta["progressToken"]
	if !wanted {
		return s.decide(ctx, ev, e, l)
	}
	done := make(chan *trammel.Verdict, 1)
	go func() { done <- s.decide(ctx, ev, e, l) }()
	tick := time.NewTicker(cmp.Or(s.Progress, 5*time.Second))
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case v := <-done:
			return v
		case <-tick.C:
			_ = l.beside().ToClient(message("", "notifications/progress", map[string]any{"progressToken": token,
				"progress": float64(n) / 1e6, // less than the server will report
				"message":  "Waiting for an approval"}))
		}
	}
}

// reasonOf is why a verdict stops a call.
func reasonOf(v *trammel.Verdict) string {
	switch {
	case v.Decision == trammel.Deny:
		return v.Reason
	case v.Decision == trammel.Ask:
		return fmt.Sprintf("This needs a person's consent, and there is nobody to ask here: %s\nA person can set up `approvals` in trammel.yaml.",
			v.Reason)
	}
	return "Trammel was stopped before all hooks had answered, so the call is blocked."
}

// rewrittenCall is the request with the verdict's changes.
func rewrittenCall(m *frame.Message, e *exchange, v *trammel.Verdict) ([]byte, error) {
	if v.Input == nil && !e.resumed {
		return m.Raw, nil
	}
	params := copied(e.params)
	switch e.method {
	case "resources/read":
		for key, value := range v.Input {
			params[key] = value
		}
	case "tools/call":
		if arguments, ok := e.params["arguments"].(map[string]any); ok || v.Input != nil {
			params["arguments"] = v.Apply(arguments)
		}
	case "completion/complete":
		params = v.Apply(params)
	}
	e.params = params
	return m.With("params", params)
}

func copied(m map[string]any) map[string]any {
	out := make(map[string]any, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	return out
}
