package guards

import (
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// What a reason recommends instead of a call passes under the same preset, whichever
// policy has stopped the call, and every reason recommends something.
func TestAdvice(t *testing.T) {
	for _, preset := range []string{"careful", "standard", "strict"} {
		t.Run(preset, func(t *testing.T) {
			m := newMachine(t, preset)
			advice, sentences := map[string]string{}, map[string]string{}
			for _, part := range parts(t) {
				advice[part] = "a finding of shell-guard"
			}
			for _, set := range []string{"unseen", "last", "attack", "atkb", "atka", "atkc", "exec", "leak", "platform"} {
				for i, line := range setLines(t, set) {
					if i%6 != 0 {
						continue
					}
					_, rest, _ := strings.Cut(line, " ")
					_, text, _ := strings.Cut(rest, " ")
					c := call(t, text)
					if c.Cmd == "" {
						continue
					}
					v := m.verdict(t, c.Cmd)
					if v.Decision == trammel.Deny || v.Decision == trammel.Ask {
						for n, part := range strings.Split(v.Reason, "`") {
							if n%2 == 1 && strings.Contains(part, " ") && !strings.Contains(c.Cmd, part) && part != "trammel trust" { // which a person is to run
								advice[part] = c.Cmd
							}
						}
						if !strings.Contains(v.Reason, ". ") {
							sentences[v.Reason] = c.Cmd
						}
					}
				}
			}
			for command := range maps.Keys(advice) {
				if v := m.verdict(t, command); v.Decision > trammel.Allow {
					t.Errorf("%q is recommended instead of %q, and stopped: %s", command, advice[command], v.Reason)
				}
			}
			for reason, command := range sentences {
				t.Errorf("%q: nothing is said of what to do instead: %s", command, reason)
			}
			t.Logf("%s recommends %d commands", preset, len(advice))
		})
	}
}

// parts are the commands that shell-guard recommends.
func parts(t *testing.T) (out []string) {
	t.Helper()
	data, err := os.ReadFile("../../policies/shellguard/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, codes, _ := strings.Cut(string(data), "---")
	for i, part := range strings.Split(codes, "`") {
		if i%2 == 1 && strings.Contains(part, " ") {
			out = append(out, part)
		}
	}
	return out
}

func (m *machine) verdict(t *testing.T, command string) *trammel.Verdict {
	t.Helper()
	return m.verdictOf(t, "advice", labelled{Cmd: command}, false)
}
