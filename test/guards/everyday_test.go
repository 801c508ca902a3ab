package guards

import (
	"slices"
	"strings"
	"testing"
)

// Issue 12, quiet: ordinary calls are judged as it was written down before they
// were first run. The page of shell-guard says how many were not, then.
func TestEverydayCalls(t *testing.T) { judged(t, "everyday") }

// What CI files do passes, and what looks like it and does harm is stopped.
func TestCINeighbours(t *testing.T) {
	t.Setenv("RAILS_ENV", "test")
	t.Setenv("MIX_ENV", "test")
	t.Setenv("GITHUB_REPOSITORY", "acme/app")
	judged(t, "ci")
	judged(t, "steps")
	judged(t, "quiet2")
}

// judged compares who stops each call of a set with what its lines say.
func judged(t *testing.T, set string) {
	t.Helper()
	from := []string{"stop", "standard", "strict", "pass"} // who stops it, and all stricter ones
	for n, preset := range []string{"careful", "standard", "strict"} {
		t.Run(preset, func(t *testing.T) {
			m := newMachine(t, preset)
			all, wrong := setLines(t, set), 0
			for _, line := range all {
				who, text, _ := strings.Cut(line, " ")
				at := slices.Index(from, who)
				if at < 0 {
					t.Fatalf("%q says nothing about who stops it", line)
				}
				if is := m.stops(t, call(t, text)); is != (at <= n) {
					wrong++
					t.Errorf("%s: stopped %v: %s", preset, is, line)
				}
			}
			t.Logf("%s judges %d of %d otherwise", preset, wrong, len(all))
		})
	}
}
