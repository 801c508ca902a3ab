package proxy

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/loopback"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/pin"
)

// What a server asks of the client: to use its model, or to ask its user.
const (
	sampling    = "sampling/createMessage"
	elicitation = "elicitation/create"
)

// judgedAsks are the requests of servers that are judged.
var judgedAsks = map[string]step{
	sampling:    (*Session).asked,
	elicitation: (*Session).asked,
}

// asked judges a request of the server and passes it on if it is allowed.
func (s *Session) asked(ctx context.Context, m *frame.Message, e *exchange, l Link) {
	params, why := s.judgeAsk(ctx, m.Method, m.Params, m)
	var raw []byte
	if why == "" {
		var err error
		if raw, err = m.With("params", params); err != nil {
			why = err.Error()
		}
	}
	if why == "" {
		s.send(&s.server, e, raw, l.ToClient)
		return
	}
	if s.close(&s.server, e.id) != e {
		return // the server has cancelled it
	}
	if m.Method == elicitation {
		_ = l.ToServer(response(e.id, "result", map[string]any{"action": "decline"}))
	} else {
		_ = l.ToServer(failure(e.id, deniedCode, why))
	}
}

// judgeAsk judges what a server asks for. It returns the params to pass on, or
// why the request is denied.
func (s *Session) judgeAsk(ctx context.Context, method string, params map[string]any, m *frame.Message) (now map[string]any, why string) {
	var ev *trammel.Event
	now = maps.Clone(params)
	switch method {
	case sampling:
		if s.Sampling != "allow" {
			why = "This server may not use the client's model; `sampling: allow` in trammel.yaml lets it."
			break
		}
		delete(now, "includeContext") // the rest of the conversation stays private
		if wanted, ok := number(params["maxTokens"]); s.SamplingTokens > 0 && (!ok || wanted > float64(s.SamplingTokens)) {
			now["maxTokens"] = int64(s.SamplingTokens)
		}
		ev = s.event(trammel.BeforeLLMCall, method, m)
		messages, _ := params["messages"].([]any)
		ev.Model = &trammel.ModelCall{Messages: slices.Clone(messages)}
		ev.Fields["system_prompt"] = params["systemPrompt"]
	case elicitation:
		if why = s.phishing(params); why == "" {
			ev = s.event(trammel.Elicitation, method, m)
			for field, key := range map[string]string{"message": "message", "requestedSchema": "requested_schema", "url": "url", "mode": "mode"} {
				if params[field] != nil {
					ev.Fields[key] = params[field]
				}
			}
		}
	default:
		return params, ""
	}
	if why == "" && !s.allowRate(ev.Time) {
		why = "This server asks too often. It can ask again in a minute."
	}
	if why != "" {
		s.note("denied", method, why)
		return nil, why
	}
	v := s.Judge.Judge(ctx, ev)
	if !v.Proceed() {
		return nil, reasonOf(v)
	}
	if messages, ok := v.Input["messages"].([]any); ok && method == sampling {
		now["messages"] = messages
	}
	if text, ok := now["message"].(string); ok && method == elicitation {
		now["message"] = s.introduced(text)
	}
	if text, ok := now["systemPrompt"].(string); ok && s.Judge.Redacts() {
		now["systemPrompt"], _ = secret.Redact(text)
	}
	return now, ""
}

// introduced adds the server's name to the question: clients show it as if it
// were their own.
func (s *Session) introduced(message string) string {
	by := fmt.Sprintf("The MCP server %q asks: ", s.Name)
	return by + strings.TrimPrefix(message, by)
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// secretWords are words in the names of form fields that ask for secrets.
var secretWords = []string{"password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "api key", "credential",
	"private key", "privatekey", "private_key", "pin code", "cvv", "otp", "passwort", "kennwort", "mot de passe", "contraseña", "senha",
	"пароль", "密码", "密碼", "パスワード"}

// phishing says why the user must not be asked, "" if they may be.
func (s *Session) phishing(params map[string]any) string {
	if s.Elicitation == "deny" {
		return "This server may not ask the user."
	}
	if address, ok := params["url"].(string); ok {
		u, err := url.Parse(address)
		foreign := func(r rune) bool { return r > 0x7e }
		local := err == nil && loopback.Is(u.Hostname())
		switch {
		case err != nil || u.Scheme != "https" && (!local || u.Scheme != "http"):
			return "The server wants to send the user to an address that is not https."
		case u.User != nil:
			return "The server wants to send the user to an address with a user name in it."
		case strings.Contains(strings.ToLower(u.Hostname()), "xn--") || strings.ContainsFunc(u.Hostname(), foreign):
			return "The server wants to send the user to a host name with look-alike letters: " + u.Hostname()
		}
	}
	schema, _ := params["requestedSchema"].(map[string]any)
	fields, _ := schema["properties"].(map[string]any)
	message, _ := params["message"].(string)
	message = strings.ToLower(message)
	for name, field := range fields {
		about, _ := field.(map[string]any)
		title, _ := about["title"].(string)
		description, _ := about["description"].(string)
		words := strings.ToLower(name + " " + title + " " + description)
		isSecret := func(w string) bool { return strings.Contains(words, w) || strings.Contains(message, "your "+w) }
		switch {
		case about["format"] == "password" || slices.ContainsFunc(secretWords, isSecret):
			return fmt.Sprintf("The server asks the user for a secret (%s). Secrets do not go through forms.", name)
		case pin.Disguised(words) || pin.Disguised(message):
			return "The server's question has letters that are invisible or look like others."
		}
	}
	return ""
}

// judgeAsks judges what a result asks for, each entry like the request that it
// represents. If one is denied, all are (MCP-33).
func (s *Session) judgeAsks(ctx context.Context, e *exchange, result, asks map[string]any) map[string]any {
	now := maps.Clone(asks)
	for _, name := range slices.Sorted(maps.Keys(asks)) {
		entry, _ := asks[name].(map[string]any)
		method, _ := entry["method"].(string)
		params, _ := entry["params"].(map[string]any)
		changed, why := s.judgeAsk(ctx, method, params, nil)
		if err := cmp.Or(strict.CaseVariant(entry, "method", "params"), strict.CaseVariant(params, names...)); err != nil {
			why = err.Error()
		}
		if why != "" {
			return denied(fmt.Sprintf("The server asked for something that is denied (%s): %s", name, why), e.modern)
		}
		if params != nil {
			entry = maps.Clone(entry)
			entry["params"] = changed
			now[name] = entry
		}
	}
	out := maps.Clone(result)
	out["inputRequests"] = now
	return out
}

// clientResponse judges the client's response to a request of the server.
func (s *Session) clientResponse(ctx context.Context, m *frame.Message, l Link) (rest func()) {
	e := s.responded(&s.server, m)
	if e == nil {
		return nil
	}
	if e.answer != nil {
		e.answer <- m
		return nil
	}
	if m.Error != nil || e.method != sampling && e.method != elicitation {
		_ = l.ToServer(m.Raw)
		return nil
	}
	return func() {
		result, why := s.judgeAnswer(ctx, m.Result, m)
		raw, err := m.With("result", result)
		switch {
		case err == nil && why == "":
			_ = l.ToServer(raw)
		case e.method == elicitation:
			_ = l.ToServer(response(e.id, "result", map[string]any{"action": "decline"}))
		default:
			_ = l.ToServer(failure(e.id, deniedCode, why))
		}
	}
}

// judgeAnswers judges the answers in a repeated request. It puts changed
// answers into the request, or says why the request is denied.
func (s *Session) judgeAnswers(ctx context.Context, e *exchange) (why string) {
	answers, ok := e.params["inputResponses"].(map[string]any)
	if !ok {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		answer, _ := answers[name].(map[string]any)
		now, why := s.judgeAnswer(ctx, answer, nil)
		if why == "" && frame.KeyOf(now) != frame.KeyOf(answer) {
			why = "it contains a secret"
		}
		if why != "" {
			return fmt.Sprintf("An answer to what the server asked for (%s) is denied: %s", name, why)
		}
	}
	return ""
}

// judgeAnswer judges an answer of the client: a user's answer has an action, a
// model's a role.
func (s *Session) judgeAnswer(ctx context.Context, answer map[string]any, m *frame.Message) (now map[string]any, why string) {
	var ev *trammel.Event
	switch {
	case answer["action"] != nil:
		ev = s.event(trammel.ElicitationResult, elicitation, m)
		ev.Fields["action"], ev.Fields["content"] = answer["action"], answer["content"]
	case answer["roots"] == nil: // the model's, also without a role
		ev = s.event(trammel.AfterLLMCall, sampling, m)
		model, _ := answer["model"].(string)
		ev.Session.Model = model
		ev.Model = &trammel.ModelCall{Response: outputOf(map[string]any{"content": answer["content"]})}
	}
	now = answer
	if ev != nil {
		v := s.Judge.Judge(ctx, ev)
		if !v.Proceed() {
			return nil, reasonOf(v)
		}
		if v.Output != nil && ev.Kind == trammel.AfterLLMCall {
			now = maps.Clone(answer)
			now["content"] = text(*v.Output)
		}
	}
	if content := now["content"]; content != nil && s.Judge.Redacts() {
		sieve := secret.Sieve{}
		if safe, found := sieve.Value(content); len(found) > 0 {
			now = maps.Clone(now)
			now["content"] = safe
		}
	}
	return now, ""
}
