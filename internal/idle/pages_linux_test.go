package idle

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// resident is how much memory this process has, of its own and of files, in KiB.
// What /proc/self/status says is not exact.
func resident(t *testing.T) (own, file int) {
	text, err := os.ReadFile("/proc/self/smaps_rollup")
	if err != nil {
		t.Skip(err)
	}
	number := func(name string) (n int) {
		_, rest, _ := strings.Cut(string(text), "\n"+name+":")
		if _, err := fmt.Sscan(rest, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	own = number("Anonymous")
	return own, number("Rss") - own
}

// MCP-80: garbage and pages of the program's file are given back.
func TestGiveBack(t *testing.T) {
	garbage := make([]byte, 64<<20)
	for i := range garbage {
		garbage[i] = 1
	}
	own, file := resident(t)
	runtime.KeepAlive(garbage)
	GiveBack()
	if ownNow, fileNow := resident(t); ownNow > own-50<<10 || fileNow > file*3/4 {
		t.Errorf("%d KiB of its own and %d of files before, %d and %d after", own, file, ownNow, fileNow)
	}
}
