package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/server/auth"
)

// quiet says nothing.
var quiet = slog.New(slog.DiscardHandler)

const passphrase = "correct horse battery"

// gate asks people about releases; no other hook answers.
const gate = `version: 1
approvals:
  terms: {expires: 2m, hold: 2m}
hooks:
  - {id: release, on: PreToolUse, match: {tool: release}, approve: "This publishes a release."}
  - {id: no-force, on: PreToolUse, match: {action: shell}, deny: {when: 'command contains "--force"', reason: No force.}}
`

// world is a machine with its directories, and a person who knows its secret.
type world struct {
	dirs    layers.Dirs
	project string
}

var sealed = sync.OnceValues(func() (*approvals.Sealed, error) { return approvals.Seal(passphrase) })

func newWorld(t testing.TB, config string) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}, filepath.Join(dir, "p")}
	for _, d := range []string{w.dirs.User, w.dirs.State, w.project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(w.dirs.User, "trammel.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	authority, err := sealed()
	if err != nil {
		t.Fatal(err)
	}
	if err := (&approvals.Keyring{Authority: authority}).Save(w.dirs.State); err != nil {
		t.Fatal(err)
	}
	return w
}

// running is a real server on loopback.
type running struct {
	*Server
	url    string
	client *http.Client
	stop   func() error
	t      testing.TB
	cookie *http.Cookie
	csrf   string
}

func (w *world) start(t testing.TB, o Options) *running {
	t.Helper()
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	o.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	where := make(chan string, 1)
	o.Started = func(_ *Server, url string) { where <- url }
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, w.dirs, &o)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, &o) }()
	r := &running{Server: s, t: t, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	select {
	case r.url = <-where:
	case err := <-done:
		t.Fatal(err)
	}
	r.stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { r.stop() })
	return r
}

// socketClient talks to the server over its socket.
func (w *world) socketClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socketFile(w.dirs.State))
	}}}
}

// login begins a session with the authority secret.
func (r *running) login() *running {
	r.t.Helper()
	res := r.send("POST", "/login", url.Values{"secret": {passphrase}}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	res.Body.Close()
	if res.StatusCode != http.StatusSeeOther || len(res.Cookies()) != 1 {
		r.t.Fatalf("login: %s", res.Status)
	}
	again := *r
	again.cookie = res.Cookies()[0]
	again.csrf = csrfOf(again.cookie)
	return &again
}

// token makes a client with a token of a role.
func (r *running) token(role auth.Role) string {
	r.t.Helper()
	secret, err := r.Auth.Credentials.Create(r.t.Context(), auth.Credential{Kind: auth.Token, Name: "test", Role: role,
		Identity: "token:test"})
	if err != nil {
		r.t.Fatal(err)
	}
	return secret
}

// send makes a request and checks that its status is one that the OpenAPI
// document tells.
func (r *running) send(method, path, body string, headers ...string) *http.Response {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	if r.cookie != nil {
		req.AddCookie(r.cookie)
		req.Header.Set(auth.CSRFHeader, r.csrf)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := r.client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	documented(r.t, r.Server, method, path, res.StatusCode)
	return res
}

// call is send for JSON.
func (r *running) call(method, path string, in, out any, headers ...string) int {
	r.t.Helper()
	var body []byte
	if in != nil {
		body, _ = json.Marshal(in)
	}
	res := r.send(method, path, string(body), headers...)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	if out != nil && res.StatusCode == http.StatusOK {
		if err := json.Unmarshal(text, out); err != nil {
			r.t.Fatalf("%s: %v", text, err)
		}
	} else if p, ok := out.(*Problem); ok {
		json.Unmarshal(text, p)
	}
	return res.StatusCode
}

// event is a call of a tool in our own language.
func (w *world) event(session, tool string, input map[string]any) []byte {
	text, _ := json.Marshal(map[string]any{"event": "pre_tool_use", "host": "test", "session": map[string]any{"id": session, "dir": w.project},
		"tool": map[string]any{"id": "c1", "name": tool, "input": input}})
	return text
}

// verdict is what comes back.
type verdict struct{ Decision, Reason string }

// ask sends an event, and returns what comes back when it does.
func (r *running) ask(token string, event []byte) <-chan verdict {
	out := make(chan verdict, 1)
	go func() {
		req, _ := http.NewRequestWithContext(r.t.Context(), "POST", r.url+"/v1/events", bytes.NewReader(event))
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := r.client.Do(req)
		if err != nil {
			out <- verdict{Decision: "error", Reason: err.Error()}
			return
		}
		defer res.Body.Close()
		var v verdict
		text, _ := io.ReadAll(res.Body)
		if json.Unmarshal(text, &v) != nil || v.Decision == "" {
			v = verdict{fmt.Sprint(res.StatusCode), string(text)}
		}
		out <- v
	}()
	return out
}

// waiting is the one approval that is pending, as soon as there is one.
func (r *running) waiting() *Approval {
	r.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var list ApprovalList
		if status := r.call("GET", "/v1/approvals?q=state:pending", nil, &list); status != http.StatusOK {
			r.t.Fatalf("approvals: %d", status)
		}
		if len(list.Approvals) > 0 {
			return list.Approvals[0]
		}
	}
	r.t.Fatal("nothing waits")
	return nil
}

func (a *Approval) approve() Decision {
	return Decision{Nonce: a.Nonce, Digest: a.Digest, Decision: "approve", Secret: passphrase}
}
