package web

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/mcp/frame"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// program is a server on two streams, behind a proxy. What a call of a tool does
// is in its name.
type program struct {
	mu    sync.Mutex
	heard []string
	ran   int
}

func (p *program) run(ctx context.Context, s *proxy.Session, _ http.Header, in io.Reader, out io.Writer) {
	p.mu.Lock()
	p.ran++
	p.mu.Unlock()
	lines, client := frame.NewReader(in, 0), frame.NewWriter(out)
	l := proxy.Link{ToClient: client.Write}
	over := false
	says := func(text string) {
		if rest := s.Server(ctx, []byte(text), l); rest != nil {
			rest()
		}
	}
	l.ToServer = func(raw []byte) error {
		p.mu.Lock()
		p.heard = append(p.heard, string(raw))
		p.mu.Unlock()
		m, _ := frame.Parse(raw)
		tool, _ := m.Params["name"].(string)
		answer := `{"jsonrpc":"2.0","id":` + m.ID + `,"result":{"content":[]}}`
		switch {
		case m.Kind == frame.Response:
			answer = `{"jsonrpc":"2.0","id":2,"result":{"content":[],"heard":true}}`
		case m.Kind != frame.Request || tool == "slow":
			return nil
		case tool == "progress":
			says(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}`)
		case tool == "news":
			says(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		case tool == "asks":
			answer = `{"jsonrpc":"2.0","id":77,"method":"roots/list"}`
		case m.Method == "what":
			answer = `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`
		case tool == "dies":
			over = true
			return nil
		}
		says(answer)
		return nil
	}
	for !over {
		raw, err := lines.Next()
		if err != nil {
			return
		}
		if rest := s.Client(ctx, raw, l); rest != nil {
			rest()
		}
	}
}

func (p *program) saw(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Contains(strings.Join(p.heard, "\n"), text)
}

// front serves programs, and returns its address.
func front(t *testing.T, token string) (*program, string) { return frontWith(t, token, newSession) }

func frontWith(t *testing.T, token string, newSession func() *proxy.Session) (*program, string) {
	p := &program{}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	f := &Front{Path: "/mcp", NewSession: newSession, Run: p.run, Max: 1 << 16, Gate: tokenGate(token)}
	done := make(chan struct{})
	go func() { defer close(done); f.Serve(ctx, l) }()
	t.Cleanup(func() { stop(); <-done })
	return p, "http://" + l.Addr().String() + "/mcp"
}

func begin(t *testing.T, url string) (session map[string]string) {
	t.Helper()
	got := ask(t, "POST", url, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, nil)
	if got.status != http.StatusOK || got.header.Get(sessionHeader) == "" || !strings.Contains(got.body, `"id":0,"result"`) {
		t.Fatalf("%+v", got)
	}
	return map[string]string{sessionHeader: got.header.Get(sessionHeader)}
}

// MCP-10: a server that is a program is reached over HTTP: each client has one of
// its own, and each message is on the stream where it belongs (MCP-61).
func TestProgramOverHTTP(t *testing.T) {
	p, url := front(t, "")
	one, two := begin(t, url), begin(t, url)
	const progress = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"progress","_meta":{"progressToken":"t"}}}`
	for _, c := range []struct {
		name, method, body string
		header             map[string]string
		status             int
		want               string
	}{
		{"initialized", "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, one, 202, ""},
		{"a call", "POST", call("1", "fine", "{}"), one, 200, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`},
		{"the same id of another", "POST", call("1", "fine", "{}"), two, 200, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`},
		{"over several lines", "POST", "{\"jsonrpc\":\"2.0\",\r\n\"id\":1,\n\"method\":\"ping\"}", one, 200, `"id":1,"result"`},
		{"progress", "POST", progress, one, 200, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\""},
		{"denied", "POST", call("1", "forbidden", "{}"), one, 200, "not here"},
		{"no session", "POST", call("1", "fine", "{}"), nil, 400, ""},
		{"another session", "POST", call("1", "fine", "{}"), map[string]string{sessionHeader: "x"}, 404, ""},
		{"another client", "POST", call("1", "fine", "{}"), map[string]string{sessionHeader: one[sessionHeader], "Authorization": "Bearer x"},
			404,
			""},
		{"not JSON", "POST", "{", one, 400, "-32700"},
		{"several at once", "POST", "[" + call("1", "fine", "{}") + "]", one, 400, "-32600"},
		{"too large", "POST", call("1", "fine", `{"a":"`+strings.Repeat("x", 1<<16)+`"}`), one, 413, "-32600"},
		{"of another site", "POST", call("1", "fine", "{}"), map[string]string{"Origin": "https://evil.example"}, 403, ""},
		{"elsewhere", "PUT", "", one, 405, ""},
		{"a stream without a session", "GET", "", nil, 405, ""},
		{"modern", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			map[string]string{versionHeader: modern, methodHeader: "ping"}, 200, `"id":1,"result"`},
		{"another header", "POST",
			`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			map[string]string{versionHeader: modern, methodHeader: "tools/list"}, 400, "-32020"},
		{"no header", "POST",
			`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			map[string]string{versionHeader: modern}, 400, "-32020"},
		{"no version", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, map[string]string{versionHeader: modern, methodHeader: "ping"}, 400,
			"-32602"},
		{"an unknown method", "POST",
			`{"jsonrpc":"2.0","id":1,"method":"what","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			map[string]string{versionHeader: modern, methodHeader: "what"}, 404, "-32601"},
		{"it ends", "POST", call("1", "dies", "{}"), two, 502, "-32000"},
		{"the end", "DELETE", "", one, 204, ""},
		{"after the end", "POST", call("1", "fine", "{}"), one, 404, ""},
	} {
		if got := ask(t, c.method, url, c.body, c.header); got.status != c.status || !strings.Contains(got.body, c.want) {
			t.Errorf("%s: %d %s", c.name, got.status, got.body)
		}
	}
	if p.saw("forbidden") || p.ran != 3 {
		t.Errorf("%d ran, and heard %v", p.ran, p.heard)
	}
}

// MCP-20: what a server asks, and what it says unasked, reaches its client; a
// cancelled request ends without a response.
func TestProgramAsks(t *testing.T) {
	p, url := front(t, "")
	session := begin(t, url)
	ask(t, "POST", url, call("1", "news", "{}"), map[string]string{sessionHeader: session[sessionHeader], "Accept": jsonBody})
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", eventStream)
	r.Header.Set(sessionHeader, session[sessionHeader])
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewReader(stream.Body)
	answers := make(chan reply, 2)
	go func() { answers <- ask(t, "POST", url, call("2", "asks", "{}"), session) }()
	if line, err := lines.ReadString('\n'); !strings.Contains(line, `"method":"roots/list"`) {
		t.Fatal(line, err)
	}
	ask(t, "POST", url, `{"jsonrpc":"2.0","id":77,"result":{"roots":[]}}`, session)
	if got := <-answers; !strings.Contains(got.body, `"heard":true`) {
		t.Errorf("%+v", got)
	}
	go func() { answers <- ask(t, "POST", url, call("3", "slow", "{}"), session) }()
	for !p.saw(`"slow"`) {
		time.Sleep(time.Millisecond)
	}
	ask(t, "POST", url, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`, session)
	<-answers
	for !p.saw("notifications/cancelled") { // it may be on its way still
		time.Sleep(time.Millisecond)
	}
}

// MCP-62: where the proxy is what clients sign in to, a program, too, is reached
// only with its token.
func TestProgramNeedsToken(t *testing.T) {
	p, url := front(t, "secret")
	const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`
	if got := ask(t, "POST", url, hello, nil); got.status != http.StatusUnauthorized || got.header.Get("WWW-Authenticate") == "" || p.ran > 0 {
		t.Errorf("%+v", got)
	}
	if got := ask(t, "POST", url, hello, map[string]string{"Authorization": "Bearer secret"}); got.status != http.StatusOK {
		t.Errorf("%+v", got)
	}
}

// MCP-10: clients of today reach a server of 2024-11-05 over HTTP.
func TestOldServerRelayed(t *testing.T) {
	s := oldServer(t, "/messages?session=7")
	url := relayTo(t, s)
	session := begin(t, url)
	if got := ask(t, "POST", url, call("2", "fine", "{}"), session); !strings.Contains(got.body, `"id":2,"result":{"content":[]}`) {
		t.Errorf("%+v", got)
	}
	if got := ask(t, "POST", url, call("3", "forbidden", "{}"), session); !strings.Contains(got.body, "not here") ||
		len(s.saw("forbidden")) > 0 {
		t.Errorf("%+v", got)
	}
	if got := ask(t, "POST", url, call("4", "end", "{}"), session); !strings.Contains(got.body, `"id":4,"error"`) {
		t.Errorf("%+v", got)
	}
	if got := ask(t, "DELETE", url, "", session); got.status != http.StatusNoContent {
		t.Errorf("%+v", got)
	}
}
