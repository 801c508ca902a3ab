package secret_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/secret/secrettest"
)

// seed makes the random secrets the same each time.
const seed = 20261115

func TestGeneratedSecretsDoNotSurvive(t *testing.T) {
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	makers := secrettest.Makers()
	if len(makers) < 30 {
		t.Fatalf("%d kinds, want 30 at least", len(makers))
	}
	for _, m := range makers {
		for _, c := range secrettest.Carriers() {
			failed := 0
			for range 50 {
				text, value := m.Make(r)
				carried := c.Wrap(text)
				out, found := secret.Redact(carried)
				if len(found) == 0 || leaks(out, value) {
					if failed++; failed == 1 {
						t.Errorf("%s in %s:\n  from %q\n  left %q", m.Kind, c.Name, carried, out)
					}
				}
			}
			if failed > 1 {
				t.Errorf("%s in %s: %d of 50", m.Kind, c.Name, failed)
			}
		}
	}
}

// leaks reports whether half of the secret, or more, is in out.
func leaks(out, value string) bool {
	n := (len(value) + 1) / 2
	for i := 0; i+n <= len(value); i++ {
		if strings.Contains(out, value[i:i+n]) {
			return true
		}
	}
	return false
}
