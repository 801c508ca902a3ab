package guards

import (
	"fmt"
	"os"
	"testing"

	"github.com/trammel-dev/trammel"
)

// TestQuiet judges real commands of CI files, which are no part of this project:
// one JSON object with a cmd on each line of the file that TRAMMEL_CI_COMMANDS
// names. Few of them are denied, and few asked about.
func TestQuiet(t *testing.T) {
	file := os.Getenv("TRAMMEL_CI_COMMANDS")
	if file == "" {
		t.Skip("TRAMMEL_CI_COMMANDS names no file")
	}
	all := read(t, file)
	for preset, most := range map[string]float64{"careful": 2, "standard": 3, "strict": 12} {
		t.Run(preset, func(t *testing.T) {
			m := newMachine(t, preset)
			denied, asked := 0, 0
			for i, c := range all {
				v, err := m.judge(m.event(fmt.Sprint("ci", i), "Bash", map[string]any{"command": c.Cmd}), false)
				if err != nil {
					t.Fatal(err)
				}
				switch v.Decision {
				case trammel.Deny:
					denied++
					t.Logf("deny: %.200q: %s", c.Cmd, v.Reason)
				case trammel.Ask:
					asked++
					t.Logf("ask: %.200q: %s", c.Cmd, v.Reason)
				}
			}
			share := func(n int) float64 { return 100 * float64(n) / float64(len(all)) }
			t.Logf("%s of %d: %.1f %% denied, %.1f %% asked about", preset, len(all), share(denied), share(asked))
			if share(denied) > 1 || share(asked) > most {
				t.Errorf("%s denies %.1f %% and asks about %.1f %%", preset, share(denied), share(asked))
			}
		})
	}
}
