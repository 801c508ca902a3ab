//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestWiring: whatever happens to the program that is wired, the call is
// blocked.
func TestWiring(t *testing.T) {
	check := func(t *testing.T, r *result) {
		r.ran(t)
		if !r.stoppedAtThePrompt(t, "no hook could be started") {
			r.told(t, true, r.unanswered)
		}
	}
	strict := func(p profile) bool { return p.strict }
	play(t, []scenario{
		{
			name:  "it is missing",
			stops: strict,
			program: func(_ *testing.T, b *box, _ host) string {
				return filepath.Join(b.home, "bin", "trammel-hook")
			},
			check: check,
		},
		{
			name:  "it may not be run",
			stops: strict,
			program: func(t *testing.T, b *box, _ host) string {
				raw, err := os.ReadFile(ready.Hook)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(b.home, "bin", "trammel-hook")
				b.put(t, path, string(raw))
				return path
			},
			check: func(t *testing.T, r *result) {
				if r.fixes { // then it does its work, and has no objection
					r.ran(t, marker)
					if got := r.records(t); len(got) != 1 || got[0].Decision != "none" {
						t.Errorf("the records are %+v, expected that the call was judged", got)
					}
					return
				}
				check(t, r)
			},
		},
		{
			name:    "it panics",
			program: faulty("panic"),
			check:   check,
		},
		{
			name:    "it hangs", // a host that has waited too long lets the call through
			program: faulty("hang"),
			check:   check,
		},
		{
			name:    "it is killed",
			program: faulty("kill"),
			check:   check,
		},
	})
}

// faulty is the trammel-hook that fails in a given way.
func faulty(how string) func(*testing.T, *box, host) string {
	return func(_ *testing.T, b *box, _ host) string {
		b.extra = append(b.extra, "TRAMMEL_FAULT="+how)
		return ready.Fault
	}
}
