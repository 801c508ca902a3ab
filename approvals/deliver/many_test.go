package deliver_test

import (
	"testing"
	"time"
)

// Hundreds of requests that wait are told, and looking at them again is quick.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	o := newOffice(t, "webhook")
	for range 300 {
		o.ask()
	}
	o.rounds(1)
	if n := len(o.there.Calls("/hook")); n != 300 {
		t.Errorf("%d of 300 were told", n)
	}
	start := time.Now()
	o.rounds(1)
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("looking took %s", took)
	}
}
