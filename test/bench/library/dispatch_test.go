package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
)

// BenchmarkDispatch is the price of the engine itself: its handlers do nothing,
// but for the rule, which is a real one. `make bench` holds it to the limits in
// test/bench/library/limits.txt.
func BenchmarkDispatch(b *testing.B) {
	nothing := trammel.HandlerFunc(func(context.Context, *trammel.Event) (trammel.Answer, error) { return trammel.Answer{}, nil })
	hook := func(id string, h trammel.Handler, m trammel.Match) trammel.Hook {
		return trammel.Hook{ID: id, On: []trammel.Kind{trammel.PreToolUse}, Match: m, Handler: h, May: trammel.Guard}
	}
	var ten, hundred []trammel.Hook
	for i := range 10 {
		ten = append(ten, hook(fmt.Sprint("h", i), nothing, trammel.Match{}))
	}
	for i := range 99 {
		hundred = append(hundred, hook(fmt.Sprint("h", i), nothing, trammel.Match{Tools: []string{fmt.Sprint("tool_", i)}}))
	}
	hundred = append(hundred, hook("match", nothing, trammel.Match{Tools: []string{"shell"}}))
	for _, c := range []struct {
		name  string
		hooks []trammel.Hook
	}{
		{"none", nil},
		{"one-builtin", []trammel.Hook{hook("one", nothing, trammel.Match{})}},
		{"ten-builtins", ten},
		{"hundred-matchers", hundred},
		{"rule", []trammel.Hook{hook("rule", forbid(b), trammel.Match{Actions: []trammel.ActionKind{trammel.ShellAction}})}},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, err := trammel.New(c.hooks)
			if err != nil {
				b.Fatal(err)
			}
			ctx := context.Background()
			ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "bench", Session: trammel.Session{ID: "s", Dir: "/p"},
				Tool: &trammel.ToolCall{ID: "1", Name: "shell", Input: map[string]any{"command": "go test ./...", "cwd": "/p"}}}
			b.ReportAllocs()
			for b.Loop() {
				if v := e.Dispatch(ctx, ev); v.Decision != trammel.None {
					b.Fatal(v)
				}
			}
		})
	}
}

func forbid(b *testing.B) trammel.Handler {
	c := rule.Config{Do: "deny", When: `command contains "rm -rf" || len(input) > 5`}
	if err := condition.Prepare(&c); err != nil {
		b.Fatal(err)
	}
	data, err := c.JSON()
	if err != nil {
		b.Fatal(err)
	}
	h, err := rule.New(trammel.Spec{Hook: "rule", Kind: "rule", Config: data})
	if err != nil {
		b.Fatal(err)
	}
	return h
}
