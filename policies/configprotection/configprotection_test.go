package configprotection_test

import (
	"context"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/configprotection"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// FLOW-33: the protected set, every evasion that the reference lets pass, and
// what must pass.
func TestCases(t *testing.T) { policysuite.Run(t, configprotection.Policy(), "testdata/cases.yaml") }

func TestEdges(t *testing.T) { policysuite.Run(t, configprotection.Policy(), "testdata/edges.yaml") }

// FLOW-03, FLOW defect 1: of a payload that was cut off it is unknown what it
// would change, so it is denied, with or without a tool in what is left of it.
func TestTruncatedInput(t *testing.T) {
	h, err := configprotection.Policy().New(trammel.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range []*trammel.Event{
		{Kind: trammel.PreToolUse, Fields: map[string]any{"input_truncated": true}},
		{Kind: trammel.PreToolUse, Fields: map[string]any{"input_truncated": true}, Tool: &trammel.ToolCall{Name: "Read",
			Action: trammel.Action{Kind: trammel.ReadAction}}},
	} {
		a, err := h.Handle(context.Background(), ev)
		if err != nil || a.Decision != trammel.Deny || len(a.Findings) != 1 || a.Findings[0].Code != "truncated_input" ||
			!strings.HasPrefix(a.Reason, "BLOCKED: ") {
			t.Errorf("got %+v, %v", a, err)
		}
	}
	if a, _ := h.Handle(context.Background(), &trammel.Event{Kind: trammel.PreToolUse,
		Fields: map[string]any{"input_truncated": false}}); a.Decision != trammel.None {
		t.Errorf("a whole payload is denied: %+v", a)
	}
}

func BenchmarkDoesNotApply(b *testing.B) {
	h, _ := configprotection.Policy().New(trammel.Spec{})
	ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Read", Action: trammel.Action{Kind: trammel.ReadAction,
		Paths: []string{"biome.json"}}}}
	b.ReportAllocs()
	for b.Loop() {
		h.Handle(context.Background(), ev)
	}
}
