package plural

import (
	"testing"
	"time"
)

func TestOf(t *testing.T) {
	for want, got := range map[string]string{"1 record": Of(1, "record"), "0 records": Of(0, "record"), "2 records": Of(2, "record"),
		"3 entries": Of(3, "entry", "entries")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTook(t *testing.T) {
	for want, got := range map[string]string{"1200 µs": Took(1200 * time.Microsecond), "15 ms": Took(15 * time.Millisecond),
		"2500 ms": Took(2500 * time.Millisecond), "90 s": Took(90 * time.Second)} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
