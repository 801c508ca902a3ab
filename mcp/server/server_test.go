package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/server"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
	"github.com/trammel-dev/trammel/test/testfile"
)

const (
	hello = `
operation_key: say.hello
version: 1
summary: Greets somebody.
kind: script
input_schema: {type: object, required: [name], properties: {name: {type: string}}}
output_schema: {type: object, required: [greeting]}
impl: {kind: script, script: {path: hello.sh, args_template: ["{{input.name}}"]}}
`
	slow = `
operation_key: wait
version: 1
summary: Waits.
kind: script
scope: {environments: [dev]}
impl: {kind: script, script: {path: slow.sh}}
`
)

func write(t *testing.T, root, name, content string, mode os.FileMode) {
	t.Helper()
	testfile.Write(t, filepath.Join(root, filepath.FromSlash(name)), content, mode)
}

func repository(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripts use a POSIX shell")
	}
	root := t.TempDir()
	write(t, root, ".system/registry/low-level/hello.yaml", hello, 0o644)
	write(t, root, ".system/registry/low-level/slow.yaml", slow, 0o644)
	write(t, root, "hello.sh", "#!/bin/sh\nprintf '{\"greeting\":\"hello %s\"}' \"$1\"\n", 0o755)
	write(t, root, "slow.sh", "#!/bin/sh\nsleep 60 & echo $! >\""+root+"/pid\"\nwait\n", 0o755)
	return root
}

// guard denies what mentions mallory and asks about what mentions a question.
type guard struct{ seen []string }

func (g *guard) RunHooks(_ context.Context, event repohooks.EventType, c repohooks.Context, _ bool, _ ...string) (*repohooks.Result,
	error) {
	g.seen = append(g.seen, string(event))
	if event == repohooks.PreAbilityCallEvent {
		switch data, _ := json.Marshal(c); {
		case strings.Contains(string(data), "mallory"):
			return &repohooks.Result{Decision: trammel.Deny, Reason: "not mallory"}, nil
		case strings.Contains(string(data), "perhaps"):
			return &repohooks.Result{Decision: trammel.Ask, Reason: "a person decides"}, nil
		}
	}
	return &repohooks.Result{}, nil
}

func serve(t *testing.T, root string, more ...server.Tool) (*server.Server, *guard) {
	g := &guard{}
	return server.New(tasks.Runner{Root: root, Hooks: g, Environment: "dev", Caller: tasks.Caller{Source: repohooks.AISession}}, io.Discard,
		more...), g
}

func connect(t *testing.T, url string, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func names(t *testing.T, c *sdk.ClientSession) string {
	t.Helper()
	l, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, tool := range l.Tools {
		out = append(out, tool.Name)
	}
	return strings.Join(out, " ")
}

func text(r *sdk.CallToolResult) string { return r.Content[0].(*sdk.TextContent).Text }

// MCP-01, MCP-02: tools are what the registry has; a call is a direct run with
// both questions asked; what is refused is a result with its status.
func TestCalls(t *testing.T) {
	s, g := serve(t, repository(t))
	h := httptest.NewServer(s.HTTP(""))
	t.Cleanup(h.Close)
	c := connect(t, h.URL, nil)
	if got := names(t, c); got != "say.hello wait" {
		t.Error(got)
	}
	for _, call := range []struct {
		args   map[string]any
		failed bool
		text   string
		status any
	}{
		{map[string]any{"name": "ada"}, false, `{"greeting":"hello ada"}`, nil},
		{map[string]any{"name": "mallory"}, true, "denied: not mallory", "denied"},
		{map[string]any{"name": "perhaps"}, true, "requires_human: a person decides", "requires_human"},
		{map[string]any{}, true, "unavailable", "unavailable"},
	} {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "say.hello", Arguments: call.args})
		if err != nil {
			t.Fatal(err)
		}
		said, _ := r.StructuredContent.(map[string]any)
		if r.IsError != call.failed || !strings.HasPrefix(text(r), call.text) || said["status"] != call.status {
			t.Errorf("%v: %v %q %v", call.args, r.IsError, text(r), said)
		}
	}
	if want := "PreAbilityCreate PreAbilityCall PostAbilityCall"; !strings.HasPrefix(strings.Join(g.seen, " "), want) {
		t.Errorf("asked: %v", g.seen)
	}
	_, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "no.such"})
	if wire := (*jsonrpc.Error)(nil); !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("an unknown tool: %v", err)
	}
}

// MCP-03: progress if asked for; a cancelled call ends the process group.
func TestProgressAndCancellation(t *testing.T) {
	root := repository(t)
	s, _ := serve(t, root)
	h := httptest.NewServer(s.HTTP(""))
	t.Cleanup(h.Close)
	told := make(chan string, 100)
	c := connect(t, h.URL, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		told <- r.Params.Message
	}})
	p := &sdk.CallToolParams{Name: "wait", Meta: sdk.Meta{}}
	p.SetProgressToken("p1")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { _, err := c.CallTool(ctx, p); done <- err }()
	for running := false; !running; {
		select {
		case m := <-told:
			running = m == "running wait"
		case <-time.After(time.Minute):
			t.Fatal("no progress was told")
		}
	}
	pid := ""
	for end := time.Now().Add(time.Minute); pid == "" && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		data, _ := os.ReadFile(filepath.Join(root, "pid"))
		pid = strings.TrimSpace(string(data))
	}
	if pid == "" {
		t.Fatal("the program has not begun")
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("the call went on")
	}
	for end := time.Now().Add(time.Minute); alive(pid); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %s is left", pid)
		}
	}
}

// MCP-04, MCP-06: a change of the registry is told; while it is broken, nothing
// is listed and calls say why.
func TestRegistryChanges(t *testing.T) {
	root := repository(t)
	s, _ := serve(t, root, server.Tool{Name: "own", Input: map[string]any{"type": "object"},
		Call: func(context.Context, []byte) (server.Answer, error) {
			return server.Answer{Output: map[string]any{"a": 1}}, nil
		}})
	h := httptest.NewServer(s.HTTP(""))
	t.Cleanup(h.Close)
	changed := make(chan bool, 10)
	c := connect(t, h.URL, &sdk.ClientOptions{ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- true }})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go s.Follow(ctx)
	names(t, c)
	write(t, root, ".system/registry/low-level/more.yaml", strings.Replace(hello, "say.hello", "say.more", 1), 0o644)
	select {
	case <-changed:
	case <-time.After(time.Minute):
		t.Error("nothing was told")
	}
	if got := names(t, c); got != "own say.hello say.more wait" {
		t.Error(got)
	}
	write(t, root, ".system/registry/low-level/more.yaml", "operation_key: [", 0o644)
	if got := names(t, c); got != "own" {
		t.Error(got)
	}
	for name, failed := range map[string]bool{"say.hello": true, "own": false} {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: map[string]any{"name": "ada"}})
		if err != nil || r.IsError != failed || failed && !strings.Contains(text(r), "more.yaml") {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
}

// MCP-05: both kinds of clients at one endpoint; others only with the token,
// and no page of another origin.
func TestHTTP(t *testing.T) {
	s, _ := serve(t, repository(t))
	h := httptest.NewServer(s.HTTP("sesame"))
	t.Cleanup(h.Close)
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say.hello","arguments":{"name":"ada"},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"t","version":"1"}}}`
	for name, c := range map[string]struct {
		body    string
		headers map[string]string
		status  int
		want    string
	}{
		"modern": {call, map[string]string{"Authorization": "Bearer sesame", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call",
			"Mcp-Name": "say.hello"}, 200, "hello ada"},
		"legacy":   {initialize, map[string]string{"Authorization": "Bearer sesame"}, 200, `"2025-06-18"`},
		"no token": {initialize, nil, 401, ""},
		"wrong":    {initialize, map[string]string{"Authorization": "Bearer sesam"}, 401, ""},
		"a page": {initialize, map[string]string{"Authorization": "Bearer sesame", "Origin": "https://evil.example",
			"Sec-Fetch-Site": "cross-site"}, 403, ""},
		"another host": {initialize, map[string]string{"Authorization": "Bearer sesame", "Host": "evil.example"}, 403, ""},
	} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL, strings.NewReader(c.body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		for k, v := range c.headers {
			req.Header.Set(k, v)
			if k == "Host" {
				req.Host = v
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.want) ||
			(name == "legacy") != (resp.Header.Get("Mcp-Session-Id") != "") {
			t.Errorf("%s: %d %s %v", name, resp.StatusCode, body, resp.Header)
		}
	}
	for address, ok := range map[string]bool{"127.0.0.1:0": true, "localhost:0": true, "[::1]:0": true, "0.0.0.0:0": false, ":0": false,
		"example.com:1": false} {
		l, err := server.Listen(address, "")
		if err == nil {
			l.Close()
		}
		if ok == errors.Is(err, server.ErrOpen) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
