//go:build unix

package command

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
)

// A dialect that speaks otherwise to each hook is told which one it is, and one
// that does not refuses options.
func TestSpeak(t *testing.T) {
	p := newPlace(t)
	signal := `echo '{"hook_signals":[{"source_event":"PreAbilityCall","hook_id":"declared","kind":"ability_guard","code":"ABILITY_DENIED",` +
		`"payload":{"reason":"r"}}]}'`
	c := Config{Run: signal, Dialect: "repohooks", Speak: map[string]any{"hook_id": "declared"}}
	if again, err := ReadConfig(c.AppendJSON(nil)); err != nil || again.Speak["hook_id"] != "declared" {
		t.Errorf("%+v, %v", again, err)
	}
	if a, err := p.handle(t, c); err != nil || a.Reason != "r" {
		t.Errorf("%+v, %v", a, err)
	}
	c.Speak = nil // then it is known by the id that it runs under
	_, err := p.handle(t, c)
	failure(t, err, trammel.CodeMalformed)
	for _, c := range []Config{{Run: "true", Dialect: "native", Speak: map[string]any{"x": true}}, {Run: "true", Dialect: "repohooks",
		Speak: map[string]any{"x": true}}} {
		if _, err := New(standard.Dialects().Hook)(trammel.Spec{Hook: "h", Config: c.AppendJSON(nil)}); err == nil {
			t.Errorf("%s takes options that it does not know", c.Dialect)
		}
	}
}
