package idle

import (
	"testing"
	"time"
)

// It is done once each time that nothing happens any more.
func TestKeeper(t *testing.T) {
	done := make(chan bool, 10)
	k := Keeper{After: time.Millisecond, Do: func() { done <- true }}
	for range 3 {
		for range 1000 {
			k.Busy()
		}
		select {
		case <-done:
		case <-time.After(30 * time.Second):
			t.Fatal("nothing was done")
		}
	}
}
