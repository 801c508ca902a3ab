package notify

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

func notice(text string) *trammel.Event {
	return &trammel.Event{Kind: trammel.Notification, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: "/w"},
		Notice: &trammel.NoticeInfo{Title: "Permission", Message: text}}
}

func handler(t *testing.T, options map[string]any) trammel.Handler {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	data, _ := json.Marshal(options)
	h, err := Policy().New(policysuite.Spec(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// server is a webhook that keeps what it is sent.
func server(t *testing.T, answer http.HandlerFunc) (url string, got func() []string) {
	t.Helper()
	var mu sync.Mutex
	var bodies []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		mu.Lock()
		bodies = append(bodies, string(data))
		mu.Unlock()
		if answer != nil {
			answer(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/services/SECRETPATH?key=SECRETKEY", func() []string { mu.Lock(); defer mu.Unlock(); return bodies }
}

func TestWebhook(t *testing.T) {
	url, got := server(t, nil)
	h := handler(t, map[string]any{"webhook": url})
	for range 3 { // told once a minute
		if _, err := h.Handle(t.Context(), notice("may I use "+token+"?")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Handle(t.Context(), notice("something else")); err != nil {
		t.Fatal(err)
	}
	want := `{"text":"claude-code: Permission\nmay I use [REDACTED:github-token]?","title":"claude-code: Permission",` +
		`"message":"may I use [REDACTED:github-token]?","event":"notification","host":"claude-code","session":"s","project":"/w"}`
	if b := got(); len(b) != 2 || strings.Contains(b[0], token) || !strings.HasPrefix(b[0], want[:60]) || !json.Valid([]byte(b[0])) {
		t.Errorf("%q", b)
	}
}

func TestTheSameIsToldAgainIfItIsTo(t *testing.T) {
	url, got := server(t, nil)
	h := handler(t, map[string]any{"webhook": url, "repeat_after": "0s"})
	for range 3 {
		h.Handle(t.Context(), notice("x"))
	}
	if len(got()) != 3 {
		t.Errorf("%q", got())
	}
}

// What goes wrong is an error of an observer, soon, and without the address.
func TestFailures(t *testing.T) {
	slow, _ := server(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	})
	angry, _ := server(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	for name, options := range map[string]map[string]any{
		"a slow webhook":       {"webhook": slow},
		"one that fails":       {"webhook": angry},
		"nobody there":         {"webhook": "http://127.0.0.1:1/SECRETPATH?x=SECRETKEY"},
		"no such program":      {"command": []string{"/nonexistent/program"}},
		"a program that hangs": {"command": []string{"sleep", "60"}},
		"one that ends badly":  {"command": []string{"false"}},
		"no variable":          {"webhook_env": "NOTIFY_TEST_UNSET"},
	} {
		t.Run(name, func(t *testing.T) {
			options["timeout"] = "300ms"
			h := handler(t, options)
			began := time.Now()
			a, err := h.Handle(t.Context(), notice("x"))
			if err == nil || a.Decision != trammel.None || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%+v, %v", a, err)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestCommand(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	h := handler(t, map[string]any{"command": []string{"sh", "-c", `cat > "$0"; printf '%s' "$TRAMMEL_NOTIFY_TITLE" >> "$0"`, out},
		"title": "{{.Host}} / {{.ToolName}}", "message": "ran {{.Action.Command}}"})
	ev := &trammel.Event{Kind: trammel.PostToolUse, Host: "codex", Tool: &trammel.ToolCall{Name: "$(touch x)",
		Action: trammel.Action{Kind: trammel.ShellAction, Command: "`reboot`\n; " + token}}}
	if _, err := h.Handle(t.Context(), ev); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(out)
	if !strings.Contains(string(data), "\"message\":\"ran `reboot` ; [REDACTED:") || !strings.HasSuffix(string(data), "codex / $(touch x)") {
		t.Errorf("%s", data)
	}
}

// The desktop is told by a program in PATH, with the text as data.
func TestDesktop(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a stand-in for notify-send")
	}
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "notify-send"), []byte("#!/bin/sh\nfor a; do printf '[%s]' \"$a\"; done > "+dir+"/out\n"), 0o755)
	h := handler(t, map[string]any{"desktop": true})
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if _, err := h.Handle(t.Context(), notice("--help <b>'$(x)'</b>")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(dir + "/out"); string(data) != "[--app-name=Trammel][--][claude-code: Permission][--help "+
		"&lt;b&gt;'$(x)'&lt;/b&gt;]" {
		t.Errorf("%s", data)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := h.Handle(t.Context(), notice("again")); err == nil || !strings.Contains(err.Error(), "is not installed") {
		t.Error(err)
	}
}

func TestWhen(t *testing.T) {
	url, got := server(t, nil)
	denied := &trammel.Event{Kind: trammel.PreToolUse, Host: "codex", Tool: &trammel.ToolCall{Name: "shell",
		Action: trammel.Action{Command: "rm x"}},
		Outcome: &trammel.Answer{Decision: trammel.Deny, Reason: "no"}}
	passed := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "shell"}, Outcome: &trammel.Answer{}}
	failed := &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "shell", Failed: true}}
	for _, c := range []struct {
		when string
		ev   *trammel.Event
		want int
	}{{"denied", denied, 1}, {"denied", passed, 1}, {"denied", failed, 1}, {"failed", failed, 2}, {"failed", passed, 2},
		{"always", passed, 3}} {
		if _, err := handler(t, map[string]any{"webhook": url, "when": c.when}).Handle(t.Context(), c.ev); err != nil {
			t.Fatal(err)
		}
		if n := len(got()); n != c.want {
			t.Errorf("%s %s: %d were told, want %d", c.when, c.ev.Kind, n, c.want)
		}
	}
	if text := got()[0]; !strings.Contains(text, `"message":"shell rm x: no"`) || !strings.Contains(text, `"decision":"deny"`) {
		t.Error(text)
	}
}
