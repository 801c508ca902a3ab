package proxy

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// bench is a session with what came out of it at both ends.
type bench struct {
	*Session
	t         *testing.T
	judge     func(ctx context.Context, ev *trammel.Event) *trammel.Verdict
	redacts   bool
	mu        sync.Mutex
	events    []*trammel.Event
	withdrawn []string
	notes     []Note
	// recognized are the ids of calls that hooks may have seen.
	recognized []string
	toServer   []string
	toClient   []string
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t}
	b.Session = &Session{ID: "s", Name: "srv", Dir: t.TempDir(), Judge: b}
	b.memory().known.whole = true // the lists are asked for by tests that want them
	return b
}

func (b *bench) Judge(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
	b.mu.Lock()
	b.events = append(b.events, ev)
	b.mu.Unlock()
	ev.Prepare()
	if b.judge != nil {
		if v := b.judge(ctx, ev); v != nil {
			return v
		}
	}
	return &trammel.Verdict{Event: ev}
}

func (b *bench) Redacts() bool { return b.redacts }

func (b *bench) Recognize(_ context.Context, _ *trammel.Event, id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.recognized = append(b.recognized, id)
}

func (b *bench) Withdraw(session, call string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.withdrawn = append(b.withdrawn, session+" "+call)
}

func (b *bench) Note(n Note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, n)
}

func (b *bench) link() Link {
	put := func(to *[]string) func([]byte) error {
		return func(raw []byte) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			*to = append(*to, string(raw))
			return nil
		}
	}
	return Link{ToServer: put(&b.toServer), ToClient: put(&b.toClient)}
}

// client has the client say something, and waits until it is dealt with.
func (b *bench) client(raw string) {
	if rest := b.Client(b.t.Context(), []byte(raw), b.link()); rest != nil {
		rest()
	}
}

func (b *bench) server(raw string) {
	if rest := b.Server(b.t.Context(), []byte(raw), b.link()); rest != nil {
		rest()
	}
}

// took returns what went to both sides since, and forgets it.
func (b *bench) took() (toServer, toClient string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	toServer, toClient = strings.Join(b.toServer, "\n"), strings.Join(b.toClient, "\n")
	b.toServer, b.toClient = nil, nil
	return toServer, toClient
}

// want checks what went to both sides.
func (b *bench) want(what, server, client string) {
	b.t.Helper()
	gotServer, gotClient := b.took()
	if gotServer != server || gotClient != client {
		b.t.Errorf("%s:\nto the server %s\nwant          %s\nto the client %s\nwant          %s", what, gotServer, server, gotClient, client)
	}
}

func denyAll(reason string) func(context.Context, *trammel.Event) *trammel.Verdict {
	return func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		return &trammel.Verdict{Event: ev, Answer: trammel.Answer{Decision: trammel.Deny, Reason: reason}}
	}
}

// MCP-14: nothing waits behind a held call, and a call that is cancelled while
// it is held never reaches the server; its request to people is taken back
// (MCP-41).
func TestHeldCall(t *testing.T) {
	b := newBench(t)
	b.Progress = 5 * time.Millisecond
	holding := make(chan struct{})
	b.judge = func(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
		close(holding)
		<-ctx.Done()
		return &trammel.Verdict{Event: ev, Canceled: true}
	}
	rest := b.Client(t.Context(), []byte(
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p"}}}`), b.link())
	done := make(chan struct{})
	go func() { rest(); close(done) }()
	<-holding
	ping := `{"jsonrpc":"2.0","id":8,"method":"ping"}`
	b.client(ping)
	told := func() bool { // it comes until the call is cancelled
		b.mu.Lock()
		defer b.mu.Unlock()
		return strings.Contains(strings.Join(b.toClient, ""), `"progressToken":"p"`)
	}
	for end := time.Now().Add(time.Minute); !told() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	server, client := b.took()
	if server != ping || !strings.Contains(client, `"progressToken":"p"`) {
		t.Errorf("while a call is held: to the server %s; to the client %s", server, client)
	}
	b.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	<-done
	server, client = b.took()
	if server != "" || strings.Contains(client, `"id":7`) || len(b.withdrawn) != 1 || b.withdrawn[0] != "s 7" {
		t.Errorf("after the cancellation: to the server %s; to the client %s; withdrawn %v", server, client, b.withdrawn)
	}
	b.server(`{"jsonrpc":"2.0","id":8,"result":{}}`)
	b.want("the ping", "", `{"jsonrpc":"2.0","id":8,"result":{}}`)
}

// MCP-41: what was sent on is cancelled at the server, and a late response goes nowhere.
func TestCancelledLater(t *testing.T) {
	b := newBench(t)
	b.client(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x"}}`)
	b.took()
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`
	b.client(cancel)
	b.want("the cancellation", cancel, "")
	b.server(`{"jsonrpc":"2.0","id":"a","result":{"content":[]}}`)
	b.want("a late response", "", "")
}

// MCP-33: what is denied is answered in the place of the other side, and never
// gets there.
func TestDenied(t *testing.T) {
	b := newBench(t)
	b.judge = denyAll("No.")
	b.Sampling = "allow"
	for method, want := range map[string]string{
		`"tools/call","params":{"name":"x","arguments":{}}`: `{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"No.","type":"text"}],` +
			`"isError":true}}`,
		`"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`: `{"jsonrpc":"2.0","id":1,` +
			`"result":` +
			`{"content":[{"text":"No.","type":"text"}],"isError":true,"resultType":"complete"}}`,
		`"resources/read","params":{"uri":"file:///x"}`: `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"No."}}`,
		`"prompts/get","params":{"name":"x"}`:           `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"No."}}`,
	} {
		b.client(`{"jsonrpc":"2.0","id":1,"method":` + method + `}`)
		b.want(method, "", want)
	}
	b.server(`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}`)
	b.want("sampling", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"No."}}`, "")
	b.server(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?"}}`)
	b.want("elicitation", `{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`, "")
	b.client(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{}}`)
	b.want("a prompt without a name", "", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"A prompt needs a name."}}`)
}

// MCP-33: the client's answers are denied, too, whatever they lack.
func TestDeniedAnswers(t *testing.T) {
	b := newBench(t)
	b.Sampling = "allow"
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		if ev.Kind == trammel.AfterLLMCall || ev.Kind == trammel.ElicitationResult {
			return denyAll("No.")(nil, ev)
		}
		return nil
	}
	for _, c := range []struct{ ask, answer, want string }{
		{`"sampling/createMessage","params":{"messages":[]}`, `{"role":"assistant","content":{"type":"text","text":"x"}}`,
			`"error":{"code":-1,"message":"No."}`},
		{`"sampling/createMessage","params":{"messages":[]}`, `{"content":{"type":"text","text":"x"}}`, `"error":{"code":-1,"message":"No."}`},
		{`"elicitation/create","params":{"message":"?"}`, `{"action":"accept","content":{}}`, `"result":{"action":"decline"}`},
	} {
		b.server(`{"jsonrpc":"2.0","id":1,"method":` + c.ask + `}`)
		b.took()
		b.client(`{"jsonrpc":"2.0","id":1,"result":` + c.answer + `}`)
		b.want(c.answer, `{"jsonrpc":"2.0","id":1,`+c.want+`}`, "")
	}
	roots := `{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`
	b.server(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	b.took()
	b.client(roots)
	b.want("the answer with roots is about no model", roots, "")
}

// MCP-30, MCP-31: what hooks see of each message.
func TestEvents(t *testing.T) {
	b := newBench(t)
	b.Sampling = "allow"
	b.Session.Name = "a__b"
	b.client(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	b.server(
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x__y","description":"D","inputSchema":{"type":"object"},` +
			`"annotations":{"readOnlyHint":true}}]}}`)
	b.client(
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x__y","arguments":{"path":"/etc/passwd","n":1},` +
			`"_meta":{"vendor/toolUseId":"tu"}}}`)
	b.server(
		`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"},{"type":"image","data":"AAAA"}],"structuredContent":{"a":1}}}`)
	b.client(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"file:///etc/hosts"}}`)
	b.server(`{"jsonrpc":"2.0","id":3,"result":{"contents":[{"uri":"file:///etc/hosts","text":"T","blob":"B"}]}}`)
	b.client(`{"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{"name":"p","arguments":{"q":"1"}}}`)
	b.server(`{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"gone"}}`)
	b.server(
		`{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"M"}}]}}`)
	b.client(`{"jsonrpc":"2.0","id":5,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"R"}}}`)
	b.server(`{"jsonrpc":"2.0","id":6,"method":"elicitation/create","params":{"message":"?"}}`)
	b.client(`{"jsonrpc":"2.0","id":6,"result":{"action":"accept","content":{"a":"b"}}}`)
	var got []string
	for _, ev := range b.events {
		line := ev.Kind.String()
		if c := ev.Tool; c != nil {
			line += fmt.Sprintf(" %s %s %s|%s %s %v %q", c.ID, c.Name, c.Action.Server, c.Action.Tool, c.Action.Kind, c.Action.Paths, c.Output)
		}
		if ev.Prompt != nil {
			line += " " + ev.Prompt.Command + " " + ev.Prompt.Text
		}
		if ev.Model != nil {
			line += fmt.Sprintf(" %d %s", len(ev.Model.Messages), ev.Model.Response)
		}
		got = append(got, line)
	}
	want := []string{
		"tool_selection",
		`pre_tool_use tu mcp__a__b__x__y a__b|x__y mcp [/etc/passwd] ""`,
		`post_tool_use tu mcp__a__b__x__y a__b|x__y mcp [/etc/passwd] "hi\n{\"a\":1}"`,
		`pre_tool_use 3 mcp__a__b__resources/read a__b|resources/read mcp [/etc/hosts] ""`,
		`post_tool_use 3 mcp__a__b__resources/read a__b|resources/read mcp [/etc/hosts] "T\nfile:///etc/hosts"`,
		`user_prompt_expansion mcp__a__b__p {"q":"1"}`,
		`post_tool_failure 4 mcp__a__b__prompts/get a__b|prompts/get mcp [] "gone"`,
		"before_llm_call 1 ",
		"after_llm_call 0 R",
		"elicitation",
		"elicitation_result",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if f := b.events[1].Fields; f["tool_description"] != "D" || f["tool_input_schema"] == nil || f["tool_annotations"] == nil ||
		f["mcp_server"] != "a__b" {
		t.Errorf("the call says %v", f)
	}
}

// MCP-11: of a call that is rewritten only the changed values differ.
func TestRewrittenCall(t *testing.T) {
	b := newBench(t)
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		return &trammel.Verdict{Event: ev, Answer: trammel.Answer{Input: map[string]any{"a": "new"}}}
	}
	b.client(
		`{"jsonrpc":"2.0", "id":9007199254740993, "x":1.0, "method":"tools/call","params":{"arguments":{"b" : 1e2, "a":"old"},"name":"x"}}`)
	b.want("the call",
		`{"jsonrpc":"2.0", "id":9007199254740993, "x":1.0, "method":"tools/call","params":{"arguments":{"b" : 1e2, "a":"new"},"name":"x"}}`, "")
}
