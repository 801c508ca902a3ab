package loopdetector

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// DA-51: the same call in a row, and circles.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// A call that another guard rewrites is asked about twice and is one call.
func TestARewrittenCallIsOne(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, err := Policy().New(policysuite.Spec(`{"max":3,"cycle":1}`))
	if err != nil {
		t.Fatal(err)
	}
	rewriter := trammel.HandlerFunc(func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
		if ev.Tool.Input["command"] == "new" {
			return trammel.Answer{}, nil
		}
		return trammel.Answer{Input: map[string]any{"command": "new"}}, nil
	})
	on := []trammel.Kind{trammel.PreToolUse}
	engine, err := trammel.New([]trammel.Hook{{ID: "loops", On: on, May: trammel.Guard, Handler: h}, {ID: "rewriter", On: on,
		May: trammel.Guard, Handler: rewriter}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []trammel.Decision{trammel.None, trammel.None, trammel.Deny} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "sh", Input: map[string]any{"command": "old"}}}
		if v := engine.Dispatch(t.Context(), ev); v.Decision != want {
			t.Errorf("call %d: %s, want %s: %s", i+1, v.Decision, want, v.Reason)
		}
	}
}

func TestDamagedStateIsAFailure(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	h, _ := Policy().New(policysuite.Spec(""))
	ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "x"}}
	if _, err := h.Handle(t.Context(), ev); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
		if !d.IsDir() && d.Name() != "lock" {
			os.WriteFile(path, []byte("7"), 0o600)
		}
		return err
	})
	if a, err := h.Handle(t.Context(), ev); err == nil {
		t.Errorf("%+v", a)
	}
}

func FuzzHistory(f *testing.F) {
	f.Add([]byte(head + "0123456789abcdef \n0123456789abcdef 0123456789abcdef\n"))
	f.Add([]byte(head))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := parse(data)
		if err != nil {
			return
		}
		if again := h.append(nil); data != nil && !bytes.Equal(again, data) {
			t.Errorf("%q became %q", data, again)
		}
		h.learn("x", "y")
		h.period(5, 3)
	})
}
