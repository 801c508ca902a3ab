package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRelayIsTransparent proves MCP-20 and MCP-63: status, session, challenge,
// event ids, waiting times and comments reach the client as without the proxy.
func TestRelayIsTransparent(t *testing.T) {
	const events = ": hello\n\nid: 1\nretry: 50\ndata:\n\nevent: message\nid: 2\ndata: {\"jsonrpc\":\"2.0\",\ndata: " +
		"\"method\":\"notifications/progress\",\"params\":{\"progressToken\":9007199254740993,\"x\":[1.50]}}\n\n" +
		"id: 3\ndata: {\"jsonrpc\":\"2.0\", \"id\":9007199254740993, \"result\":{\"tools\":[ ], \"extra\":1e2}}\n\n"
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		w.Header().Set("X-Of-The-Server", "kept")
		switch {
		case r.Header.Get("Mcp-Session-Id") == "gone":
			http.Error(w, "no such session", http.StatusNotFound)
		case r.Header.Get("Authorization") == "Bearer wrong":
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://a.example/m"`)
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method == http.MethodGet && r.Header.Get("Last-Event-ID") == "":
			w.WriteHeader(http.StatusMethodNotAllowed)
		case r.Method == http.MethodGet, strings.Contains(body, "tools/list"):
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, events)
		case r.Method == http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		case strings.Contains(body, `"initialize"`):
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.Header().Set("Mcp-Session-Id", "s1")
			fmt.Fprint(w, `{"jsonrpc":"2.0", "id":"a", "result":{"protocolVersion":"2025-11-25","unknown":{"b":1.0}}}`)
		case strings.Contains(body, "bad"):
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32099,"message":"m","data":[1]}}`)
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})
	relayed := relayTo(t, s)
	session := map[string]string{"Mcp-Session-Id": "s1"}
	for _, c := range []struct {
		name, method, body string
		header             map[string]string
	}{
		{"initialize", "POST", `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}`, nil},
		{"notification", "POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session},
		{"stream", "POST", `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}`, session},
		{"error", "POST", `{"jsonrpc":"2.0","id":3,"method":"bad/method"}`, session},
		{"no stream", "GET", "", session},
		{"session gone", "POST", `{"jsonrpc":"2.0","id":4,"method":"ping"}`, map[string]string{"Mcp-Session-Id": "gone"}},
		{"challenge", "POST", `{"jsonrpc":"2.0","id":5,"method":"ping"}`, map[string]string{"Authorization": "Bearer wrong"}},
		{"end", "DELETE", "", session},
	} {
		direct := ask(t, c.method, s.URL+"/mcp", c.body, c.header)
		through := ask(t, c.method, relayed, c.body, c.header)
		if direct.status != through.status || direct.body != through.body {
			t.Errorf("%s: %d %q, directly %d %q", c.name, through.status, through.body, direct.status, direct.body)
		}
		for name := range direct.header {
			if name != "Date" && name != "Content-Length" && direct.header.Get(name) != through.header.Get(name) {
				t.Errorf("%s: the header %s is %q, directly %q", c.name, name, through.header.Get(name), direct.header.Get(name))
			}
		}
		if c.name == "stream" && through.header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("others on the way may hold the stream back")
		}
	}
}

// TestRelayResumes proves that the response on a stream that was taken up again
// is still the one to its request (MCP-20), and that nobody gets it twice.
func TestRelayResumes(t *testing.T) {
	const answer = "id: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		w.Header().Set("Content-Type", "text/event-stream")
		if r.Method == http.MethodPost {
			fmt.Fprint(w, "id: 1\ndata:\n\n")
		} else {
			fmt.Fprint(w, answer)
		}
	})
	relayed, session := relayTo(t, s), map[string]string{"Mcp-Session-Id": "s1"}
	if got := ask(t, "POST", relayed, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, session); got.body != "id: 1\ndata:\n\n" {
		t.Errorf("first %q", got.body)
	}
	session["Last-Event-ID"] = "1"
	if got := ask(t, "GET", relayed, "", session); got.body != answer {
		t.Errorf("then %q", got.body)
	}
	if got := ask(t, "GET", relayed, "", session); got.body != "id: 2\n\n" {
		t.Errorf("once more %q", got.body)
	}
}

// TestRelayDenies proves MCP-33 and MCP-14 over HTTP: a denied call never
// reaches the server, and the model reads why.
func TestRelayDenies(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		w.Header().Set("Content-Type", "application/json")
		id := body[strings.Index(body, `"id":`)+5:]
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`, id[:strings.IndexAny(id, ",}")])
	})
	got := ask(t, "POST", relayTo(t, s), call("7", "forbidden", "{}"), nil)
	if got.status != 200 || !strings.Contains(got.body, `"isError":true`) || !strings.Contains(got.body, "not here") ||
		!strings.Contains(got.body, `"id":7`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if len(s.saw("forbidden")) > 0 {
		t.Errorf("the server has seen it: %v", s.asked)
	}
}

// TestRelayHeaders proves MCP-20: headers that do not say what the body says are
// refused, and those of a call that was changed say what it says now.
func TestRelayHeaders(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		w.Header().Set("Content-Type", "application/json")
		if strings.Contains(body, "tools/list") {
			id := body[strings.Index(body, `"id":`)+5:]
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"changed","inputSchema":{"type":"object",`+
				`"properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}`, id[:strings.IndexAny(id, ",}")])
			return
		}
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	})
	relayed := relayTo(t, s)
	headers := func(more ...string) map[string]string {
		h := map[string]string{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": "changed",
			"Mcp-Param-Region": "east", "Mcp-Param-Other": "kept"}
		for i := 0; i < len(more); i += 2 {
			h[more[i]] = more[i+1]
		}
		return h
	}
	body := call("1", "changed", `{"region":"east"}`)
	if got := ask(t, "POST", relayed, body, headers()); got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	sent := s.saw(`"method":"tools/call"`)
	if len(sent) != 1 || !strings.Contains(sent[0].body, "west") || sent[0].header.Get("Mcp-Param-Region") != "west" ||
		sent[0].header.Get("Mcp-Param-Other") != "kept" {
		t.Errorf("the server got %v", sent)
	}
	for name, value := range map[string]string{"Mcp-Method": "tools/list", "Mcp-Name": "harmless", "Mcp-Param-Region": "=?base64?d2VzdA==?="} {
		got := ask(t, "POST", relayed, body, headers(name, value))
		if got.status != 400 || !strings.Contains(got.body, "-32020") || !strings.Contains(got.body, `"id":1`) {
			t.Errorf("%s: %s: %d %s", name, value, got.status, got.body)
		}
	}
	if len(s.saw(`"method":"tools/call"`)) != 1 {
		t.Error("a message with other headers has reached the server")
	}
}

// TestRelayRefuses proves MCP-61, MCP-12 and MCP-15: who may ask, and what for.
func TestRelayRefuses(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(http.StatusAccepted) })
	relayed := relayTo(t, s)
	const ping = `{"jsonrpc":"2.0","method":"notifications/x"}`
	for _, c := range []struct {
		name, method, url, body string
		header                  map[string]string
		status                  int
	}{
		{"a page of another site", "POST", relayed, ping, map[string]string{"Origin": "https://evil.example"}, 403},
		{"a page without an origin", "POST", relayed, ping, map[string]string{"Origin": "null"}, 403},
		{"a name that points here", "POST", relayed, ping, map[string]string{"Host": "evil.example:80"}, 403},
		{"a page of this machine", "POST", relayed, ping, map[string]string{"Origin": "http://localhost:6274"}, 202},
		{"another path", "POST", relayed + "/../admin", ping, nil, 404},
		{"another method", "PUT", relayed, ping, nil, 405},
		{"no message", "POST", relayed, "{", nil, 400},
		{"two readings", "POST", relayed, `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`, nil, 400},
		{"too large", "POST", relayed, `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<17) + `"}`, nil, 413},
	} {
		if got := ask(t, c.method, c.url, c.body, c.header); got.status != c.status {
			t.Errorf("%s: %d %s", c.name, got.status, got.body)
		}
	}
	if len(s.asked) != 1 {
		t.Errorf("the server was asked %d times", len(s.asked))
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80"} {
		if l, err := Listen(address); err == nil {
			l.Close()
			t.Errorf("listens on %s", address)
		}
	}
}

// TestRedirects proves MCP-63: credentials and messages go to nobody else.
func TestRedirects(t *testing.T) {
	other := newServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) {})
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
		if r.URL.Path == "/mcp/" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		to := "/mcp/"
		if r.Header.Get("Authorization") != "" {
			to = other.URL
		}
		http.Redirect(w, r, to, http.StatusTemporaryRedirect)
	})
	const note = `{"jsonrpc":"2.0","method":"notifications/x"}`
	relayed := relayTo(t, s)
	if got := ask(t, "POST", relayed, note, nil); got.status != 202 {
		t.Errorf("on the same server: %d %s", got.status, got.body)
	}
	got := ask(t, "POST", relayed, note, map[string]string{"Authorization": "Bearer t"})
	if got.status != 502 || got.header.Get("Location") != "" || len(other.asked) > 0 {
		t.Errorf("%d %v, the other was asked %d times", got.status, got.header, len(other.asked))
	}
}

// MCP-62: credentials go only where they belong: those of clients to the server
// that they are for, or to us and no further.
func TestAuth(t *testing.T) {
	s := newServer(t, func(w http.ResponseWriter, r *http.Request, body string) {
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer theirs") {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://x/"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", jsonBody)
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, c := range map[string]struct {
		token, own, sent string // ours, what we send on, what the client sends
		status           int
		reached, says    string // the Authorization that the server saw, and WWW-Authenticate that the client did
	}{
		"relayed":              {"", "", "Bearer theirs 1", 200, "Bearer theirs 1", ""},
		"relayed, and refused": {"", "", "Bearer wrong", 401, "Bearer wrong", "https://x/"},
		"relayed, none":        {"", "", "", 401, "", "https://x/"},
		"our own":              {"ours", "Bearer theirs 2", "bearer ours", 200, "Bearer theirs 2", ""},
		"our own, a wrong one": {"ours", "Bearer theirs 2", "Bearer theirs 1", 401, "nothing", "/.well-known/oauth-protected-resource/mcp"},
		"our own, none":        {"ours", "Bearer theirs 2", "", 401, "nothing", "/.well-known/oauth-protected-resource/mcp"},
		"our own goes nowhere": {"ours", "", "Bearer ours", 401, "", "https://x/"},
	} {
		t.Run(name, func(t *testing.T) {
			s.mu.Lock()
			s.asked = nil
			s.mu.Unlock()
			up, err := NewUpstream(s.URL + "/mcp")
			if err != nil {
				t.Fatal(err)
			}
			if c.own != "" {
				up.Header = http.Header{"Authorization": {c.own}}
			}
			front := httptest.NewServer(&Relay{Upstream: up, NewSession: newSession, Gate: tokenGate(c.token)})
			defer front.Close()
			header := map[string]string{"Accept": jsonBody + ", " + eventStream}
			if c.sent != "" {
				header["Authorization"] = c.sent
			}
			got := ask(t, http.MethodPost, front.URL+"/mcp", ping, header)
			reached := "nothing"
			if all := s.saw("ping"); len(all) > 0 {
				reached = all[0].header.Get("Authorization")
			}
			if got.status != c.status || reached != c.reached || !strings.Contains(got.header.Get("WWW-Authenticate"), c.says) {
				t.Errorf("%d %v; the server saw %q", got.status, got.header, reached)
			}
			if c.token != "" {
				if meta := ask(t, http.MethodGet, front.URL+metadataPath+"/mcp", "", nil); !strings.Contains(meta.body, front.URL+"/mcp") {
					t.Errorf("%d %s", meta.status, meta.body)
				}
			}
		})
	}
}

// TestHeadersFromEnv proves MCP-72: headers come from the environment, whole or
// not at all.
func TestHeadersFromEnv(t *testing.T) {
	got, err := headersFromEnv([]string{"TRAMMEL_MCP_HEADER=Authorization: Bearer a:b", "TRAMMEL_MCP_HEADER_2=X-Key:k",
		"TRAMMEL_MCP_HEADER_3=X-Var: ${OTHER}-${EMPTY}$", "OTHER=x", "EMPTY="})
	if err != nil || got.Get("Authorization") != "Bearer a:b" || got.Get("X-Key") != "k" || got.Get("X-Var") != "x-$" || len(got) != 3 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"Bearer secret", ": x", "A: b\r\nC: d", "A: ${NOBODY}"} {
		if _, err := headersFromEnv([]string{"TRAMMEL_MCP_HEADER=" + bad}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
