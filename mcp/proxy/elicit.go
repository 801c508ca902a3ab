package proxy

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/pin"
)

// With `elicit: true` the client's own user is asked about a call that a rule asks
// about and nobody else can be asked about (MCP-40). Older clients get a request;
// newer ones get a result that asks, and repeat the call with the answer.

// mark is the prefix of our own states and question names in a client's requests.
const mark = "trammel/"

// question is the name of our question in a result.
const question = mark + "approval"

// waiting is a call whose client should repeat it with an answer.
type waiting struct {
	call   string         // what was asked about
	params map[string]any // as they came
	until  time.Time
}

const (
	// answerTime is how long a user may take to answer a question in a result.
	answerTime = 10 * time.Minute
	// maxWaiting is how many such questions there may be at a time.
	maxWaiting = 100
	// maxShown is the size of the largest arguments that are shown to a user.
	maxShown = 4 << 10
)

// decide judges a call, and asks the client's user if nobody else can be asked.
func (s *Session) decide(ctx context.Context, ev *trammel.Event, e *exchange, l Link) *trammel.Verdict {
	v := s.Judge.Judge(ctx, ev)
	if !s.mayElicit(v, e) {
		return v
	}
	agreed := e.agreed
	if !e.modern {
		params, ok := s.questionAbout(e, v)
		if !ok {
			return v
		}
		m := s.ask(ctx, &s.server, elicitation, params, l.beside().ToClient)
		if m == nil || m.Error != nil {
			return v
		}
		agreed = s.agrees(ctx, e, m.Result)
	}
	if agreed {
		v.Decision = trammel.Allow
	}
	return v
}

func (s *Session) mayElicit(v *trammel.Verdict, e *exchange) bool {
	return s.Elicit && v.Decision == trammel.Ask && !v.Canceled && e.method != "completion/complete" && s.elicits(e)
}

// elicits reports whether the client can ask its user.
func (s *Session) elicits(e *exchange) bool {
	s.mu.Lock()
	all := s.peer.can
	s.mu.Unlock()
	if e.modern {
		meta, _ := e.params["_meta"].(map[string]any)
		all, _ = meta["io.modelcontextprotocol/clientCapabilities"].(map[string]any)
	}
	can, ok := all["elicitation"].(map[string]any)
	return ok && (len(can) == 0 || can["form"] != nil)
}

// questionAbout is the question for the user. A call that cannot be shown
// completely is not asked about.
func (s *Session) questionAbout(e *exchange, v *trammel.Verdict) (params map[string]any, ok bool) {
	about := map[string]any{}
	for _, key := range []string{"name", "uri"} {
		if e.params[key] != nil {
			about[key] = e.params[key]
		}
	}
	if arguments, ok := e.params["arguments"].(map[string]any); ok {
		about["arguments"] = v.Apply(arguments)
	}
	shown := pin.Visible(secret.Clean(frame.KeyOf(about)))
	if len(shown) > maxShown {
		return nil, false
	}
	text := fmt.Sprintf("Trammel asks whether the MCP server %q may be called (%s): %s\nReason: %s", s.Name, e.method, shown,
		pin.Visible(secret.Clean(v.Reason)))
	return map[string]any{"message": text, "requestedSchema": map[string]any{"type": "object", "required": []any{"approve"},
		"properties": map[string]any{"approve": map[string]any{"type": "boolean", "title": "Let this call pass, once"}}}}, true
}

// agrees reports whether the user's answer lets a call pass. An answer that
// cannot be recorded does not count.
func (s *Session) agrees(ctx context.Context, e *exchange, answer map[string]any) bool {
	content, _ := answer["content"].(map[string]any)
	ev := s.event(trammel.ElicitationResult, elicitation, nil)
	ev.Fields["action"], ev.Fields["content"], ev.Fields["approval_of"] = answer["action"], content, callOf(e)
	return s.Judge.Judge(ctx, ev).Proceed() && answer["action"] == "accept" && content["approve"] == true
}

// callOf identifies the call that an answer is about: everything that
// determines what it does.
func callOf(e *exchange) string {
	return frame.KeyOf([]any{e.method, e.params["name"], e.params["uri"], e.params["arguments"]})
}

// asks answers a call with the question, if its client can repeat the call.
func (s *Session) asks(e *exchange, v *trammel.Verdict, l Link) bool {
	if !e.modern || !s.mayElicit(v, e) {
		return false
	}
	params, ok := s.questionAbout(e, v)
	if !ok {
		return false
	}
	now, state := time.Now(), mark+rand.Text()
	mem := s.memory()
	mem.mu.Lock()
	maps.DeleteFunc(mem.waiting, func(_ string, w waiting) bool { return w.until.Before(now) })
	ok = len(mem.waiting) < maxWaiting
	if mem.waiting == nil {
		mem.waiting = map[string]waiting{}
	}
	if ok {
		mem.waiting[state] = waiting{callOf(e), e.params, now.Add(answerTime)}
	}
	mem.mu.Unlock()
	if ok {
		s.answer(e, response(e.id, "result", map[string]any{"resultType": "input_required", "requestState": state,
			"inputRequests": map[string]any{question: map[string]any{"method": elicitation, "params": params}}}), l)
	}
	return ok
}

// resume takes the answer to our question out of a repeated call, which
// restores the original call. An answer counts once, for the call that it is
// about.
func (s *Session) resume(ctx context.Context, e *exchange) (refused string) {
	state, _ := e.params["requestState"].(string)
	if !strings.HasPrefix(state, mark) {
		return ""
	}
	mem := s.memory()
	mem.mu.Lock()
	w, ok := mem.waiting[state]
	delete(mem.waiting, state)
	mem.mu.Unlock()
	if !ok || w.until.Before(time.Now()) || w.call != callOf(e) {
		return "Nobody was asked about this call, or it was too long ago. Make the call again, without the answer."
	}
	answers, _ := e.params["inputResponses"].(map[string]any)
	answer, _ := answers[question].(map[string]any)
	params := copied(e.params)
	for _, key := range []string{"requestState", "inputResponses"} {
		delete(params, key)
		if w.params[key] != nil {
			params[key] = w.params[key]
		}
	}
	e.params, e.resumed = params, true
	if e.agreed = s.agrees(ctx, e, answer); !e.agreed {
		return "The user has not agreed to this call."
	}
	return ""
}
