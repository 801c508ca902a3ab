package trammel

import (
	"context"
	"fmt"
	"testing"
)

// pass is the cheapest handler there is: what is measured is the engine.
var pass = HandlerFunc(func(context.Context, *Event) (Answer, error) { return Answer{}, nil })

func toolEvent() *Event {
	return &Event{Kind: PreToolUse, Host: "bench", Session: Session{ID: "s", Dir: "/p"},
		Tool: &ToolCall{ID: "1", Name: "shell", Input: map[string]any{"command": "go test ./...", "cwd": "/p"}}}
}

func guardHook(id string, m Match) Hook {
	return Hook{ID: id, On: []Kind{PreToolUse}, Match: m, Handler: pass, May: Guard}
}

// commandIs is what a rule comes to once its expression is compiled: a look
// at the action and a comparison. The rule handler itself, with its
// expressions, is measured where it lives (handlers/rule).
type commandIs string

func (c commandIs) Handle(_ context.Context, ev *Event) (Answer, error) {
	if ev.Tool.Action.Command == string(c) {
		return Denial("no"), nil
	}
	return Answer{}, nil
}

// BenchmarkDispatch is the price of the engine itself. The limits that `make
// bench` holds it to are in bench/limits.txt.
func BenchmarkDispatch(b *testing.B) {
	many := make([]Hook, 0, 100)
	for i := range 99 {
		many = append(many, guardHook(fmt.Sprint("h", i), Match{Tools: []string{fmt.Sprint("tool_", i)}}))
	}
	many = append(many, guardHook("match", Match{Tools: []string{"shell"}}))
	var ten []Hook
	for i := range 10 {
		ten = append(ten, guardHook(fmt.Sprint("h", i), Match{}))
	}
	for _, c := range []struct {
		name  string
		hooks []Hook
	}{
		{"none", nil},
		{"one-builtin", []Hook{guardHook("one", Match{})}},
		{"ten-builtins", ten},
		{"hundred-matchers", many},
		{"rule", []Hook{{ID: "rule", On: []Kind{PreToolUse}, May: Guard, Handler: commandIs("rm -rf /"), Match: Match{Actions: []ActionKind{ShellAction}}}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, err := New(c.hooks)
			if err != nil {
				b.Fatal(err)
			}
			ctx, ev := context.Background(), toolEvent()
			b.ReportAllocs()
			for b.Loop() {
				if v := e.Dispatch(ctx, ev); v.Decision != None {
					b.Fatal(v)
				}
			}
		})
	}
}
