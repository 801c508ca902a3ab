package standard

import (
	"strings"
	"testing"
)

// A person names an agent as its program is called, or as its dialect is.
func TestNamed(t *testing.T) {
	for name, want := range map[string]string{"claude": "claude-code", "claude-code": "claude-code", "gemini": "gemini-cli",
		"copilot": "copilot-cli", "qwen": "qwen-code", "native": "native"} {
		if d, err := Dialects().Named(name); err != nil || d.Name() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "clod"} {
		if _, err := Dialects().Named(name); err == nil || !strings.Contains(err.Error(), "claude-code") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
