package guards

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// PROBE=file PROBEGOAL=1 go test -run TestProbe
func TestProbe(t *testing.T) {
	data, _ := os.ReadFile(os.Getenv("PROBE"))
	plain := os.Getenv("PROBEGOAL") == ""
	res := map[string][]bool{}
	var order []string
	count := [3][2]int{}
	for n, preset := range []string{"careful", "standard", "strict"} {
		t.Run(preset, func(t *testing.T) {
			m := newMachine(t, preset)
			for line := range strings.Lines(string(data)) {
				if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
					continue
				}
				from, text := "careful", line
				if !plain {
					f, rest, _ := strings.Cut(line, " ")
					_, tx, _ := strings.Cut(rest, " ")
					from, text = f, tx
				}
				if n == 0 {
					order = append(order, line)
				}
				st := m.stops(t, call(t, text))
				if from == "careful" || n > 0 {
					count[n][1]++
					if st {
						count[n][0]++
					}
				}
				res[line] = append(res[line], st)
			}
		})
	}
	for _, l := range order {
		s := ""
		for _, b := range res[l] {
			s += map[bool]string{true: "X", false: "."}[b]
		}
		fmt.Println("P", s, l)
	}
	if os.Getenv("PROBEWHY") != "" {
		m := newMachine(t, "strict")
		for _, l := range order {
			v, _ := m.judge(m.event("w", "Bash", map[string]any{"command": strings.ReplaceAll(l, home, m.home)}), false)
			fmt.Println("P WHY", l, v.Decision, v.Reason)
		}
	}
	fmt.Println("P COUNT", count)
}
