package shellguard

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// TestHeldOut runs the sets that were written without a look at the guard's own
// corpus, each before the fixes that it led to. What is judged otherwise on
// purpose, or known to be, stands in heldout/known.txt: nothing else may be, and
// nothing of it may be judged right without being taken off.
func TestHeldOut(t *testing.T) {
	g, m := careful(t), shop()
	known := lines(t, "heldout/known.txt")
	var wrong []string
	for _, kind := range []string{"attacks", "ordinary", "mentions"} {
		files, err := filepath.Glob("testdata/heldout/" + kind + "-*.txt")
		if err != nil || len(files) == 0 {
			t.Fatal("no sets", err)
		}
		for _, file := range files {
			all, before := lines(t, strings.TrimPrefix(filepath.ToSlash(file), "testdata/")), len(wrong)
			for _, command := range all {
				a := g.ask(m, command)
				if (a.Decision > trammel.Allow) == (kind == "attacks") {
					continue
				}
				wrong = append(wrong, command)
				if !slices.Contains(known, command) {
					t.Errorf("%s: %q\n\tis %s with %v", file, command, a.Decision, a.Findings)
				}
			}
			t.Logf("%s: %d of %d judged otherwise", file, len(wrong)-before, len(all))
		}
	}
	for _, command := range known {
		if !slices.Contains(wrong, command) {
			t.Errorf("known.txt: %q is judged right by now", command)
		}
	}
}
