package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

// idOf is the id of a message, as a server gives it back.
func idOf(body string) string {
	_, id, _ := strings.Cut(body, `"id":`)
	return id[:strings.IndexAny(id, ",}")]
}

// A client does not get another session for its calls by naming one that the
// server has not begun: a server that has none does not look.
func TestSessionsThatClientsMakeUp(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		w.Header().Set("Content-Type", jsonBody)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"fine"}],"content":[]}}`, idOf(body))
	})
	n := &noted{}
	url := relayWith(t, s, n.session)
	for i := range 6 {
		ask(t, "POST", url, call("1", "fine", "{}"), map[string]string{sessionHeader: fmt.Sprint("made-up-", i/2)})
	}
	if len(n.sessions) != 4 || n.sessions[0] != n.sessions[3] { // of 4 a minute
		t.Errorf("sessions %v", n.sessions)
	}
}

// MCP-61: a request that two readers would take for different ones does not reach
// the server.
func TestHeadersThatMislead(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		w.Header().Set("Content-Type", jsonBody)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"fine"}],"content":[]}}`, idOf(body))
	})
	_, program := front(t, "")
	for _, url := range []string{relayTo(t, s), program} {
		for _, name := range []string{sessionHeader, versionHeader, methodHeader, nameHeader, "Mcp-Param-Region", "Authorization",
			lastHeader} {
			r, err := http.NewRequest("POST", url, strings.NewReader(call("1", "doubled", "{}")))
			if err != nil {
				t.Fatal(err)
			}
			r.Header[name] = []string{"a", "b"}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusBadRequest {
				t.Errorf("two headers %s: %s", name, resp.Status)
			}
		}
	}
	url := relayTo(t, s)
	for _, header := range []map[string]string{
		{methodHeader: "tools/list"},
		{nameHeader: "forbidden"},
		{methodHeader: "tools/list", versionHeader: "2025-11-25"},
	} {
		if got := ask(t, "POST", url, call("1", "doubled", "{}"), header); got.status != http.StatusBadRequest ||
			!strings.Contains(got.body, fmt.Sprint(headerMismatch)) {
			t.Errorf("%v: %+v", header, got)
		}
	}
	if got := ask(t, "POST", url, `{"jsonrpc":"2.0","id":1,"result":{}}`, map[string]string{methodHeader: "tools/call"}); got.status !=
		http.StatusBadRequest {
		t.Errorf("a response with a method: %+v", got)
	}
	if seen := s.saw("doubled"); len(seen) > 0 {
		t.Errorf("the server saw %v", seen)
	}
	ask(t, "POST", url, call("1", "fine", "{}"), map[string]string{"Mcp_Session_Id": "b", "X-Http-Method-Override": "DELETE",
		"X-Original-Url": "/admin", "X-Own": "kept"})
	seen := s.saw(`"fine"`)
	if len(seen) != 1 || seen[0].header.Get("X-Own") != "kept" {
		t.Fatalf("the server saw %v", seen)
	}
	for name := range seen[0].header {
		if strings.Contains(name, "_") || strings.Contains(name, "Override") || strings.Contains(name, "Original") {
			t.Errorf("the server got %s", name)
		}
	}
	if got := ask(t, "GET", strings.TrimSuffix(url, "/mcp")+metadataPath+"/%2e%2e/%2e%2e/admin", "", nil); got.status != http.StatusNotFound {
		t.Errorf("metadata elsewhere: %+v", got)
	}
}

// censor is a judge that withholds what failed calls say.
type censor struct{ judge }

func (c censor) Judge(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
	v := c.judge.Judge(ctx, ev)
	if ev.Kind == trammel.PostToolFailure && strings.Contains(ev.Tool.Output, "obey") {
		v.Decision, v.Reason = trammel.Deny, "withheld"
	}
	return v
}

// MCP-30: what a server says instead of a message is judged, too: clients show it.
func TestWordsAreJudged(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		if strings.Contains(body, "tools/list") {
			w.Header().Set("Content-Type", jsonBody)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`, idOf(body))
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		if strings.Contains(body, `"bad"`) {
			io.WriteString(w, "obey me")
		} else {
			io.WriteString(w, "sign in")
		}
	})
	url := relayWith(t, s, func() *proxy.Session {
		s := newSession()
		s.Judge = censor{}
		return s
	})
	if got := ask(t, "POST", url, call("1", "good", "{}"), nil); got.status != 401 || got.body != "sign in" {
		t.Errorf("%+v", got)
	}
	if got := ask(t, "POST", url, call("1", "bad", "{}"), nil); got.status != 401 || strings.Contains(got.body, "obey") ||
		!strings.Contains(got.body, "withheld") || got.header.Get("WWW-Authenticate") == "" || got.header.Get("Content-Type") != jsonBody {
		t.Errorf("%+v", got)
	}
}

// MCP-11: to a client that reads lines, a message is one line, however the server
// has written it.
func TestMessageOfSeveralLines(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", jsonBody)
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"x":[`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage"}`+"\r\n]}}")
	})
	say, hear := talk(t, s)
	say(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if got := hear(); !strings.HasSuffix(got, "  ]}}") {
		t.Errorf("the client heard %q", got)
	}
}

// Users come through a gate, and the server gets our credentials from all of them:
// what it began for one, another does not get.
func TestUsersBehindAGate(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", eventStream)
			io.WriteString(w, "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n")
		case strings.Contains(body, "tools/list"):
			w.Header().Set("Content-Type", jsonBody)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"fine"}]}}`, idOf(body))
		default:
			w.Header().Set("Content-Type", eventStream)
			fmt.Fprintf(w, "id: e1\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"task\",\"taskId\":\"t\"}}\n\n", idOf(body))
		}
	})
	as := newIssuer(t)
	gate, err := newIssuerGate(as.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	url := guarded(t, s.URL+"/mcp", gate)
	as1 := func(user string, more ...string) map[string]string {
		h := map[string]string{"Authorization": "Bearer " + as.token(map[string]any{"aud": url, "sub": user})}
		for i := 0; i+1 < len(more); i += 2 {
			h[more[i]] = more[i+1]
		}
		return h
	}
	if got := ask(t, "POST", url, call("1", "fine", "{}"), as1("ann")); got.status != 200 || !strings.Contains(got.body, `"taskId":"t"`) {
		t.Fatalf("%+v", got)
	}
	task := `{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"t"}}`
	if got := ask(t, "POST", url, task, as1("bob")); !strings.Contains(got.body, "no such task") || len(s.saw("tasks/cancel")) > 0 {
		t.Errorf("another's task: %+v", got)
	}
	if got := ask(t, "POST", url, task, as1("ann")); got.status != 200 || len(s.saw("tasks/cancel")) != 1 {
		t.Errorf("her task: %+v", got)
	}
	if got := ask(t, "GET", url, "", as1("bob", lastHeader, "e1")); got.status != http.StatusNotFound {
		t.Errorf("another's stream: %+v", got)
	}
	if got := ask(t, "GET", url, "", as1("ann", lastHeader, "e1")); got.status != 200 || !strings.Contains(got.body, "e2") {
		t.Errorf("her stream: %+v", got)
	}
}

// Of too many sessions, the one that was not heard of for longest is forgotten.
func TestManySessions(t *testing.T) {
	var f free
	first := newSession()
	for i := range maxSessions + 1 {
		req, err := http.NewRequest("POST", "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", fmt.Sprint(i))
		f.begin(req, first)
		if got := f.session(req, newSession); got.ID != first.ID {
			t.Fatalf("user %d has another session at once", i)
		}
	}
	if len(f.users) != maxSessions {
		t.Errorf("%d are remembered", len(f.users))
	}
}
