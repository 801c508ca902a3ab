package guards

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// Issue 12, c and "Names that deceive": calls of classes that were written down
// with their verdicts before they were run.
func TestClasses(t *testing.T) {
	for n, preset := range []string{"careful", "standard", "strict"} {
		t.Run(preset, func(t *testing.T) {
			m := newMachine(t, preset)
			for _, file := range []string{"weaken", "deceive", "again"} {
				stopped, attacks := 0, 0
				for _, line := range classLines(t, file) {
					want, command, _ := strings.Cut(line, " ")
					if want == "pass" && preset == "strict" {
						continue
					}
					stops := m.stops(t, labelled{Cmd: command})
					expect := want == "stop" || want == "ask" || want == "warn" && n > 0
					if stops != expect && !(want == "warn" && n == 0) {
						t.Errorf("%s %s: stopped %v", preset, line, stops)
					}
					if want != "pass" && (want != "warn" || n > 0) {
						attacks++
						if stops {
							stopped++
						}
					}
				}
				t.Logf("%s: %s stops %d of %d", file, preset, stopped, attacks)
			}
		})
	}
}

// classLines reads a set in which escapes stand for signs that are not seen.
func classLines(t *testing.T, name string) []string {
	t.Helper()
	all := setLines(t, name)
	for i, line := range all {
		if strings.Contains(line, `\u`) || strings.Contains(line, `\x`) {
			plain, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
			if err != nil {
				t.Fatal(name, err)
			}
			all[i] = plain
		}
	}
	return all
}

func setLines(t *testing.T, name string) (out []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}
