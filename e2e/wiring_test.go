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
		r.told(t, true, noAnswer)
	}
	play(t, []scenario{
		{
			name: "it is missing",
			program: func(_ *testing.T, b *box) string {
				return filepath.Join(b.home, "bin", "trammel-hook")
			},
			check: check,
		},
		{
			name: "it may not be run",
			program: func(t *testing.T, b *box) string {
				raw, err := os.ReadFile(ready.Hook)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(b.home, "bin", "trammel-hook")
				b.put(t, path, string(raw))
				return path
			},
			check: check,
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
func faulty(how string) func(*testing.T, *box) string {
	return func(_ *testing.T, b *box) string {
		b.extra = append(b.extra, "TRAMMEL_FAULT="+how)
		return ready.Fault
	}
}
