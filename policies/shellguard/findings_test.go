package shellguard

import (
	"slices"
	"strings"
	"testing"
)

// What each command is found to be, warnings as well, and what its harmless
// neighbours are not.
func TestFindings(t *testing.T) {
	g, m := careful(t), shop()
	for _, line := range lines(t, "findings.txt") {
		want, command, _ := strings.Cut(line, " ")
		var codes []string
		for _, f := range g.ask(m, command).Findings {
			if !strings.HasPrefix(f.Code, "unknown_") {
				codes = append(codes, f.Code)
			}
		}
		slices.Sort(codes)
		got := strings.Join(slices.Compact(codes), ",")
		if want != "-" && got != want || want == "-" && got != "" {
			t.Errorf("%s %s\n\twant %s", got, command, want)
		}
	}
}
