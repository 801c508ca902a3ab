// Package standin stands in for Feishu, Slack and an operator's webhook in
// tests. It checks what it is sent as strictly as the real ones do (addresses,
// headers, tokens, shapes, limits), keeps the messages that people would see,
// and clicks on them as people do, or as attackers would.
package standin

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Server is all platforms in one.
type Server struct {
	*httptest.Server
	t   testing.TB
	Now func() time.Time // the clock of who is tested

	Feishu  Feishu
	Slack   Slack
	Webhook Webhook

	mu     sync.Mutex
	calls  []Call
	faults []fault
	done   chan struct{}
}

// Call is a request that arrived.
type Call struct {
	Method, Path string
	Header       http.Header
	Raw          []byte
	Body         map[string]any
}

// Fault is how a call goes wrong.
type Fault struct {
	Status     int    // of HTTP; 0 is 200
	Code       int    // of Feishu
	Error      string // of Slack
	RetryAfter string
	Hang       bool // no answer at all
}

type fault struct {
	path string
	left int
	Fault
}

// New starts a stand-in that ends with the test. now is the clock of who is
// tested.
func New(t testing.TB, now func() time.Time) *Server {
	s := &Server{t: t, Now: now, done: make(chan struct{})}
	s.Feishu = Feishu{s: s, AppID: "cli_x", AppSecret: "app-secret", Chat: "oc_group", messages: map[string]*card{}, expire: 7200}
	s.Slack = Slack{s: s, Token: "xoxb-1", AppToken: "xapp-1", Secret: "8f742231b10e8888abcd99yyyzzz85a5", Team: "T1", AppID: "A1",
		Channel: "C1", messages: map[string]*posted{}}
	s.Webhook = Webhook{s: s, Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", Decisions: "whsec_QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFB"}
	mux := http.NewServeMux()
	mux.HandleFunc("/open-apis/", s.Feishu.serve)
	mux.HandleFunc("/api/", s.Slack.serve)
	mux.HandleFunc("/socket", s.Slack.socket)
	mux.HandleFunc("/respond/", s.Slack.respond)
	mux.HandleFunc("/hook", s.Webhook.serve)
	s.Server = httptest.NewServer(s.recorded(mux))
	t.Cleanup(func() {
		close(s.done)
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// recorded keeps each call, and lets it go wrong if it should.
func (s *Server) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		c := Call{Method: r.Method, Path: r.URL.Path, Header: r.Header, Raw: raw}
		_ = json.Unmarshal(raw, &c.Body)
		r.Body = io.NopCloser(strings.NewReader(string(raw)))
		f := s.record(c)
		switch {
		case f == nil:
			next.ServeHTTP(w, r)
		case f.Hang:
			select {
			case <-s.done:
			case <-r.Context().Done():
			}
		default:
			if f.RetryAfter != "" {
				w.Header().Set("Retry-After", f.RetryAfter)
			}
			reply(w, max(f.Status, http.StatusOK), map[string]any{"code": f.Code, "msg": "made to fail", "ok": false, "error": f.Error})
		}
	})
}

func (s *Server) record(c Call) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, c)
	for i := range s.faults {
		if f := &s.faults[i]; f.left > 0 && strings.Contains(c.Path, f.path) {
			f.left--
			return &f.Fault
		}
	}
	return nil
}

// Fail lets the next n calls whose path contains path go wrong.
func (s *Server) Fail(path string, n int, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fault{path, n, f})
}

// Calls are the calls so far whose path contains path.
func (s *Server) Calls(path string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if strings.Contains(c.Path, path) {
			out = append(out, c)
		}
	}
	return out
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// Click is what somebody does with the message about an approval.
type Click struct {
	Approval string
	User     string
	Decision string // approve or reject
	Comment  string
	Tamper   Tamper
	// ID is the platform's id of the callback; "" is a new one.
	ID string
}

// Tamper is what an attacker changes about a click.
type Tamper string

// What is changed: the body after it was signed, the signature, the time (an
// hour ago, and signed so), the secret in the body, the chat, the message, the
// app, the workspace; or the signature is left out.
const (
	Body      Tamper = "body"
	Signature Tamper = "sig"
	Stale     Tamper = "ts"
	Token     Tamper = "token"
	Chat      Tamper = "chat"
	Message   Tamper = "message"
	App       Tamper = "app"
	Team      Tamper = "team"
	Unsigned  Tamper = "unsigned"
)

// Answer is what a click was answered.
type Answer struct {
	Status int
	Raw    string
	Body   map[string]any
}

// post sends a callback.
func (s *Server) post(url string, header http.Header, body string) Answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header = header
	got, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	raw, _ := io.ReadAll(got.Body)
	a := Answer{Status: got.StatusCode, Raw: string(raw)}
	_ = json.Unmarshal(raw, &a.Body)
	return a
}

// moment is the time of a click, as a platform would write it.
func (s *Server) moment(t Tamper) time.Time {
	if t == Stale {
		return s.Now().Add(-time.Hour)
	}
	return s.Now()
}

// at finds a value inside of JSON by its path.
func at(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

func str(v any, path ...string) string {
	text, _ := at(v, path...).(string)
	return text
}
