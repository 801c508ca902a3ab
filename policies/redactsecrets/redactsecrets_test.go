package redactsecrets

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/secrettest"
)

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// DA-50: the whole list of messages is given, with the secrets of any depth
// taken out, and the event itself is not touched.
func TestMessages(t *testing.T) {
	list := func(text string) []any {
		return []any{
			map[string]any{"role": "system", "content": "Be brief."},
			map[string]any{"role": "user", "content": []any{map[string]any{"type": "text", "text": "use " + text}, int64(7), nil}},
		}
	}
	in := list("glpat-abcdefghij0123456789")
	a, err := redact(context.Background(), &trammel.Event{Kind: trammel.BeforeLLMCall, Model: &trammel.ModelCall{Messages: in}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"messages": list("[REDACTED]")}, a.Input); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(list("glpat-abcdefghij0123456789"), in); diff != "" {
		t.Errorf("the event was changed: %s", diff)
	}
}

// No part of an answer may give away what was found.
func TestNothingGetsThrough(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lost := 0
	makers := secrettest.Makers()
	for _, m := range makers {
		text, value := m.Make(r)
		ev := &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "x", Done: true, Output: "a\n" + text + "\nz"}}
		a, err := redact(context.Background(), ev)
		if err != nil {
			t.Fatal(err)
		}
		if a.Output == nil || strings.Contains(*a.Output, value) {
			lost++
			t.Logf("%s got through: %q", m.Kind, text)
			continue
		}
		for _, f := range a.Findings {
			if strings.Contains(f.Target, value) {
				t.Errorf("%s: the finding holds it: %+v", m.Kind, f)
			}
		}
	}
	if lost*20 > len(makers) {
		t.Errorf("%d of %d got through", lost, len(makers))
	}
}

func TestASecretAsTheNameOfAnArgument(t *testing.T) {
	ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "x",
		Input: map[string]any{"glpat-abcdefghij0123456789": true}}}
	_, err := redact(context.Background(), ev)
	if err == nil || strings.Contains(err.Error(), "abcdefghij") {
		t.Errorf("got %v, want an error that does not repeat it", err)
	}
}
