package web

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// judge denies calls of the tool "forbidden", asks about those of "asked", and
// gives those of "changed" another argument.
type judge struct{}

func (judge) Recognize(context.Context, *trammel.Event, string) {}
func (judge) Judge(_ context.Context, ev *trammel.Event) *trammel.Verdict {
	v := &trammel.Verdict{}
	if ev.Kind != trammel.PreToolUse {
		return v
	}
	switch {
	case strings.HasSuffix(ev.Tool.Name, "forbidden"):
		v.Decision, v.Reason = trammel.Deny, "not here"
	case strings.HasSuffix(ev.Tool.Name, "asked"):
		v.Decision, v.Reason = trammel.Ask, "is this right?"
	case strings.HasSuffix(ev.Tool.Name, "changed"):
		v.Input = map[string]any{"region": "west"}
	}
	return v
}

func (judge) Redacts() bool           { return false }
func (judge) Withdraw(string, string) {}
func (judge) Note(proxy.Note)         {}

// tokenGate lets clients with a token in, or everybody.
func tokenGate(token string) *Gate {
	if token == "" {
		return nil
	}
	return &Gate{Token: token}
}

func newSession() *proxy.Session {
	return &proxy.Session{ID: proxy.NewID(), Name: "s", Judge: judge{}, Settings: proxy.Settings{Sampling: "allow", Elicit: true}}
}

// server is an MCP server over HTTP that answers as a test says, and notes what
// it was asked.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked []asked
}

type asked struct {
	method string
	header http.Header
	body   string
}

func newServer(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, body string)) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked = append(s.asked, asked{r.Method, r.Header.Clone(), string(body)})
		s.mu.Unlock()
		answer(w, r, string(body))
	}))
	t.Cleanup(s.Close)
	return s
}

// saw are the requests so far whose bodies hold a text.
func (s *server) saw(text string) (out []asked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if strings.Contains(a.body, text) {
			out = append(out, a)
		}
	}
	return out
}

// relayTo starts a relay in front of a server, and returns its address.
func relayTo(t *testing.T, s *server) string { return relayWith(t, s, newSession) }

func relayWith(t *testing.T, s *server, newSession func() *proxy.Session) string {
	up, err := NewUpstream(s.URL + "/mcp")
	if err != nil {
		t.Fatal(err)
	}
	up.Max = 1 << 16
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	r := &Relay{Upstream: up, NewSession: newSession}
	go r.Serve(ctx, l)
	return "http://" + l.Addr().String() + "/mcp"
}

// reply is a response, as far as it counts.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends a request as a client would.
func ask(t *testing.T, method, url, body string, header map[string]string) reply {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", jsonBody+", "+eventStream)
	r.Header.Set("Content-Type", jsonBody)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header, string(raw)}
}

func call(id, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}
