package proxy

import (
	"context"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// MCP-12, MCP-95: smuggling. None of this reaches the server, and no unsolicited
// message of the server reaches the client.
func TestSmuggling(t *testing.T) {
	for _, raw := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ok","Name":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ok","arguments":{"a":1,"a":2}}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}]`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"} {"jsonrpc":"2.0","id":2,"method":"tools/call"}`,
		`tools/call`,
	} {
		b := newBench(t)
		b.client(raw)
		if server, client := b.took(); server != "" || !strings.Contains(client, `"error"`) {
			t.Errorf("%s: to the server %q, to the client %q", raw, server, client)
		}
	}
	b := newBench(t)
	for _, raw := range []string{
		`{"jsonrpc":"2.0","id":99,"result":{"content":[]}}`, // to no request
		`{"jsonrpc":"2.0","id":null,"result":{}}`,
		`[{"jsonrpc":"2.0","id":1,"result":{}}]`,
		`noise on stdout`,
	} {
		b.server(raw)
		b.want(raw, "", "")
	}
	b.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	b.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`) // twice
	if server, client := b.took(); strings.Count(server, "ping") != 1 || !strings.Contains(client, "still waits") {
		t.Errorf("an id that is in use: to the server %q, to the client %q", server, client)
	}
	pong := `{"jsonrpc":"2.0","id":1,"result":{}}`
	b.server(pong)
	b.server(pong)
	b.want("a repeated response", "", pong)
	b.client(`{"jsonrpc":"2.0","id":5,"result":{"roots":[]}}`)
	b.want("an answer that nobody asked for", "", "")
}

// MCP-12, MCP-15: a response that cannot be read, or is too large, is an error
// for its request, and the session lives on.
func TestUnreadableResponse(t *testing.T) {
	b := newBench(t)
	b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`)
	b.client(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}`)
	b.took()
	b.server(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":[]}}`)
	if _, client := b.took(); !strings.HasPrefix(client, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603`) {
		t.Errorf("a response with a doubled key: %s", client)
	}
	b.RefuseServer(&frame.TooLarge{Max: 1, Head: []byte(`{"jsonrpc":"2.0","result":{"a":"aaa`), Tail: []byte(`aaa"},"id":2}`)}, b.link())
	if _, client := b.took(); !strings.HasPrefix(client, `{"jsonrpc":"2.0","id":2,"error":{"code":-32603`) {
		t.Errorf("a response that is too large: %s", client)
	}
	b.RefuseClient(&frame.TooLarge{Max: 1, Head: []byte(`{"jsonrpc":"2.0","id":3,"method":"x`)}, b.link())
	if _, client := b.took(); !strings.HasPrefix(client, `{"jsonrpc":"2.0","id":3,"error":{"code":-32600`) {
		t.Errorf("a request that is too large: %s", client)
	}
}

// MCP-12: where batches exist, every message is judged and one refusal refuses all.
func TestBatches(t *testing.T) {
	b := newBench(t)
	b.version = "2025-03-26"
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		if strings.HasSuffix(ev.Tool.Name, "bad") {
			return denyAll("No.")(nil, ev)
		}
		return nil
	}
	good := `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"good"}}, {"jsonrpc":"2.0","id":2,"method":"ping"}]`
	b.client(good)
	b.want("a batch", good, "")
	answers := `[{"jsonrpc":"2.0","id":2,"result":{}} ,{"jsonrpc":"2.0","id":1,"result":{"content":[]}}]`
	b.server(answers)
	b.want("its answers", "", answers)
	b.client(
		`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"good"}},{"jsonrpc":"2.0","id":2,"method":"tools/call",` +
			`"params":{"name":"bad"}}]`)
	if server, client := b.took(); server != "" || strings.Count(client, `"id":`) != 2 || len(b.Session.client) > 0 {
		t.Errorf("a batch with a denied call: to the server %q, to the client %q", server, client)
	}
}

// MCP-11, MCP-12: in a batch of the server, too, no field may be mistaken for
// another: clients that ignore case would read the second one.
func TestCaseVariantsInBatches(t *testing.T) {
	b := newBench(t)
	b.version = "2025-03-26"
	b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`)
	b.client(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	b.took()
	b.server(`[{"jsonrpc":"2.0","id":1,"result":{"content":[],"Content":[{"type":"text","text":"evil"}]}},` +
		`{"jsonrpc":"2.0","id":2,"result":{"tools":[],"Tools":[{"name":"evil"}]}}]`)
	if _, client := b.took(); strings.Contains(client, "evil") || strings.Count(client, `"error"`) != 2 {
		t.Errorf("%s", client)
	}
}

// MCP-11: a method that differs from a judged one only in case or blanks is not
// passed on as an unknown one.
func TestMethodsThatLookAlike(t *testing.T) {
	b := newBench(t)
	for _, method := range []string{"Tools/Call", "tools/call ", `\ttools/call`, "RESOURCES/READ", "prompts/Get"} {
		b.client(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"name":"a"}}`)
		if server, client := b.took(); server != "" || !strings.Contains(client, "could be taken for") {
			t.Errorf("%s: to the server %q, to the client %q", method, server, client)
		}
	}
	b.client(`{"jsonrpc":"2.0","id":1,"method":"ping"}`) // its id is not that of the server's requests
	b.took()
	for _, method := range []string{"Sampling/CreateMessage", "elicitation/Create"} {
		b.server(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"messages":[]}}`)
		if _, client := b.took(); client != "" {
			t.Errorf("%s: to the client %q", method, client)
		}
	}
	const other = `{"jsonrpc":"2.0","id":2,"method":"vendor/Thing"}`
	b.client(other)
	b.want("an unknown method", other, "")
}
