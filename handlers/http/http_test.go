package http

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/canonical"
)

const secretValue = "a secret of the tests"

func event() *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Name: "PreToolUse", Host: "claude-code", Session: trammel.Session{ID: "s1", Dir: "/w"},
		Tool: &trammel.ToolCall{ID: "c1", Name: "Bash", Input: map[string]any{"command": "git push -f"}}}
}

// build makes a handler from a declaration.
func build(t *testing.T, config map[string]any) trammel.Handler {
	t.Helper()
	data, err := canonical.Append(nil, config)
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(standard.Dialects().Hook)(trammel.Spec{Hook: "h", Kind: "http", Config: data})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// standIn is a policy server that is strict about what it is sent.
func standIn(t *testing.T, reply func(w http.ResponseWriter, body string)) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := Verify([]byte(secretValue), r.Header.Get(SignatureHeader), body, time.Now(), time.Minute); err != nil {
			t.Error(err)
		}
		for name, want := range map[string]string{"Content-Type": "application/json", "Accept": "application/json",
			"Trammel-Event": "pre_tool_use", "X-Team": "blue", "Authorization": "Bearer k"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if r.Method != http.MethodPost || r.URL.Path != "/judge" || len(r.Header.Get("Trammel-Request")) < 20 ||
			!strings.HasPrefix(r.Header.Get("User-Agent"), "trammel/") {
			t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		}
		reply(w, string(body))
	}))
	t.Cleanup(srv.Close)
	t.Setenv("TEST_SECRET", secretValue)
	t.Setenv("TEST_TOKEN", "Bearer k")
	return srv.URL + "/judge"
}

func declared(url string) map[string]any {
	return map[string]any{"url": url, "secret_env": "TEST_SECRET", "headers": map[string]any{"x-team": "blue"},
		"headers_env": map[string]any{"authorization": "TEST_TOKEN"}}
}

func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		kind   string
		body   string
		want   trammel.Decision
		code   trammel.Code
	}{
		"deny":              {200, "application/json", `{"decision":"deny","reason":"no"}`, trammel.Deny, ""},
		"ask, with charset": {200, "application/json; charset=utf-8", "\n {\"decision\":\"ask\"}\n", trammel.Ask, ""},
		"no opinion":        {200, "application/json", `{}`, trammel.None, ""},
		"nothing to say":    {204, "", "", trammel.None, ""},
		"empty":             {200, "application/json", " ", trammel.None, trammel.CodeMalformed},
		"a login page":      {200, "text/html", "<html>", trammel.None, trammel.CodeMalformed},
		"text as JSON":      {200, "application/json", "fine", trammel.None, trammel.CodeMalformed},
		"a list":            {200, "application/json", "[]", trammel.None, trammel.CodeMalformed},
		"cut off":           {200, "application/json", `{"decision":"de`, trammel.None, trammel.CodeMalformed},
		"twice":             {200, "application/json", `{"decision":"deny","decision":"allow"}`, trammel.None, trammel.CodeMalformed},
		"unknown field":     {200, "application/json", `{"verdict":"allow"}`, trammel.None, trammel.CodeUnknownField},
		"unknown decision":  {200, "application/json", `{"decision":"alow"}`, trammel.None, trammel.CodeMalformed},
		"not found":         {404, "application/json", `{"decision":"allow"}`, trammel.None, trammel.CodeError},
		"unauthorized":      {401, "application/json", `{}`, trammel.None, trammel.CodeError},
		"server error":      {500, "application/json", `{"decision":"allow"}`, trammel.None, trammel.CodeError},
		"overloaded":        {503, "application/json", `{}`, trammel.None, trammel.CodeUnavailable},
		"too much":          {200, "application/json", `{"reason":"` + strings.Repeat("x", 2<<10) + `"}`, trammel.None, trammel.CodeOversized},
	} {
		t.Run(name, func(t *testing.T) {
			url := standIn(t, func(w http.ResponseWriter, body string) {
				if !strings.Contains(body, `"event":"pre_tool_use"`) || !strings.Contains(body, "git push -f") {
					t.Errorf("sent %s", body)
				}
				w.Header().Set("Content-Type", c.kind)
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			config := declared(url)
			config["max_output"] = "1KiB"
			a, err := build(t, config).Handle(t.Context(), event())
			if a.Decision != c.want || trammel.CodeOf(err) != c.code {
				t.Fatalf("%+v, %v", a, err)
			}
			trace := a.Trace
			var f *trammel.Failure
			if errors.As(err, &f) {
				trace = f.Trace
			}
			if trace == nil || trace.Input == "" {
				t.Errorf("no trace: %+v", trace)
			}
		})
	}
}

// A server written for Claude Code's hooks is spoken to in its language.
func TestDialect(t *testing.T) {
	url := standIn(t, func(w http.ResponseWriter, body string) {
		if !strings.Contains(body, `"hook_event_name":"PreToolUse"`) {
			t.Errorf("sent %s", body)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`)
	})
	config := declared(url)
	config["dialect"] = "claude-code"
	if a, err := build(t, config).Handle(t.Context(), event()); err != nil || a.Decision != trammel.Deny || a.Reason != "no" {
		t.Errorf("%+v, %v", a, err)
	}
}

// Only a call that may be made twice is, under the same request id.
func TestRepeats(t *testing.T) {
	for _, idempotent := range []bool{true, false} {
		var calls atomic.Int32
		ids := map[string]bool{}
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ids[r.Header.Get("Trammel-Request")] = true
			if calls.Add(1) == 1 {
				w.WriteHeader(503)
				return
			}
			w.WriteHeader(204)
		}))
		_, err := build(t, map[string]any{"url": srv.URL, "idempotent": idempotent}).Handle(t.Context(), event())
		srv.Close()
		if (err == nil) != idempotent || len(ids) != 1 || (calls.Load() == 2) != idempotent {
			t.Errorf("idempotent %v: %v after %d calls, %d ids", idempotent, err, calls.Load(), len(ids))
		}
	}
}

// A server that cannot be asked blocks what a guard guards, and only warns
// where the hook only looks on.
func TestFailsClosed(t *testing.T) {
	for _, c := range []struct {
		url  string
		may  trammel.Authority
		want trammel.Decision
	}{
		{"http://127.0.0.1:1/", trammel.Guard, trammel.Deny},
		{"http://127.0.0.1:1/", trammel.Observe, trammel.None},
		{"unix:///nonexistent/socket", trammel.Guard, trammel.Deny},
	} {
		engine, err := trammel.New([]trammel.Hook{{ID: "h", On: []trammel.Kind{trammel.PreToolUse}, Handler: build(t,
			map[string]any{"url": c.url}), May: c.may}})
		if err != nil {
			t.Fatal(err)
		}
		if v := engine.Dispatch(t.Context(), event()); v.Decision != c.want || v.Runs[0].Code != trammel.CodeUnavailable {
			t.Errorf("%s: %v, %s", c.url, v.Decision, v.Runs[0].Code)
		}
	}
}

func TestTimeout(t *testing.T) {
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-stop }))
	defer srv.Close()
	defer close(stop)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := build(t, map[string]any{"url": srv.URL, "idempotent": true}).Handle(ctx, event())
	if trammel.CodeOf(err) != trammel.CodeTimeout ||
		time.Since(began) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

// A variable that is missing is found before anything is sent.
func TestMissingVariables(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was told") }))
	defer srv.Close()
	t.Setenv("TEST_BROKEN", "a\r\nX-Injected: b")
	for _, extra := range []map[string]any{{"secret_env": "TEST_NOT_SET"}, {"headers_env": map[string]any{"X-A": "TEST_NOT_SET"}},
		{"headers_env": map[string]any{"X-A": "TEST_BROKEN"}}} {
		extra["url"] = srv.URL
		if _, err := build(t, extra).Handle(t.Context(), event()); trammel.CodeOf(err) != trammel.CodeConfig {
			t.Errorf("%v: %v", extra, err)
		}
	}
}

func TestRefusesDeclarations(t *testing.T) {
	for raw, says := range map[string]string{
		`{}`:                                                              "url",
		`{"url":"ftp://x"}`:                                               "scheme",
		`{"url":"http://example.com"}`:                                    "unencrypted",
		`{"url":"https://u:p@example.com"}`:                               "password",
		`{"url":"https://x","dialect":"no"}`:                              "unknown dialect",
		`{"url":"https://x","rul":"y"}`:                                   "rul",
		`{"url":"https://x","connect":"0s"}`:                              "connect",
		`{"url":"https://x","connect":"soon"}`:                            "duration",
		`{"url":"https://x","headers":{"a b":"c"}}`:                       "a b",
		`{"url":"https://x","headers":{"Host":"c"}}`:                      "Trammel itself",
		`{"url":"https://x","headers":{"trammel-signature":"c"}}`:         "Trammel itself",
		`{"url":"https://x","headers":{"a":"c\r\nd: e"}}`:                 "line break",
		`{"url":"https://x","headers":{"a":"c"},"headers_env":{"a":"B"}}`: "twice",
	} {
		if _, err := New(standard.Dialects().Hook)(trammel.Spec{Config: []byte(raw)}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if _, err := New(standard.Dialects().Hook)(trammel.Spec{Config: []byte(`{"url":"http://example.com","insecure":true}`)}); err != nil {
		t.Error(err)
	}
}

func TestVerify(t *testing.T) {
	now := time.Unix(1700000000, 0)
	good := Sign([]byte("k"), now, []byte("body"))
	for name, c := range map[string]struct {
		header string
		body   string
		at     time.Time
		ok     bool
	}{
		"good":          {good, "body", now, true},
		"other body":    {good, "bodY", now, false},
		"other time":    {strings.Replace(good, "t=17", "t=18", 1), "body", now, false},
		"old":           {good, "body", now.Add(time.Hour), false},
		"of the future": {good, "body", now.Add(-time.Hour), false},
		"empty":         {"", "body", now, false},
		"no digest":     {"t=1700000000,v1=", "body", now, false},
		"nonsense":      {"t=x,v1=zz", "body", now, false},
	} {
		if err := Verify([]byte("k"), c.header, []byte(c.body), c.at, 5*time.Minute); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if want := "t=1700000000,v1="; !strings.HasPrefix(good, want) || len(good) != len(want)+64 {
		t.Error(good)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("t=1700000000,v1=00", []byte("x"))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		if Verify([]byte("k"), header, body, time.Unix(1700000000, 0), time.Minute) == nil && header != Sign([]byte("k"),
			time.Unix(1700000000, 0), body) &&
			!strings.Contains(header, "v1=") {
			t.Fatal(header)
		}
	})
}
