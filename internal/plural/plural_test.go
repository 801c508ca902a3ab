package plural

import "testing"

func TestOf(t *testing.T) {
	for want, got := range map[string]string{"1 record": Of(1, "record"), "0 records": Of(0, "record"), "2 records": Of(2, "record"),
		"3 entries": Of(3, "entry", "entries")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
