package guards

import "testing"

func TestTmpPresets(t *testing.T) {
	for _, preset := range []string{"careful", "standard", "strict"} {
		for _, file := range []string{"steps-f-harmful.txt", "steps-f-harmless.txt", "steps-g-harmful.txt", "steps-h-harmful.txt"} {
			m := newMachine(t, preset)
			all, n := sequences(t, file), 0
			for _, s := range all {
				at, reason := m.stopsOneOf(t, s)
				if at > 0 {
					n++
				}
				if at > 0 != (file != "steps-f-harmless.txt") {
					t.Logf("%s %s: step %d: %s", preset, s.name, at, reason)
				}
			}
			t.Logf("FIGURE %s %s %d of %d", preset, file, n, len(all))
		}
	}
}
