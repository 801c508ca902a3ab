package guards

import "testing"

func TestTmpScratch(t *testing.T) {
	m := newMachine(t, "standard")
	for _, s := range sequences(t, "../../../../../dev/shm/h-quiet/scratch.txt") {
		at, reason := m.stopsOneOf(t, s)
		t.Logf("RESULT %s: step %d of %d: %.150s", s.name, at, len(s.steps), reason)
	}
}
