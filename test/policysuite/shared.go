package policysuite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/testfile"
)

// BrokenRegistry checks that a registry of abilities that cannot be read is a
// failure, and not silence.
func BrokenRegistry(t *testing.T, p trammel.Policy, ev *trammel.Event) {
	ev.Session.Project = t.TempDir()
	testfile.Write(t, filepath.Join(ev.Session.Project, ".system", "registry", "low-level", "x.yaml"), "operation_key: [", 0o644)
	h, err := p.New(trammel.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := h.Handle(t.Context(), ev); err == nil {
		t.Errorf("%+v", a)
	}
}

// RewrittenCounts checks that a policy that denies the third call takes a call
// that another guard rewrites, and that is judged again, for one.
func RewrittenCounts(t *testing.T, p trammel.Policy, options string) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	h, err := p.New(Spec(options))
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
	engine, err := trammel.New([]trammel.Hook{{ID: "counts", On: on, May: trammel.Guard, Handler: h}, {ID: "rewriter", On: on,
		May: trammel.Guard, Handler: rewriter}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []trammel.Decision{trammel.None, trammel.None, trammel.Deny} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "x", Tool: &trammel.ToolCall{ID: "same", Name: "Bash",
			Input: map[string]any{"command": "old"}}}
		if v := engine.Dispatch(t.Context(), ev); v.Decision != want {
			t.Errorf("call %d: %s, want %s: %s", i+1, v.Decision, want, v.Reason)
		}
	}
}
