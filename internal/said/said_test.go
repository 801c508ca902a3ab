package said

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	_ "github.com/trammel-dev/trammel/internal/layers/isolated" // HOME and XDG_* choose the directories
)

func TestChanged(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	for i, step := range []struct {
		text string
		key  []string
		want bool
	}{
		{"a", []string{"s"}, true}, {"a", []string{"s"}, false}, {"b", []string{"s"}, true}, {"a", []string{"s"}, true},
		{"a", []string{"s", ""}, true}, {"a", []string{"../../s"}, true}, {"a", []string{"../../s"}, false},
	} {
		// To rehearse it says the same and changes nothing.
		if got, err := Changed(&trammel.Event{Rehearsal: true}, step.text, step.key...); got != step.want || err != nil {
			t.Errorf("step %d, rehearsed: %v, %v", i+1, got, err)
		}
		if got, err := Changed(&trammel.Event{}, step.text, step.key...); got != step.want || err != nil {
			t.Errorf("step %d: %v, %v", i+1, got, err)
		}
	}
	// Where nothing can be remembered, it is said.
	state := filepath.Join(home, ".local")
	os.RemoveAll(state)
	os.WriteFile(state, nil, 0o600)
	if got, err := Changed(&trammel.Event{}, "a", "s"); !got || err == nil {
		t.Errorf("%v, %v", got, err)
	}
}
