package evidence

import (
	"strings"
	"testing"
)

func TestIsHex(t *testing.T) {
	for c := range 256 {
		want := strings.Contains("0123456789abcdef", string([]byte{byte(c)}))
		if got := isHex([]byte{'0', byte(c), 'f'}); got != want {
			t.Errorf("%q: %v", rune(c), got)
		}
	}
}
