package desktop

import (
	"strings"
	"testing"
)

// What is told is never part of a script.
func TestTextIsData(t *testing.T) {
	const title, text = `"; do shell script "x`, `'; rm -rf /`
	for _, system := range []string{"darwin", "windows", "linux"} {
		for i, arg := range command(system, title, text) {
			if strings.Contains(arg, "rm -rf") && arg != text {
				t.Errorf("%s: argument %d is %q", system, i, arg)
			}
		}
	}
}
