package desk

import (
	"context"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
)

// How long a call waits: block as long as its hook may take, the others no longer than hold.
func TestPatience(t *testing.T) {
	const hook, none = time.Hour, time.Duration(0)
	for _, c := range []struct {
		mode    string
		hold    time.Duration
		limit   time.Duration // of the hook
		min, to time.Duration // how long it waits; none is without an end
	}{
		{"block", time.Minute, hook, 50 * time.Minute, hook},
		{"auto", time.Minute, hook, 50 * time.Second, time.Minute},
		{"auto", 2 * hook, hook, 50 * time.Minute, hook},
		{"auto", time.Minute, none, 50 * time.Second, time.Minute},
		{"block", time.Minute, none, none, none},
	} {
		ctx, stop := context.Background(), context.CancelFunc(func() {})
		if c.limit != none {
			ctx, stop = context.WithTimeout(ctx, c.limit)
		}
		waiting, end := patience(ctx, &approvals.Terms{Mode: c.mode, Hold: c.hold})
		until, bounded := waiting.Deadline()
		if left := time.Until(until); bounded != (c.to != none) || bounded && (left < c.min || left > c.to) {
			t.Errorf("%+v: it waits %s, %t", c, left, bounded)
		}
		end()
		stop()
	}
}
