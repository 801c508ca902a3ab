package eliderepeatedtoolresults

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// TestMain lets the test binary be its own subprocess, which reads the same
// file ten times and says for each time whether the result was elided.
func TestMain(m *testing.M) {
	who := os.Getenv("ELIDE_TEST_ROLE")
	if who == "" {
		os.Exit(m.Run())
	}
	for i := range 10 {
		a, err := elide(context.Background(), call("s", fmt.Sprint(who, i), "a.txt", result))
		fmt.Println(a.Output != nil, err)
	}
}

var result = strings.Repeat("line\n", 200)

func call(session, id, path, output string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PostToolUse, Host: "h", Session: trammel.Session{ID: session, Dir: "/src"},
		Tool: &trammel.ToolCall{ID: id, Name: "Read", Done: true, Input: map[string]any{"file_path": path}, Output: output,
			Action: trammel.Action{Kind: trammel.ReadAction, Paths: []string{path}}}}
}

func home(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", dir)
	t.Setenv("LocalAppData", dir)
}

func elide(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	return handler{policysuite.Spec("").State}.Handle(ctx, ev)
}

func elided(t *testing.T, ev *trammel.Event) bool {
	t.Helper()
	a, err := elide(context.Background(), ev)
	if err != nil {
		t.Fatal(err)
	}
	return a.Output != nil
}

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// DA-50: of 320 equal calls in 32 processes, one gets the result and the
// others the mark.
func TestDA50OneProcessGetsTheResult(t *testing.T) {
	home(t)
	var full, marks atomic.Int64
	var wg sync.WaitGroup
	for p := range 32 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprint("ELIDE_TEST_ROLE=p", p, "-"))
			out, err := cmd.Output()
			if err != nil {
				t.Error(err)
			}
			full.Add(int64(strings.Count(string(out), "false <nil>")))
			marks.Add(int64(strings.Count(string(out), "true <nil>")))
		})
	}
	wg.Wait()
	if full.Load() != 1 || marks.Load() != 319 {
		t.Errorf("%d results and %d marks, want 1 and 319", full.Load(), marks.Load())
	}
}

func TestDA50OneCallInTwoEventsIsNoRepetition(t *testing.T) {
	home(t)
	transform := func(id, output string) *trammel.Event {
		ev := call("s", id, "a", output)
		ev.Kind = trammel.ToolResponseTransform
		return ev
	}
	for i, step := range []struct {
		ev   *trammel.Event
		want bool
	}{
		{transform("1", result), false}, {call("s", "1", "a", result), false},
		{transform("2", result), true}, {call("s", "2", "a", "[the mark]"+result), false},
		{transform("3", result), true},
	} {
		if got := elided(t, step.ev); got != step.want {
			t.Errorf("step %d: elided %v, want %v", i+1, got, step.want)
		}
	}
}

func TestDA50MemoryIsBounded(t *testing.T) {
	home(t)
	ev := call("s", "", "", "")
	store := handler{policysuite.Spec("").State}.store(ev)
	full := make([]byte, 0, size*maxRecords)
	for i := range maxRecords {
		r, _ := recordOf(call("s", "", fmt.Sprint(i), result))
		full = append(full, r[:]...)
	}
	if err := store.Update(t.Context(), key(ev), func([]byte) ([]byte, error) { return full, nil }); err != nil {
		t.Fatal(err)
	}
	elided(t, call("s", "", "one more", result))
	if data, err := store.Get(t.Context(), key(ev)); err != nil || len(data) != size*maxRecords {
		t.Errorf("the memory has %d bytes, want %d: %v", len(data), size*maxRecords, err)
	}
	if elided(t, call("s", "", "0", result)) {
		t.Error("the oldest call is still known")
	}
	if !elided(t, call("s", "", "500", result)) {
		t.Error("a later call is forgotten")
	}
}

// A memory that is damaged or foreign costs a repetition and nothing else.
func TestDamagedMemoryIsEmpty(t *testing.T) {
	home(t)
	for name, data := range map[string]string{"empty": "", "torn": strings.Repeat("x", size+1), "zeros": strings.Repeat("\x00", size*3),
		"huge": strings.Repeat("\x00", size*(maxRecords+1))} {
		ev := call(name, "", "a", result)
		err := handler{policysuite.Spec("").State}.store(ev).Update(t.Context(), key(ev), func([]byte) ([]byte, error) {
			return []byte(data),
				nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if elided(t, ev) {
			t.Errorf("%s: elided what was never shown", name)
		}
		if !elided(t, ev) {
			t.Errorf("%s: does not recover", name)
		}
	}
}

// broken is a state that cannot be used.
type broken struct{ trammel.State }

func (broken) Update(context.Context, *trammel.Bucket, []trammel.Key, func([][]byte) error) error {
	return os.ErrPermission
}

func TestWithoutAMemoryNothingIsElided(t *testing.T) {
	if a, err := (handler{broken{}}).Handle(t.Context(), call("s", "", "a", result)); err == nil || a.Output != nil {
		t.Errorf("got %+v, %v, want a failure that changes nothing", a, err)
	}
}

func BenchmarkOtherTool(b *testing.B) {
	ev := call("s", "", "a", result)
	ev.Tool.Action.Kind = trammel.ShellAction
	b.ReportAllocs()
	for b.Loop() {
		elide(context.Background(), ev)
	}
}
