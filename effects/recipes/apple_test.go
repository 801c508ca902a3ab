package recipes

import (
	"strings"
	"testing"
)

// What follows a text that becomes too long is still there to be read.
func TestFoldAppleForgetsNothing(t *testing.T) {
	script := "set a to \"" + strings.Repeat("x", 10_000) + "\"\n" + strings.Repeat("a\n", 2_000) + `do shell script "rm x"`
	if folded := FoldApple(script); !strings.HasSuffix(folded, `do shell script "rm x"`) {
		t.Errorf("it ends with %q", folded[len(folded)-40:])
	} else if len(folded) > 8*len(script)+1<<16 {
		t.Errorf("%d bytes became %d", len(script), len(folded))
	}
	if got := FoldApple(`set a to "rm" & " x"` + "\ndo shell script a & \" y\""); !strings.HasSuffix(got, `do shell script "rm x y"`) {
		t.Error(got)
	}
}
