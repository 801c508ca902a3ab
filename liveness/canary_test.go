package liveness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// call sends a shell command through the real event flow, and reports whether
// it was denied.
func (w *world) call(command string) bool {
	w.t.Helper()
	dirs := w.in.Dirs
	dirs.Cache = filepath.Join(dirs.State, "cache")
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": w.in.Project,
		"tool_name": "Bash", "tool_use_id": "t1", "tool_input": map[string]any{"command": command},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	r := full.New(dirs).Answer(w.t.Context(), pipeline.Call{Host: "claude-code", Event: "PreToolUse",
		Stdin: strings.NewReader(string(payload)),
		Dir:   w.in.Project, Getenv: func(string) string { return "" }})
	return strings.Contains(string(r.Stdout), `"permissionDecision":"deny"`)
}

// TestCanary: the rule denies the canary and nothing else, and it is found in
// the evidence that this leaves.
func TestCanary(t *testing.T) {
	w := newWorld(t)
	log, err := pipeline.EvidenceDir(w.in.Dirs, w.in.Project)
	if err != nil {
		t.Fatal(err)
	}
	bird := Canary()
	if other := Canary(); other.Token == bird.Token || !strings.Contains(bird.Tell, bird.Command) {
		t.Errorf("%+v, %+v", bird, other)
	}
	start := time.Now().Add(-time.Second)
	find := func() *Sighting {
		t.Helper()
		s, err := FindCanary(log, bird.Token, start)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if w.call("ls") {
		t.Error("something else was denied without the rule")
	}
	if s := find(); s != nil {
		t.Errorf("found before it was sent: %+v", s)
	}
	if w.call(bird.Command) {
		t.Error("denied without the rule")
	}
	if s := find(); s == nil || s.Denied {
		t.Errorf("it was let through, found %+v", s)
	}
	rule := filepath.Join(w.in.Dirs.User, layers.DropIn, bird.Token+".yaml")
	w.put(rule, CanaryRule(bird.Token))
	if !w.call(bird.Command) || !w.call("bash -lc '"+bird.Command+"'") {
		t.Error("not denied")
	}
	if w.call("ls") || w.call(": trammel-canary-other") {
		t.Error("something else was denied")
	}
	if s := find(); s == nil || !s.Denied || s.Host != "claude-code" || s.Session != "s1" {
		t.Errorf("it was denied, found %+v", s)
	}
	if s, err := FindCanary(log, bird.Token, time.Now().Add(time.Hour)); err != nil || s != nil {
		t.Errorf("from a later time on: %+v, %v", s, err)
	}
	if _, err := FindCanary(log, "ls", start); err == nil {
		t.Error("anything passes for a token")
	}
	if err := os.Remove(rule); err != nil {
		t.Fatal(err)
	}
	if w.call(bird.Command) {
		t.Error("still denied after the rule was removed")
	}
}
