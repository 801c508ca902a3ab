package addcontext

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// DA-50: a missing key is an error, not a hole in the text.
func TestMissingKey(t *testing.T) {
	h, err := Policy().New(policysuite.Spec(`{"templates":["{{ .ToolInput.nope }}"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "x",
		Input: map[string]any{}}}); err == nil {
		t.Errorf("%+v", a)
	}
}
