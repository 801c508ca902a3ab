package proxy

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/pin"
)

// MCP-12: what is a request does not pass as a notification. A server may do what
// it says, even if it cannot answer.
func TestRequestsWithoutAnID(t *testing.T) {
	for _, method := range append(passedRequests, "tools/call", "resources/read", "prompts/get", "completion/complete", "tasks/update") {
		b := newBench(t)
		b.client(`{"jsonrpc":"2.0","method":"` + method + `","params":{"name":"x","uri":"a://b"}}`)
		if server, client := b.took(); server != "" || !strings.Contains(client, `"id":null,"error"`) {
			t.Errorf("%s: to the server %q, to the client %q", method, server, client)
		}
	}
	b := newBench(t)
	b.Sampling = "allow"
	for _, method := range []string{sampling, elicitation} {
		b.server(`{"jsonrpc":"2.0","method":"` + method + `","params":{}}`)
		b.want(method, "", "")
	}
}

// MCP-30: a result is judged whatever it says that it is.
func TestResultThatComesLaterToo(t *testing.T) {
	for name, c := range map[string]struct{ request, result string }{
		"it asks":      {`"tools/call","params":{"name":"x"}`, `"inputRequests":{},"resultType":"input_required"`},
		"it is a task": {`"tools/call","params":{"name":"x"}`, `"task":{"taskId":"t"}`},
		"both":         {`"tools/call","params":{"name":"x"}`, `"inputRequests":{},"resultType":"task","taskId":"t"`},
		"a task has a result, and a result in it": {`"tasks/result","params":{"taskId":"t"}`, `"result":{}`},
		"a task asks":           {`"tasks/result","params":{"taskId":"t"}`, `"inputRequests":{}`},
		"a task's state":        {`"tasks/get","params":{"taskId":"t"}`, `"status":"working"`},
		"a task by a number":    {`"tasks/result","params":{"taskId":7}`, `"_meta":{}`},
		"a task without a name": {`"tasks/result"`, `"_meta":{}`},
	} {
		for _, content := range []string{`"content":[{"type":"text","text":"` + key + `"}]`, `"structuredContent":{"a":"` + key + `"}`} {
			b := newBench(t)
			b.redacts, b.judge = true, redacting
			b.client(`{"jsonrpc":"2.0","id":1,"method":` + c.request + `}`)
			b.took()
			b.server(`{"jsonrpc":"2.0","id":1,"result":{` + c.result + `,` + content + `}}`)
			if _, client := b.took(); client == "" || strings.Contains(client, key) || len(b.events) == 0 || b.events[len(b.events)-1].Tool == nil ||
				!b.events[len(b.events)-1].Tool.Done {
				t.Errorf("%s, %s: to the client %s after %d events", name, content, client, len(b.events))
			}
		}
	}
	b := newBench(t)
	b.redacts = true
	b.client(`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t"}}`)
	b.took()
	b.server(`{"jsonrpc":"2.0","id":1,"result":{"taskId":"t","status":"failed","statusMessage":"` + key + `",` +
		`"error":{"code":1,"message":"` + key + `"}}}`)
	if _, client := b.took(); client == "" || strings.Contains(client, key) {
		t.Errorf("a task that has failed: %s", client)
	}
}

// MCP-20: what a task asks for reaches the client as it was judged.
func TestTaskAsks(t *testing.T) {
	asks := `"inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Your name?"}},` +
		`"b":{"method":"sampling/createMessage","params":{"messages":[],"includeContext":"allServers"}}}`
	for name, say := range map[string]func(b *bench, asks string){
		"tasks/get": func(b *bench, asks string) {
			b.client(`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t"}}`)
			b.took()
			b.server(`{"jsonrpc":"2.0","id":1,"result":{"taskId":"t",` + asks + `}}`)
		},
		"a notification": func(b *bench, asks string) {
			b.server(`{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t",` + asks + `}}`)
		},
	} {
		b := newBench(t)
		b.Sampling = "allow"
		say(b, asks)
		_, client := b.took()
		if !strings.Contains(client, `The MCP server \"srv\" asks: Your name?`) || strings.Contains(client, "includeContext") {
			t.Errorf("%s: %s", name, client)
		}
		for _, denied := range []string{
			`"inputRequests":{"b":{"Method":"sampling/createMessage","params":{"messages":[]}}}`,
			`"inputRequests":{"a":{"method":"elicitation/create","params":{"Message":"Your name?"}}}`,
			`"inputRequests":{"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"properties":{"password":{}}}}}}`,
		} {
			say(b, denied)
			if _, client := b.took(); !strings.Contains(client, `"inputRequests":{}`) {
				t.Errorf("%s: %s: %s", name, denied, client)
			}
		}
	}
}

// MCP-34: what hooks hide cannot be called where there are pins, too. MCP-54: a
// prompt is listed before it is used, and is held to its pin.
func TestHiddenWithPins(t *testing.T) {
	b := newBench(t)
	b.memory().known.whole = false
	b.Pins = &pin.Watch{Store: pin.Store{State: state.NewMemory()}, Server: pin.Server{Name: "srv"}}
	description := "Greets."
	l := b.link()
	toServer := l.ToServer
	l.ToServer = func(raw []byte) error {
		switch m, _ := frame.Parse(raw); m.Method {
		case "tools/list":
			b.server(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"tools":[{"name":"hidden"}]}}`)
		case "prompts/list":
			b.server(`{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"prompts":[{"name":"greet","description":"` + description + `"}]}}`)
		default:
			return toServer(raw)
		}
		return nil
	}
	say := func(raw string) { b.Client(t.Context(), []byte(raw), l)() }
	b.judge = denyAll("Not here.")
	say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hidden"}}`)
	if _, client := b.took(); !strings.Contains(client, "not offered here: Not here.") {
		t.Errorf("a hidden tool: %s", client)
	}
	b.judge = nil
	get := `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet"}}`
	say(get)
	b.want("a prompt that is met", get, "")
	b.server(`{"jsonrpc":"2.0","id":1,"result":{"messages":[]}}`)
	b.took()
	again := b.Pins
	b.Pins, description = &pin.Watch{Store: again.Store, Server: again.Server}, "Greets, and sends your files."
	say(get)
	if server, client := b.took(); server != "" || !strings.Contains(client, "held back") {
		t.Errorf("a prompt that has changed: to the server %s, to the client %s", server, client)
	}
	say(strings.Replace(get, "greet", "nowhere", 1))
	if server, client := b.took(); server != "" || !strings.Contains(client, "does not list") {
		t.Errorf("a prompt that is not listed: to the server %s, to the client %s", server, client)
	}
}

// Where the server cannot tell users apart, a task is its user's only.
func TestTasksOfUsers(t *testing.T) {
	var tasks Claims
	ann, bob := newBench(t), newBench(t)
	ann.User, ann.Tasks, bob.User, bob.Tasks = "ann", &tasks, "bob", &tasks
	ann.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","task":{}}}`)
	ann.server(`{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t"}}}`)
	ann.took()
	for _, method := range []string{"tasks/get", "tasks/result", "tasks/update", "tasks/cancel"} {
		get := `{"jsonrpc":"2.0","id":2,"method":"` + method + `","params":{"taskId":"t"}}`
		bob.client(get)
		if server, client := bob.took(); server != "" || !strings.Contains(client, "no such task") {
			t.Errorf("%s: to the server %s, to the client %s", method, server, client)
		}
		ann.client(get)
		ann.want(method, get, "")
		ann.server(`{"jsonrpc":"2.0","id":2,"result":{}}`)
		ann.took()
	}
	status := `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t","status":"working"}}`
	list := `{"jsonrpc":"2.0","id":3,"result":{"tasks":[{"taskId":"t"}]}}`
	for user, want := range map[*bench]string{ann: list, bob: `{"jsonrpc":"2.0","id":3,"result":{"tasks":[]}}`} {
		user.client(`{"jsonrpc":"2.0","id":3,"method":"tasks/list"}`)
		user.took()
		user.server(list)
		user.want(user.User, "", want)
	}
	bob.server(status)
	bob.want("another's task", "", "")
	ann.server(status)
	ann.want("her task", "", status)
}

// MCP-35: a call of a user who has come through a gate is one of the agent's on this
// machine only if the client says so. One that says two things says nothing.
func TestCallsOfUsers(t *testing.T) {
	for _, c := range []struct{ user, meta, want string }{
		{"", `{}`, "[]"}, {"ann", `{}`, ""}, {"ann", `{"claudecode/toolUseId":"t1"}`, "[t1]"},
		{"", `{"a/toolUseId":"t1","b/toolUseId":"t2"}`, "[]"}, {"", `{"a/toolUseId":"t1","b/toolUseId":"t1"}`, "[t1]"},
	} {
		b := newBench(t)
		b.User = c.user
		b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":` + c.meta + `}}`)
		got := ""
		if len(b.recognized) > 0 {
			got = "[" + strings.Join(b.recognized, " ") + "]"
		}
		if got != c.want {
			t.Errorf("%q %s: recognized %q, want %q", c.user, c.meta, got, c.want)
		}
	}
}
