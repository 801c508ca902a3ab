package secret_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/test/secrettest"
)

// seed makes the random secrets the same each time.
const seed = 20261115

// Issue 4 wants 95 % of the samples of each kind. A random text may happen to
// look like words, so not every single one can be found.
func TestGeneratedSecretsDoNotSurvive(t *testing.T) {
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	makers := secrettest.Makers()
	if len(makers) < 150 {
		t.Fatalf("%d kinds, want 150 at least", len(makers))
	}
	made, lost := 0, 0
	for _, m := range makers {
		for _, c := range secrettest.Carriers() {
			failed := 0
			for range 50 {
				text, value := m.Make(r)
				carried := c.Wrap(text)
				out, found := secret.Redact(carried)
				if len(found) == 0 || leaks(out, value) {
					if failed++; failed > 2 {
						t.Errorf("%s in %s, again:\n  from %q\n  left %q", m.Kind, c.Name, carried, out)
						break
					}
				}
			}
			made, lost = made+50, lost+failed
		}
	}
	t.Logf("%d kinds, %d samples, %d lost", len(makers), made, lost)
	if lost*1000 > made {
		t.Errorf("%d of %d were lost, want 1 in 1,000 at most", lost, made)
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
