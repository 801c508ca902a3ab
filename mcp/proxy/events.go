package proxy

import (
	"cmp"
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Host is the host of the proxy's events.
const Host = full.ProxyHost

// NewID makes the id of a session.
func NewID() string { return "mcp_" + rand.Text() }

// event is an event of this session, about a message, if there is one. Of a
// large message it holds only the relevant part, and the digest.
func (s *Session) event(kind trammel.Kind, name string, m *frame.Message) *trammel.Event {
	ev := &trammel.Event{Kind: kind, Name: name, Host: Host, Time: time.Now(),
		Session: trammel.Session{ID: s.ID, Dir: s.Dir}, Exchange: &trammel.Exchange{Session: s.ID},
		Fields: map[string]any{"mcp_server": s.Name}}
	switch {
	case m == nil:
	case len(m.Raw) <= frame.Large:
		ev.Raw = m.Raw
	default:
		ev.Exchange.Digest, ev.Exchange.Size = m.Digest(), len(m.Raw)
	}
	mem := s.memory()
	s.mu.Lock()
	if s.peer.info != nil {
		ev.Fields["mcp_client"] = s.peer.info
	}
	s.mu.Unlock()
	mem.mu.Lock()
	if mem.server != nil {
		ev.Fields["mcp_server_info"] = mem.server
	}
	mem.mu.Unlock()
	return ev
}

// callEvent is the event of a call, or why the call is refused.
func (s *Session) callEvent(ctx context.Context, m *frame.Message, e *exchange, l Link) (ev *trammel.Event, refused string) {
	if !s.allowRate(e.began) {
		return nil, "Too many calls of this server. Wait a minute before the next call."
	}
	id, _ := toolUse(m)
	switch m.Method {
	case "tools/call":
		tool, ok := m.Params["name"].(string)
		arguments, isObject := m.Params["arguments"].(map[string]any)
		if !ok || tool == "" || m.Params["arguments"] != nil && !isObject {
			return nil, "A call needs the name of a tool, and its arguments as an object."
		}
		ev = s.event(trammel.PreToolUse, m.Method, m)
		ev.Tool = &trammel.ToolCall{ID: id, Name: s.toolName(tool), Input: arguments}
		ev.Tools = s.shapes(tool)
		if refused = s.describe(ctx, ev, tool, e, l); refused != "" {
			return nil, refused
		}
	case "resources/read":
		uri, ok := m.Params["uri"].(string)
		if !ok {
			return nil, "A resource is read by its uri."
		}
		ev = s.event(trammel.PreToolUse, m.Method, m)
		ev.Tool = &trammel.ToolCall{ID: id, Name: s.toolName(m.Method), Input: map[string]any{"uri": uri}}
		ev.Tools = s.shapes(m.Method)
	case "completion/complete": // what the user has typed so far goes to the server
		input := copied(m.Params)
		delete(input, "_meta")
		ev = s.event(trammel.PreToolUse, m.Method, m)
		ev.Tool = &trammel.ToolCall{ID: id, Name: s.toolName(m.Method), Input: input}
		ev.Tools = s.shapes(m.Method)
	default:
		name, _ := m.Params["name"].(string)
		arguments, err := canonical.Append(nil, m.Params["arguments"])
		if err != nil || name == "" {
			return nil, "A prompt needs a name."
		}
		if refused = s.pinnedPrompt(ctx, name, e, l); refused != "" {
			return nil, refused
		}
		ev = s.event(trammel.UserPromptExpansion, m.Method, m)
		ev.Prompt = &trammel.Prompt{Command: s.toolName(name), Text: string(arguments)}
	}
	ev.Exchange.Pin, _ = ev.Fields["mcp_pin"].(string)
	ev.Exchange.Trace = traceOf(m)
	return ev, ""
}

// traceOf is the trace that a request belongs to, if its client says so.
func traceOf(m *frame.Message) string {
	meta, _ := m.Params["_meta"].(map[string]any)
	trace, _ := meta["traceparent"].(string)
	return trace
}

// toolName is the name of a tool of this server in hooks (MCP-31).
func (s *Session) toolName(tool string) string { return "mcp__" + s.Name + "__" + tool }

// shapes read the arguments of a tool like those of any unknown tool, and name
// its server: the tool's name is ambiguous if it has more than one __ in it.
func (s *Session) shapes(tool string) trammel.Shapes {
	return trammel.Shapes{s.toolName(tool): {Parse: func(input map[string]any, a *trammel.Action) {
		*a = trammel.Loose(input)
		a.Kind, a.Server, a.Tool = trammel.MCPAction, s.Name, tool
		if tool == "resources/read" {
			a.Also = append(a.Also, trammel.ReadAction)
			uri, _ := input["uri"].(string)
			a.URL = uri
			if path, ok := paths.OfAddress(uri); ok {
				a.Paths = []string{path}
			}
		}
	}}}
}

// toolUse is the id of the call in the client's model, if the client sends it,
// else that of the request. The client's hooks see the same id (MCP-35).
func toolUse(m *frame.Message) (id string, named bool) {
	meta, _ := m.Params["_meta"].(map[string]any)
	for key, v := range meta {
		if one, ok := v.(string); ok && one != "" && strings.HasSuffix(key, "/toolUseId") {
			if named && one != id {
				return m.ID, false // two ids
			}
			id, named = one, true
		}
	}
	return cmp.Or(id, m.ID), named
}

func callID(ev *trammel.Event) string {
	if ev.Tool == nil {
		return ""
	}
	return ev.Tool.ID
}

// isModern reports whether a request uses a revision without a handshake: those
// send their version each time.
func (s *Session) isModern(params map[string]any) bool {
	meta, _ := params["_meta"].(map[string]any)
	version, _ := meta["io.modelcontextprotocol/protocolVersion"].(string)
	if client := meta["io.modelcontextprotocol/clientInfo"]; client != nil {
		s.mu.Lock()
		s.peer.info = client
		s.mu.Unlock()
	}
	return version >= "2026"
}
