package abilityavailability

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// AIC-65: the recipe as a policy.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// AIC-65: a registry that cannot be read is a failure, and not silence.
func TestBrokenRegistry(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, ".system", "registry", "low-level", "x.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("operation_key: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	h, err := Policy().New(trammel.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.PreAbilityCreate, Session: trammel.Session{Project: dir},
		Tool: &trammel.ToolCall{Name: "x"}}); err == nil {
		t.Errorf("%+v", a)
	}
}
