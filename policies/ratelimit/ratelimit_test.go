package ratelimit

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// TestMain lets the test binary be its own subprocess, which makes 20 calls and
// says how many passed.
func TestMain(m *testing.M) {
	if os.Getenv("RATELIMIT_TEST_ROLE") == "" {
		os.Exit(m.Run())
	}
	h, err := Policy().New(policysuite.Spec(`{"limits":[{"max":50,"per":"1h","by":["tool"]}]}`))
	passed := 0
	for range 20 {
		var a trammel.Answer
		if err == nil {
			a, err = h.Handle(context.Background(), call("Bash"))
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if a.Decision != trammel.Deny {
			passed++
		}
	}
	fmt.Println(passed)
}

func call(tool string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "x", Tool: &trammel.ToolCall{ID: "same", Name: tool}}
}

// FIM-43: limits per connector and user, among others.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// Issue 4, 5: exactly N calls pass across 32 processes, also where the host
// gives every call the same id.
func TestExactlyNPassAcross32Processes(t *testing.T) {
	state := t.TempDir()
	var mu sync.Mutex
	total := 0
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "RATELIMIT_TEST_ROLE=call", "XDG_STATE_HOME="+state)
			out, err := cmd.Output()
			var passed int
			fmt.Sscan(string(out), &passed)
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			mu.Lock()
			total += passed
			mu.Unlock()
		})
	}
	group.Wait()
	if total != 50 {
		t.Errorf("%d calls passed, want exactly 50", total)
	}
}

// A call that another guard rewrites is judged again, and counts once.
func TestARewrittenCallCountsOnce(t *testing.T) {
	policysuite.RewrittenCounts(t, Policy(), `{"limits":[{"max":2,"per":"1h"}]}`)
}

// A call that a guard denies takes no place, wherever it stands.
func TestADenialOfOthersTakesNoPlace(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, err := Policy().New(policysuite.Spec(`{"limits":[{"max":1,"per":"1h"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	guard := trammel.HandlerFunc(func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
		if ev.Tool.Input["command"] == "bad" {
			return trammel.Denial("no"), nil
		}
		return trammel.Answer{}, nil
	})
	on := []trammel.Kind{trammel.PreToolUse}
	engine, err := trammel.New([]trammel.Hook{{ID: "limit", On: on, May: trammel.Guard, Handler: h}, {ID: "guard", On: on,
		May: trammel.Guard, Handler: guard}})
	if err != nil {
		t.Fatal(err)
	}
	for i, command := range []string{"bad", "bad", "bad", "good", "good"} {
		ev := call("Bash")
		ev.Tool.Input = map[string]any{"command": command}
		if passed := engine.Dispatch(t.Context(), ev).Decision != trammel.Deny; passed != (i == 3) {
			t.Errorf("call %d passed: %v", i+1, passed)
		}
	}
}

// The same limit in two layers counts a call once; another limit beside it has
// a count of its own.
func TestTwoHooksWithOneLimit(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var hooks []trammel.Hook
	for i, options := range []string{`{"limits":[{"max":4,"per":"1h"}]}`, `{"limits":[{"max":4,"per":"1h"}]}`,
		`{"limits":[{"max":5,"per":"1h"}]}`} {
		h, err := Policy().New(policysuite.Spec(options))
		if err != nil {
			t.Fatal(err)
		}
		hooks = append(hooks, trammel.Hook{ID: fmt.Sprint("l", i), On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard, Handler: h})
	}
	engine, err := trammel.New(hooks)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if passed := engine.Dispatch(t.Context(), call("Bash")).Decision != trammel.Deny; passed != (i < 4) {
			t.Errorf("call %d passed: %v", i+1, passed)
		}
	}
}

// What cannot be counted is not let through: a store that fails, a damaged
// file, a directory that cannot be made.
func TestDoubtIsAFailure(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	h, _ := Policy().New(policysuite.Spec(`{"limits":[{"max":2,"per":"1h"}]}`))
	if _, err := h.Handle(t.Context(), call("Bash")); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
		if !d.IsDir() && d.Name() != "lock" {
			os.WriteFile(path, []byte("2"), 0o600)
		}
		return err
	})
	if a, err := h.Handle(t.Context(), call("Bash")); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("%+v, %v", a, err)
	}
	t.Setenv("XDG_STATE_HOME", "/dev/null")
	h, _ = Policy().New(policysuite.Spec(`{"limits":[{"max":2,"per":"1h"}]}`))
	if a, err := h.Handle(t.Context(), call("Bash")); err == nil {
		t.Errorf("%+v", a)
	}
}

// Where no state is given, the policy counts in memory (an embedder's choice).
func TestMemory(t *testing.T) {
	h, err := Policy().New(trammel.Spec{Config: []byte(`{"limits":[{"max":2,"per":"1h"},{"max":3,"per":"2h"}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []trammel.Decision{trammel.None, trammel.None, trammel.Deny} {
		if a, err := h.Handle(t.Context(), call("Bash")); err != nil || a.Decision != want {
			t.Errorf("call %d: %+v, %v", i+1, a, err)
		}
	}
}

func BenchmarkNotMine(b *testing.B) {
	h, _ := Policy().New(policysuite.Spec(`{"limits":[{"match":"jira__*","max":2,"per":"1h"}]}`))
	ev := call("Bash")
	b.ReportAllocs()
	for b.Loop() {
		h.Handle(b.Context(), ev)
	}
}
