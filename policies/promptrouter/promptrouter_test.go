package promptrouter

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
)

// AIC-65: the recipe as a policy.
func TestCases(t *testing.T) { policysuite.Run(t, Policy(), "testdata/cases.yaml") }

// AIC-65: a registry that cannot be read is a failure, and not silence.
func TestBrokenRegistry(t *testing.T) {
	policysuite.BrokenRegistry(t, Policy(), &trammel.Event{Kind: trammel.UserPromptSubmit, Prompt: &trammel.Prompt{Text: "signup"}})
}
