package proxy

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/pin"
)

// known is what the server offers.
type known struct {
	tools  map[string]map[string]any
	hidden map[string]string // tools that hooks hide, and why; what pins hold back is looked up at each call
	whole  bool              // the whole list was read
}

// lists are the fields with the entries of a list, and what is pinned of them.
var lists = map[string]struct {
	field string
	kind  pin.Kind
}{
	"tools/list":               {"tools", pin.Tool},
	"prompts/list":             {"prompts", pin.Prompt},
	"resources/templates/list": {"resourceTemplates", pin.Template},
}

// maxKnown is how many tools are remembered.
const maxKnown = 10_000

// listed removes withheld entries from a list.
func (s *Session) listed(ctx context.Context, m *frame.Message, e *exchange) []byte {
	if m.Error != nil {
		return s.errorOf(m)
	}
	of := lists[e.method]
	entries, _ := m.Result[of.field].([]any)
	stay := s.offered(ctx, e, of.kind, entries, m)
	if len(stay) == len(entries) {
		return m.Raw
	}
	result := maps.Clone(m.Result)
	result[of.field] = stay
	if _, there := result["ttlMs"]; there {
		result["ttlMs"] = int64(0)
	}
	if _, there := result["cacheScope"]; there {
		result["cacheScope"] = "private"
	}
	raw, err := m.With("result", result)
	if err != nil {
		return failure(m.ID, frame.InternalError, err.Error())
	}
	return raw
}

// offered are the entries of a list that are not withheld.
func (s *Session) offered(ctx context.Context, e *exchange, kind pin.Kind, entries []any, m *frame.Message) []any {
	objects := make([]map[string]any, 0, len(entries))
	for _, entry := range entries {
		if object, ok := entry.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	_, more := m.Result["nextCursor"]
	hidden := s.withheld(ctx, kind, objects, !more)
	if kind == pin.Tool {
		why := s.choose(ctx, m, objects)
		s.learn(objects, why, e.params["cursor"] == nil, !more)
		maps.Copy(hidden, why)
	}
	stay := []any{}
	for _, object := range objects {
		if _, gone := hidden[pin.Name(kind, object)]; !gone {
			stay = append(stay, object)
		}
	}
	return stay
}

// withheld are the objects that are held back, with the reasons. If the pins
// cannot be used, lists still pass: the calls are denied.
func (s *Session) withheld(ctx context.Context, kind pin.Kind, objects []map[string]any, last bool) map[string]string {
	hidden := map[string]string{}
	if s.Pins == nil {
		return hidden
	}
	verdicts, err := s.Pins.Listed(ctx, kind, objects, last)
	if err != nil {
		s.note("pins", string(kind), err.Error())
		return hidden
	}
	for _, v := range verdicts {
		if v.Withheld {
			hidden[v.Name] = v.Reason
			s.note("withheld", string(kind)+" "+v.Name, v.Reason)
		}
	}
	return hidden
}

// choose asks hooks which tools to offer. It returns the others, with the
// reasons.
func (s *Session) choose(ctx context.Context, m *frame.Message, objects []map[string]any) map[string]string {
	ev := s.event(trammel.ToolSelection, m.Method, nil)
	names := make([]any, len(objects))
	for i, object := range objects {
		names[i] = s.toolName(pin.Name(pin.Tool, object))
	}
	ev.Name, ev.Fields["tools"] = "tools/list", names
	v := s.Judge.Judge(ctx, ev)
	hidden := map[string]string{}
	if v.Decision == trammel.Deny {
		for _, object := range objects {
			hidden[pin.Name(pin.Tool, object)] = v.Reason
		}
	}
	return hidden
}

// learn remembers a page of the list of tools.
func (s *Session) learn(objects []map[string]any, hidden map[string]string, first, last bool) {
	mem := s.memory()
	mem.mu.Lock()
	defer mem.mu.Unlock()
	k := &mem.known
	if first || k.tools == nil || len(k.tools) > maxKnown {
		*k = known{tools: map[string]map[string]any{}, hidden: map[string]string{}}
	}
	for _, object := range objects {
		k.tools[pin.Name(pin.Tool, object)] = object
	}
	maps.Copy(k.hidden, hidden)
	k.whole = last
}

func (s *Session) toolNamed(name string) map[string]any {
	mem := s.memory()
	mem.mu.Lock()
	defer mem.mu.Unlock()
	return mem.known.tools[name]
}

// describe adds to the event of a call what the server says about the tool, or
// says why the tool may not be called.
func (s *Session) describe(ctx context.Context, ev *trammel.Event, name string, e *exchange, l Link) (refused string) {
	mem := s.memory()
	mem.mu.Lock()
	tool, whole := mem.known.tools[name], mem.known.whole
	mem.mu.Unlock()
	if tool == nil && !whole {
		s.list(ctx, "tools/list", e, l)
		tool = s.toolNamed(name)
	}
	mem.mu.Lock()
	why, hidden := mem.known.hidden[name]
	mem.mu.Unlock()
	if s.Pins != nil {
		v, err := s.Pins.Called(ctx, pin.Tool, name)
		switch {
		case err != nil:
			return "The pins of this server cannot be used, so none of its tools may be called: " + err.Error()
		case v.Withheld:
			return v.Reason
		}
		ev.Fields["mcp_pin"] = string(v.State)
		if len(v.Facts) > 0 {
			ev.Fields["mcp_pin_notes"] = notes(v.Facts)
		}
	}
	if hidden {
		return fmt.Sprintf("The tool %s is not offered here: %s", name, why)
	}
	for field, key := range map[string]string{"description": "tool_description", "inputSchema": "tool_input_schema",
		"annotations": "tool_annotations"} {
		if tool[field] != nil {
			ev.Fields[key] = tool[field]
		}
	}
	return ""
}

// notes are the codes of a tool's oddities, for rules.
func notes(facts []pin.Fact) []any {
	out := make([]any, len(facts))
	for i, f := range facts {
		out[i] = f.Code
	}
	return out
}

// pinnedPrompt says why a prompt may not be used.
func (s *Session) pinnedPrompt(ctx context.Context, name string, e *exchange, l Link) (refused string) {
	if s.Pins == nil {
		return ""
	}
	v, err := s.Pins.Called(ctx, pin.Prompt, name)
	if err == nil && v.State == pin.Unlisted {
		s.list(ctx, "prompts/list", e, l)
		v, err = s.Pins.Called(ctx, pin.Prompt, name)
	}
	switch {
	case err != nil:
		return "The pins of this server cannot be used, so none of its prompts may be used: " + err.Error()
	case v.Withheld:
		return v.Reason
	}
	return ""
}

// listTime is how long a server may take to list something for us.
const listTime = 10 * time.Second

// list lists tools or prompts for a call that arrives before any list (MCP-54).
func (s *Session) list(ctx context.Context, method string, e *exchange, l Link) {
	mem := s.memory()
	mem.listing.Lock() // one list serves all calls that wait for it
	defer mem.listing.Unlock()
	mem.mu.Lock()
	whole := mem.known.whole
	mem.mu.Unlock()
	if whole && method == "tools/list" {
		return
	}
	ctx, stop := context.WithTimeout(ctx, listTime)
	defer stop()
	params := map[string]any{}
	if meta, ok := e.params["_meta"].(map[string]any); ok && e.modern {
		meta = maps.Clone(meta)
		delete(meta, "progressToken")
		params["_meta"] = meta
	}
	for range 100 {
		m := s.ask(ctx, &s.client, method, params, l.beside().ToServer)
		if m == nil || m.Error != nil {
			return
		}
		entries, _ := m.Result[lists[method].field].([]any)
		s.offered(ctx, &exchange{params: params}, lists[method].kind, entries, m)
		cursor, more := m.Result["nextCursor"]
		if !more {
			return
		}
		params = maps.Clone(params)
		params["cursor"] = cursor
	}
}

// ask sends our own request to one side and waits for its response: nil if
// there is none.
func (s *Session) ask(ctx context.Context, c *calls, method string, params map[string]any, to func([]byte) error) *frame.Message {
	mem := s.memory()
	mem.mu.Lock()
	mem.requests++
	id := strconv.Quote("trammel/" + s.ID + "/" + strconv.Itoa(mem.requests))
	mem.mu.Unlock()
	answer := make(chan *frame.Message, 1)
	e := &exchange{id: id, method: method, params: params, began: time.Now(), answer: answer}
	if !s.open(c, e) || !s.send(c, e, message(id, method, params), to) {
		return nil
	}
	select {
	case m := <-answer:
		return m
	case <-ctx.Done():
		s.close(c, id)
		return nil
	}
}

// storeServerInfo stores what the server says about itself. Its instructions are pinned.
func (s *Session) storeServerInfo(ctx context.Context, m *frame.Message, e *exchange) []byte {
	if m.Error != nil {
		return s.errorOf(m)
	}
	s.mu.Lock()
	if version, ok := m.Result["protocolVersion"].(string); ok && e.method == "initialize" {
		s.version = version
	}
	if info := e.params["clientInfo"]; info != nil {
		s.peer.info = info
	}
	if can, ok := e.params["capabilities"].(map[string]any); ok {
		s.peer.can = can
	}
	s.mu.Unlock()
	if info := m.Result["serverInfo"]; info != nil {
		mem := s.memory()
		mem.mu.Lock()
		mem.server = info
		mem.mu.Unlock()
	}
	instructions, ok := m.Result["instructions"].(string)
	if !ok || instructions == "" || len(s.withheld(ctx, pin.Instructions, []map[string]any{{"instructions": instructions}}, true)) == 0 {
		return m.Raw
	}
	result := maps.Clone(m.Result)
	delete(result, "instructions")
	raw, err := m.With("result", result)
	if err != nil {
		return failure(m.ID, frame.InternalError, err.Error())
	}
	return raw
}
