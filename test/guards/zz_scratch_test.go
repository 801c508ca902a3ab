package guards

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

func TestScratch(t *testing.T) {
	f, err := os.Open(os.Getenv("SCRATCH"))
	if err != nil {
		t.Skip()
	}
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if s.Text() != "" && s.Text()[0] != '#' {
			lines = append(lines, s.Text())
		}
	}
	out := make([]string, len(lines))
	why := make([]string, len(lines))
	for _, preset := range []string{"careful", "standard", "strict"} {
		m := newMachine(t, preset)
		for i, l := range lines {
			_, l, _ = strings.Cut(l, "\t")
			tool := "Bash"
			if r, ok := strings.CutPrefix(l, "PS "); ok {
				l, tool = r, "PowerShell"
			}
			l = strings.ReplaceAll(strings.ReplaceAll(l, `\n`, "\n"), home, m.home)
			v, err := m.judge(m.event(fmt.Sprint("x", i), tool, map[string]any{"command": l}), false)
			if err != nil {
				t.Fatal(err)
			}
			out[i] += map[trammel.Decision]string{trammel.Deny: "D", trammel.Ask: "A"}[v.Decision]
			if v.Decision <= trammel.Allow {
				out[i] += "-"
			} else if why[i] == "" {
				why[i] = v.Reason
			}
		}
	}
	for i, l := range lines {
		want, _, _ := strings.Cut(l, "\t")
		mark := " "
		switch {
		case want == "x" && out[i][1] == '-', want == "c" && out[i][0] == '-', want == "s" && out[i][2] == '-',
			want == "ok" && out[i][1] != '-', want == "o" && out[i][2] != '-':
			mark = "*"
		}
		fmt.Printf("%s %s %-120s  %.90s\n", mark, out[i], l, strings.ReplaceAll(why[i], "\n", " "))
	}
}
