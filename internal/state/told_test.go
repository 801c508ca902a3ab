package state

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
)

func TestIsNews(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	in := Files{Dir: dir}
	for i, step := range []struct {
		text string
		key  []string
		want bool
	}{
		{"a", []string{"s"}, true}, {"a", []string{"s"}, false}, {"b", []string{"s"}, true}, {"a", []string{"s"}, true},
		{"a", []string{"s", ""}, true}, {"a", []string{"../../s"}, true}, {"a", []string{"../../s"}, false},
	} {
		// To rehearse it says the same and changes nothing.
		if got, err := isNews(t.Context(), in, &trammel.Event{Rehearsal: true}, step.text, step.key...); got != step.want || err != nil {
			t.Errorf("step %d, rehearsed: %v, %v", i+1, got, err)
		}
		if got, err := isNews(t.Context(), in, &trammel.Event{}, step.text, step.key...); got != step.want || err != nil {
			t.Errorf("step %d: %v, %v", i+1, got, err)
		}
	}
	// Where nothing can be remembered, it is said.
	os.RemoveAll(dir)
	os.WriteFile(dir, nil, 0o600)
	if got, err := isNews(t.Context(), in, &trammel.Event{}, "a", "s"); !got || err == nil {
		t.Errorf("%v, %v", got, err)
	}
}
