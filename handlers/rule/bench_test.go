package rule_test

import (
	"context"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
)

const (
	forcePush = `args.has("push") && args.has("--force", "-f")`
	mixed     = `args.has("push") && session.mode != "plan" && !(command matches "origin/wip")`
	amount    = `input.amount > 50000`
)

// BenchmarkFirst is what a one-shot process pays for: building the handler and
// its first event.
func BenchmarkFirst(b *testing.B) {
	for name, tc := range map[string]struct{ when, command string }{
		"native-match":  {forcePush, "git push --force"},
		"native-skip":   {forcePush, "git status"},
		"compile-match": {mixed, "git push --force"},
		"compile-skip":  {mixed, "git status"},
		"compile-input": {amount, "git push"},
	} {
		b.Run(name, func(b *testing.B) {
			c := rule.Config{Do: "deny", When: tc.when, Reason: "Force-push is off."}
			if err := condition.Prepare(&c); err != nil {
				b.Fatal(err)
			}
			data, _ := c.JSON()
			ev := shellEvent(tc.command)
			b.ReportAllocs()
			for b.Loop() {
				h, err := rule.New(trammel.Spec{Hook: "x", Config: data})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := h.Handle(context.Background(), ev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLater(b *testing.B) {
	for name, when := range map[string]string{"native": forcePush, "compiled": mixed, "input": amount} {
		b.Run(name, func(b *testing.B) {
			h := build(b, rule.Config{Do: "deny", When: when, Reason: "Force-push is off."})
			ev := shellEvent("git push --force")
			b.ReportAllocs()
			for b.Loop() {
				if _, err := h.Handle(context.Background(), ev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
