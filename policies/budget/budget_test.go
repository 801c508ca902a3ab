package budget

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// TestMain lets the test binary be its own subprocess, which makes 20 calls and
// says how many passed.
func TestMain(m *testing.M) {
	if os.Getenv("BUDGET_TEST_ROLE") == "" {
		os.Exit(m.Run())
	}
	h, err := Policy().New(policysuite.Spec(`{"max_tool_calls":40,"max_time":"1h"}`))
	for range 20 {
		var a trammel.Answer
		if err == nil {
			a, err = h.Handle(context.Background(), call("s"))
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if a.Decision != trammel.Deny {
			fmt.Println("passed")
		}
	}
}

func call(session string, parents ...string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "x", Session: trammel.Session{ID: session, Parents: parents},
		Tool: &trammel.ToolCall{Name: "Bash"}}
}

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// Issue 4, 5: exactly N pass across 32 processes, some of which are killed. A
// process that dies between the count and its word has used one up.
func TestExactlyNPassAcross32Processes(t *testing.T) {
	state := t.TempDir()
	var mu sync.Mutex
	total, killed := 0, 0
	var group sync.WaitGroup
	for i := range 32 {
		group.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "BUDGET_TEST_ROLE=call", "XDG_STATE_HOME="+state)
			var out strings.Builder
			cmd.Stdout = &out
			if err := cmd.Start(); err != nil {
				t.Error(err)
				return
			}
			if i%8 == 0 {
				time.Sleep(2 * time.Millisecond)
				cmd.Process.Kill()
			}
			err := cmd.Wait()
			mu.Lock()
			defer mu.Unlock()
			total += strings.Count(out.String(), "passed")
			switch {
			case err != nil && i%8 == 0:
				killed++
			case err != nil:
				t.Errorf("%v: %s", err, out.String())
			}
		})
	}
	group.Wait()
	if total > 40 || total < 40-killed {
		t.Errorf("%d calls passed and %d processes were killed, want 40", total, killed)
	}
}

// Sub-agents use the budget of the session above, also where a host tells only
// the nearest parent.
func TestSubAgentsCountForTheirParents(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, err := Policy().New(policysuite.Spec(`{"max_tool_calls":4,"warn_at":0}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, ev := range []*trammel.Event{call("top"), call("child", "top"), call("grandchild", "child"), call("agent", "child", "top")} {
		if a, err := h.Handle(t.Context(), ev); err != nil || a.Decision != trammel.None {
			t.Fatalf("call %d: %+v, %v", i+1, a, err)
		}
	}
	for _, ev := range []*trammel.Event{call("top"), call("child", "top"), call("grandchild", "child")} {
		if a, err := h.Handle(t.Context(), ev); err != nil || a.Decision != trammel.Deny {
			t.Errorf("%s: %+v, %v", ev.Session.ID, a, err)
		}
	}
	if a, err := h.Handle(t.Context(), call("other")); err != nil || a.Decision != trammel.None {
		t.Errorf("%+v, %v", a, err)
	}
}

// Layers may declare budgets of their own: a call counts once, and each holds.
func TestTwoBudgetsCountOnce(t *testing.T) {
	for _, order := range [][]string{{`{"max_tool_calls":3,"warn_at":0}`, `{"max_tool_calls":5,"warn_at":0}`},
		{`{"max_tool_calls":5,"warn_at":0}`, `{"max_tool_calls":3,"warn_at":0}`},
		{`{"max_tool_calls":3,"warn_at":0}`, `{"max_tool_calls":3,"warn_at":0}`}} {
		t.Setenv("XDG_STATE_HOME", t.TempDir())
		var hooks []trammel.Hook
		for i, options := range order {
			h, err := Policy().New(policysuite.Spec(options))
			if err != nil {
				t.Fatal(err)
			}
			hooks = append(hooks, trammel.Hook{ID: fmt.Sprint("b", i), On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard, Handler: h})
		}
		engine, err := trammel.New(hooks)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			v := engine.Dispatch(t.Context(), call("s"))
			if passed := v.Decision != trammel.Deny; passed != (i < 3) {
				t.Errorf("%v: call %d passed: %v: %s", order, i+1, passed, v.Reason)
			}
		}
	}
}

// A call that another guard rewrites is judged again, and counts once.
func TestARewrittenCallCountsOnce(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, err := Policy().New(policysuite.Spec(`{"max_tool_calls":2,"warn_at":0}`))
	if err != nil {
		t.Fatal(err)
	}
	rewriter := trammel.HandlerFunc(func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
		if ev.Tool.Input["x"] == "new" {
			return trammel.Answer{}, nil
		}
		return trammel.Answer{Input: map[string]any{"x": "new"}}, nil
	})
	on := []trammel.Kind{trammel.PreToolUse}
	engine, err := trammel.New([]trammel.Hook{{ID: "budget", On: on, May: trammel.Guard, Handler: h}, {ID: "rewriter", On: on,
		May: trammel.Guard, Handler: rewriter}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []trammel.Decision{trammel.None, trammel.None, trammel.Deny, trammel.Deny} {
		if v := engine.Dispatch(t.Context(), call("s")); v.Decision != want {
			t.Errorf("call %d: %s, want %s: %s", i+1, v.Decision, want, v.Reason)
		}
	}
}

const (
	claude = `{"type":"assistant","requestId":"r","message":{"id":"%s","model":"claude-x","role":"assistant","content":[],` +
		`"usage":{"input_tokens":%d,"cache_creation_input_tokens":5,"cache_read_input_tokens":90000,"output_tokens":%d}}}` + "\n"
	codex = `{"timestamp":"t","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,` +
		`"cached_input_tokens":500,"output_tokens":%d,"reasoning_output_tokens":3,"total_tokens":9},` +
		`"last_token_usage":{"input_tokens":1}}}}` + "\n"
)

// What transcripts tell, as they grow between events.
func TestTranscripts(t *testing.T) {
	for name, steps := range map[string][]struct {
		add    string
		tokens int64
	}{
		"Claude Code, one message on several lines": {
			{"", 0},
			{`{"type":"user","message":{"role":"user","content":"usage_tokens\": 7"}}` + "\n", 0},
			{fmt.Sprintf(claude, "m1", 10, 1), 16},
			{fmt.Sprintf(claude, "m1", 10, 1) + fmt.Sprintf(claude, "m1", 10, 30), 45},
			{fmt.Sprintf(claude, "m2", 10, 5), 65},
		},
		"Claude Code, messages of two agents in turn": {
			{fmt.Sprintf(claude, "m1", 10, 1) + fmt.Sprintf(claude, "m2", 10, 1) + fmt.Sprintf(claude, "m1", 10, 1), 32},
		},
		"a line that is still being written": {
			{fmt.Sprintf(claude, "m1", 10, 1)[:80], 0},
			{fmt.Sprintf(claude, "m1", 10, 1)[80:], 16},
		},
		"Codex, a running total": {
			{fmt.Sprintf(codex, 600, 10), 110},
			{fmt.Sprintf(codex, 600, 10), 110},
			{fmt.Sprintf(codex, 900, 50), 450},
		},
		"garbage between the lines": {
			{"\x00\xff_tokens\"\n{\"message\":{\"usage\":7,\"x_tokens\":1}}\n{\"payload\":[],\"a_tokens\":2}\n[]\n" +
				fmt.Sprintf(claude, "m1", 10, 1), 16},
			{fmt.Sprintf(claude, "m9", -500, -3), 21},
			{`{"message":{"id":3,"usage":{"input_tokens":"many","output_tokens":1e400,"x_tokens":1}}}` + "\n", 21},
		},
		"a line longer than anything": {
			{strings.Repeat("x", maxRead) + "\n" + fmt.Sprintf(claude, "m1", 10, 1), 0},
			{"", 16},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("XDG_STATE_HOME", t.TempDir())
			path := filepath.Join(t.TempDir(), "transcript.jsonl")
			for i, s := range steps {
				if s.add != "" {
					add(t, path, s.add)
				}
				if got := used(t, path); got != s.tokens {
					t.Errorf("step %d: %d tokens, want %d", i+1, got, s.tokens)
				}
			}
			if err := os.Truncate(path, 10); err == nil && used(t, path) < steps[len(steps)-1].tokens {
				t.Error("a shorter transcript gave budget back")
			}
		})
	}
}

func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// used asks with a budget of one token what has been used.
func used(t *testing.T, path string) int64 {
	t.Helper()
	h, err := Policy().New(policysuite.Spec(`{"max_tokens":1,"warn_at":0}`))
	if err != nil {
		t.Fatal(err)
	}
	ev := call("s")
	ev.Session.Transcript = path
	a, err := h.Handle(t.Context(), ev)
	if err != nil {
		t.Fatal(err)
	}
	if a.Decision == trammel.None {
		return 0
	}
	var n int64
	fmt.Sscan(a.Findings[0].Target, &n)
	return n
}

// Claude Code names the transcript of a sub-agent when it ends. Many of them do
// not make the session's own be counted again.
func TestTranscriptsOfSubAgents(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	own := filepath.Join(dir, "own.jsonl")
	add(t, own, fmt.Sprintf(claude, "m1", 10, 1))
	h, err := Policy().New(policysuite.Spec(`{"max_tokens":1,"warn_at":0}`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 * maxFiles {
		sub := filepath.Join(dir, fmt.Sprint("sub", i))
		add(t, sub, fmt.Sprintf(claude, "m", 1, 0))
		ev := &trammel.Event{Kind: trammel.SubagentStop, Host: "x", Session: trammel.Session{ID: "s", AgentID: "a", Parents: []string{"s"},
			Transcript: own},
			Fields: map[string]any{"agent_transcript_path": sub}}
		if a, err := h.Handle(t.Context(), ev); err != nil || a.Decision != trammel.None {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	if got := used(t, own); got != 16+2*maxFiles*6 {
		t.Errorf("%d tokens, want %d", got, 16+2*maxFiles*6)
	}
}

func TestTranscriptThatIsNoFile(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, _ := Policy().New(policysuite.Spec(`{"max_tokens":1}`))
	ev := call("s")
	for path, fails := range map[string]bool{"/dev/zero": true, t.TempDir(): true, "relative": false, "": false, "/nonexistent/x": false} {
		ev.Session.Transcript = path
		if _, err := h.Handle(t.Context(), ev); (err != nil) != fails {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(claude, "m", 1, 2)))
	f.Add([]byte(fmt.Sprintf(codex, 1, 2)))
	f.Fuzz(func(t *testing.T, line []byte) {
		if _, _, use, ok := readLine(line); ok && (size(use) < 0 || use.CachedInput < 0) {
			t.Errorf("%+v", use)
		}
	})
}

func FuzzJournal(f *testing.F) {
	j := journal{usage{1, 2}, []reading{{"/x", 3, []message{{"m", usage{1, 1}}}}}}
	data, _ := j.append(nil)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if j, err := parseJournal(data); err == nil {
			if _, err := j.append(nil); err != nil {
				t.Error(err)
			}
		}
	})
}
