package effects_test

import (
	"context"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/world"
)

// code.md, mutations: who judges after a rewrite judges what was rewritten, also
// where the effects of the original call had been worked out before.
func TestEffectsFollowARewrite(t *testing.T) {
	seen := map[string]bool{}
	look := func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
		for _, run := range effects.Of(ev).Runs {
			seen[run.Program] = true
		}
		return trammel.Answer{}, nil
	}
	rewrite := func(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
		look(ctx, ev)
		return trammel.Answer{Input: map[string]any{"command": "rm -rf /etc"}}, nil
	}
	on := []trammel.Kind{trammel.PreToolUse}
	for _, may := range []trammel.Authority{trammel.Rewrite, trammel.Guard} {
		clear(seen)
		engine, err := trammel.New([]trammel.Hook{
			{ID: "rewrites", On: on, May: may, Handler: trammel.HandlerFunc(rewrite)},
			{ID: "looks", On: on, May: trammel.Guard, Handler: trammel.HandlerFunc(look)},
		})
		if err != nil {
			t.Fatal(err)
		}
		engine.Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse,
			Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": "ls"}}})
		if !seen["ls"] || !seen["rm"] {
			t.Errorf("a rewriting %s: seen %v, want ls and rm", may, seen)
		}
	}
}

// Two calls that share a memo do not share effects, even if somebody changes the
// command in place.
func TestEffectsAreKeyedByCommand(t *testing.T) {
	ev := &trammel.Event{Tool: &trammel.ToolCall{Action: trammel.Action{Kind: trammel.ShellAction, Command: "ls"}}}
	ev.Prepare()
	effects.Of(ev)
	ev.Tool.Action.Command = "rm x"
	if got := effects.Of(ev).Runs[0].Program; got != "rm" {
		t.Errorf("runs %s, want rm", got)
	}
}

// An event brings its own world along.
func TestEventsBringTheirWorld(t *testing.T) {
	ev := &trammel.Event{World: &world.Frozen{HomeDir: "/home/ann", Env: map[string]string{"OUT": "/srv/out"}},
		Session: trammel.Session{Dir: "/work"},
		Tool:    &trammel.ToolCall{Action: trammel.Action{Kind: trammel.ShellAction, Command: "rm ~/a $OUT/b c"}}}
	want := []string{"/home/ann/a", "/srv/out/b", "/work/c"}
	for i, f := range effects.Of(ev).Files {
		if f.Path.Abs != want[i] {
			t.Errorf("file %d is %s, want %s", i, f.Path.Abs, want[i])
		}
	}
}
