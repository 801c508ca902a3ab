package trammel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// say is a handler that always gives the same answer.
func say(a Answer) Handler {
	return HandlerFunc(func(context.Context, *Event) (Answer, error) { return a, nil })
}

// waiting is a handler that waits for something, so that it runs concurrently.
type waiting struct{ HandlerFunc }

func (waiting) Waits() bool { return true }

// gate is a handler that stands for a human.
type gate struct{ HandlerFunc }

func (gate) Gates() bool { return true }

func engine(t *testing.T, hooks ...Hook) *Engine {
	t.Helper()
	for i := range hooks {
		if hooks[i].ID == "" {
			hooks[i].ID = fmt.Sprint("h", i)
		}
		if hooks[i].On == nil {
			hooks[i].On = []Kind{PreToolUse}
		}
	}
	e, err := New(hooks)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func call(input map[string]any) *Event {
	return &Event{Kind: PreToolUse, Tool: &ToolCall{Name: "shell", Input: input}}
}

// patch is a transform that computes its patch from what it sees.
func patch(f func(in map[string]any) map[string]any) Handler {
	return HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		return Answer{Input: f(ev.Tool.Input)}, nil
	})
}

func appendTo(key, suffix string) Handler {
	return patch(func(in map[string]any) map[string]any { return map[string]any{key: in[key].(string) + suffix} })
}

// DA-30 C1: each transform sees the previous rewrite, other arguments stay,
// and the caller's map is untouched.
func TestTransformsSeeEachOthersRewrites(t *testing.T) {
	e := engine(t,
		Hook{May: Rewrite, Priority: 3, Handler: appendTo("command", " -h")},
		Hook{May: Rewrite, Priority: 1, Handler: patch(func(map[string]any) map[string]any { return map[string]any{"command": "ls"} })},
		Hook{May: Rewrite, Priority: 2, Handler: appendTo("command", " -l")},
	)
	nested := map[string]any{"deep": int64(1)}
	in := map[string]any{"command": "rm", "cwd": "/p", "nested": nested}
	ev := call(in)
	v := e.Dispatch(t.Context(), ev)
	want := map[string]any{"command": "ls -l -h", "cwd": "/p", "nested": nested}
	if diff := cmp.Diff(want, v.Apply(in)); diff != "" {
		t.Error(diff)
	}
	if in["command"] != "rm" || ev.Tool.Action.Command != "" {
		t.Errorf("the caller's event was changed: %v", ev.Tool)
	}
	if got := v.Event.Tool.Action.Command; got != "ls -l -h" {
		t.Errorf("the action was not read again after the rewrite: %q", got)
	}
}

// DA-30 C5: a transform that fails does not take the others' rewrites along.
func TestATransformThatFailsLeavesTheOthers(t *testing.T) {
	boom := HandlerFunc(func(context.Context, *Event) (Answer, error) {
		return Answer{Input: map[string]any{"command": "evil"}}, errors.New("boom")
	})
	e := engine(t,
		Hook{May: Rewrite, Handler: appendTo("command", " -a")},
		Hook{May: Rewrite, Handler: boom},
		Hook{May: Rewrite, Handler: appendTo("command", " -b")},
	)
	v := e.Dispatch(t.Context(), call(map[string]any{"command": "ls"}))
	if v.Input["command"] != "ls -a -b" || v.Decision != None || !strings.Contains(v.Notice, "boom") {
		t.Errorf("got %v, %v, notice %q", v.Input, v.Decision, v.Notice)
	}
}

// DA-30 C3, C4: output rewrites are composed, "" is a value, and an empty
// patch is a rewrite that changes nothing.
func TestRewritesOfOutput(t *testing.T) {
	out := func(f func(string) string) Handler {
		return HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
			s := f(ev.Tool.Output)
			return Answer{Output: &s}, nil
		})
	}
	on := []Kind{ToolResponseTransform, PostToolUse}
	e := engine(t,
		Hook{On: on, May: Rewrite, Handler: out(func(s string) string { return s + "+1" })},
		Hook{On: on, May: Rewrite, Handler: out(func(s string) string { return s + "+2" })},
	)
	ev := &Event{Kind: PostToolUse, Tool: &ToolCall{Name: "shell", Output: "x", Done: true}}
	if v := e.Dispatch(t.Context(), ev); v.Output == nil || *v.Output != "x+1+2" {
		t.Errorf("got %v", v.Output)
	}
	e = engine(t, Hook{On: on, May: Rewrite, Handler: out(func(string) string { return "" })})
	if v := e.Dispatch(t.Context(), ev); v.Output == nil || *v.Output != "" {
		t.Errorf("an empty output was lost: %v", v.Output)
	}
	e = engine(t, Hook{May: Rewrite, Handler: say(Answer{Input: map[string]any{}})})
	in := map[string]any{"command": "ls"}
	if v := e.Dispatch(t.Context(), call(in)); v.Input == nil || !cmp.Equal(v.Apply(in), in) {
		t.Errorf("an empty patch: %v", v.Input)
	}
}

// DA-30 C12: guards that wait overlap in time. Each waits for the other, so
// one after the other they would never end.
func TestGuardsThatWaitOverlap(t *testing.T) {
	for _, may := range []Authority{Guard, Observe} {
		var both sync.WaitGroup
		both.Add(2)
		meet := waiting{func(ctx context.Context, ev *Event) (Answer, error) {
			both.Done()
			met := make(chan struct{})
			go func() { both.Wait(); close(met) }()
			select {
			case <-met:
				return Answer{Diagnostics: []string{"met"}}, nil
			case <-ctx.Done():
				return Answer{}, ctx.Err()
			}
		}}
		e := engine(t, Hook{May: may, Handler: meet, Timeout: time.Minute}, Hook{May: may, Handler: meet, Timeout: time.Minute})
		v := e.Dispatch(t.Context(), call(nil))
		if !slices.Equal(v.Diagnostics, []string{"met", "met"}) {
			t.Errorf("%v: %v, %v", may, v.Diagnostics, v.Failures())
		}
	}
}

func TestGuardsAndGatesSeeTheFinalArguments(t *testing.T) {
	var guardSaw, gateSaw, observerSaw string
	see := func(where *string) HandlerFunc {
		return func(_ context.Context, ev *Event) (Answer, error) {
			*where = ev.Tool.Action.Command
			return Answer{}, nil
		}
	}
	e := engine(t,
		Hook{May: Observe, Priority: -9, Handler: see(&observerSaw)},
		Hook{May: Guard, Priority: -9, Handler: gate{see(&gateSaw)}},
		Hook{May: Guard, Priority: -9, Handler: see(&guardSaw)},
		Hook{May: Rewrite, Priority: 9, Handler: appendTo("command", " --dry-run")},
	)
	v := e.Dispatch(t.Context(), call(map[string]any{"command": "deploy"}))
	for who, saw := range map[string]string{"guard": guardSaw, "gate": gateSaw, "observer": observerSaw} {
		if saw != "deploy --dry-run" {
			t.Errorf("the %s saw %q", who, saw)
		}
	}
	var order []string
	for _, r := range v.Runs {
		order = append(order, r.Phase.String())
	}
	if want := []string{"transform", "guard", "gate", "observe"}; !slices.Equal(order, want) {
		t.Errorf("phases ran as %v", order)
	}
}

func TestAGateIsAskedOnlyWhenGuardsPass(t *testing.T) {
	asked := false
	e := engine(t,
		Hook{May: Guard, Handler: gate{func(context.Context, *Event) (Answer, error) { asked = true; return Answer{}, nil }}},
		Hook{May: Guard, Handler: say(Denial("no"))})
	if v := e.Dispatch(t.Context(), call(nil)); v.Decision != Deny || asked {
		t.Errorf("decision %v, gate asked: %v", v.Decision, asked)
	}
	e = engine(t, Hook{May: Guard, Handler: gate{func(context.Context, *Event) (Answer, error) {
		return Answer{Input: map[string]any{"command": "other"}}, nil
	}}})
	if v := e.Dispatch(t.Context(), call(nil)); v.Decision != Deny || v.Input != nil {
		t.Errorf("a gate that rewrites: %v, %v", v.Decision, v.Input)
	}
}

// DA-33: when a guard rewrites, the others judge again what will really run.
func TestGuardsAreAskedAgainAfterARewrite(t *testing.T) {
	noForce := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		if strings.Contains(ev.Tool.Action.Command, "--force") {
			return Denial("no force"), nil
		}
		return Answer{}, nil
	})
	once := HandlerFunc(func(_ context.Context, ev *Event) (Answer, error) {
		return Answer{Input: map[string]any{"command": "push --force"}, Findings: []Finding{{Code: "changed"}}}, nil
	})
	e := engine(t, Hook{ID: "no-force", May: Guard, Handler: noForce}, Hook{ID: "rewriter", May: Guard, Handler: once})
	v := e.Dispatch(t.Context(), call(map[string]any{"command": "push"}))
	if v.Decision != Deny || v.Reason != "no force" || len(v.Runs) != 3 || v.Runs[1].Round != 2 {
		t.Errorf("got %v, runs %+v", v, v.Runs)
	}
	if v.Runs[0].Hook.ID != "rewriter" || v.Runs[0].Round != 1 || len(v.Findings) != 2 {
		t.Errorf("that a guard rewrote is not on record: %+v, findings %v", v.Runs[0], v.Findings)
	}
	n := 0
	restless := HandlerFunc(func(context.Context, *Event) (Answer, error) {
		n++
		return Answer{Input: map[string]any{"command": fmt.Sprint("push ", n)}}, nil
	})
	e = engine(t, Hook{ID: "restless", May: Guard, Handler: restless})
	v = e.Dispatch(t.Context(), call(map[string]any{"command": "push"}))
	if last := v.Runs[len(v.Runs)-1]; v.Decision != Deny || last.Code != CodeUnstable || n != maxRounds {
		t.Errorf("a guard that never settles: %v, %v, asked %d times", v.Decision, last.Code, n)
	}
}
