package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// use.md, friction 6: a table fits the terminal; what is short stays whole.
func TestTableFits(t *testing.T) {
	rows := [][]string{{"ID", "DOES", "SOURCE"}, {"short", strings.Repeat("ä", 90), strings.Repeat("s", 50)}, {"x", "y"}}
	for _, width := range []int{0, 40, 80, 120, 500} {
		got := fit(rows, width)
		if got[1][0] != "short" || len(got[2]) != 2 {
			t.Errorf("at %d: %q", width, got)
		}
		wide := 2 * columnGap
		for _, cell := range got[1] {
			wide += utf8.RuneCountInString(cell)
		}
		switch whole := wide == 5+90+50+2*columnGap; {
		case whole != (width == 0 || width == 500):
			t.Errorf("at %d: %d columns", width, wide)
		case !whole && (wide > width || !strings.HasSuffix(got[1][1], "…")):
			t.Errorf("at %d: %d columns, %q", width, wide, got[1])
		}
	}
	if got := fit([][]string{{"abcdefghij", "abcdefghij"}}, 3); got[0][0] != "abcdefg…" {
		t.Errorf("cut to nothing: %q", got)
	}
}
