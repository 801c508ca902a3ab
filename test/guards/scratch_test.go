package guards

import (
	"os"
	"strings"
	"testing"
	"fmt"
)

func TestScratch(t *testing.T) {
	for n, preset := range []string{"careful", "standard", "strict"} {
		m := newMachine(t, preset)
		for _, set := range strings.Fields(os.Getenv("SETS")) {
			stopped, all := 0, 0
			groups := map[string][2]int{}
			for _, line := range setLines(t, set) {
				from, rest, _ := strings.Cut(line, " ")
				goal, text, _ := strings.Cut(rest, " ")
				if from == "standard" && n == 0 {
					continue
				}
				g := groups[goal]
				g[1]++
				all++
				if m.stops(t, call(t, text)) {
					stopped++
					g[0]++
				} else {
					fmt.Printf("%s MISS %s %s: %s\n", preset, set, goal, text)
				}
				groups[goal] = g
			}
			fmt.Printf("%s SUM %s %d of %d = %.1f %% %v\n", preset, set, stopped, all, 100*float64(stopped)/float64(all), groups)
			stopped, all = 0, 0
			for _, line := range setLines(t, set+"-harmless") {
				all++
				if m.stops(t, call(t, line)) {
					stopped++
					fmt.Printf("%s ALARM %s: %s\n", preset, set, line)
				}
			}
			fmt.Printf("%s SUMALARM %s %d of %d\n", preset, set, stopped, all)
		}
	}
}
