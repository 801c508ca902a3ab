package overrule

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TEAM-25, TEAM-28: what was seen to be over stays over when the clock is set back.
func TestTheClockIsSetBack(t *testing.T) {
	end := time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at          time.Duration // after the end
		there, back bool          // then, and a day earlier
	}{
		{-time.Second, true, true}, {0, false, true}, // a new file may not have its time yet
		{time.Minute + time.Second, false, false}, {24 * time.Hour, false, false},
	} {
		for name, of := range map[string]func(state string, now time.Time) bool{"open": Open, "pause": MayBePaused} {
			state := t.TempDir()
			path := filepath.Join(state, "approvals", name)
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, end, end); err != nil {
				t.Fatal(err)
			}
			if there := of(state, end.Add(c.at)); there != c.there {
				t.Errorf("%s, %v after the end: %v", name, c.at, there)
			}
			if back := of(state, end.Add(c.at-24*time.Hour)); back != c.back {
				t.Errorf("%s, %v after the end, and a day back: %v", name, c.at, back)
			}
		}
	}
}
