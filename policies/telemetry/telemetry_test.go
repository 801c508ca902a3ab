package telemetry

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// FLOW-10 to FLOW-13, through the engine.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

func event() *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "codex", Session: trammel.Session{ID: "s", Dir: "/w"},
		Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "SEEN"}}}
}

// FLOW-13: a directory that cannot be written, a file in the way, a writer that
// never lets go: no error, no notice, no waiting.
func TestFLOW13FailuresDoNotSurface(t *testing.T) {
	for _, v := range []string{"TELEMETRY_CHANNELS", "TELEMETRY_ENABLED", "TELEMETRY_DATA_DIR"} {
		t.Setenv(v, "")
	}
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "full.jsonl"), 0o700)
	held, err := flock.Lock(t.Context(), filepath.Join(dir, "analytics.jsonl.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	for _, dir := range []string{dir, "/dev/null/x", "/proc/nope"} {
		h, err := Policy().New(policysuite.Spec(`{"dir":"` + dir + `"}`))
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		a, err := h.Handle(t.Context(), event())
		if err != nil || a.Notice != "" || a.Decision != trammel.None || len(a.Context) > 0 || len(a.Diagnostics) == 0 {
			t.Errorf("%s: %+v, %v", dir, a, err)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: waited %v", dir, took)
		}
	}
}

// FLOW-11: variables go before options, unless they are told not to.
func TestFLOW11Variables(t *testing.T) {
	for _, v := range []string{"TELEMETRY_CHANNELS", "TELEMETRY_ENABLED", "TELEMETRY_CHANNEL_ANALYTICS_REDACT"} {
		t.Setenv(v, "")
	}
	t.Setenv("TELEMETRY_CHANNEL_FULL_REDACT", "none")
	t.Setenv("FLOW_AGENTS_TELEMETRY_RUNTIME", "my-runtime")
	for options, want := range map[string][2]bool{ // SEEN, my-runtime
		`{"dir":"@"}`:                                                  {true, true},
		`{"dir":"@","ignore_environment":true}`:                        {false, false},
		`{"dir":"@","full_redact":["hook"]}`:                           {true, true},
		`{"dir":"@","full_redact":["hook"],"ignore_environment":true}`: {true, false},
	} {
		dir := t.TempDir()
		t.Setenv("TELEMETRY_DATA_DIR", dir)
		h, err := Policy().New(policysuite.Spec(strings.Replace(options, "@", dir, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if a, err := h.Handle(t.Context(), event()); err != nil || len(a.Diagnostics) > 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		data, _ := os.ReadFile(filepath.Join(dir, "full.jsonl"))
		if got := [2]bool{strings.Contains(string(data), "SEEN"), strings.Contains(string(data), "my-runtime")}; got != want {
			t.Errorf("%s: %v, want %v: %s", options, got, want, data)
		}
		if data, _ := os.ReadFile(filepath.Join(dir, "analytics.jsonl")); strings.Contains(string(data), "SEEN") || len(data) == 0 {
			t.Errorf("analytics: %s", data)
		}
	}
}
