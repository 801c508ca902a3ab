// Package pause waits, but not for longer than anybody wants the result.
package pause

import (
	"context"
	"time"
)

// For waits. It reports false if ctx has ended meanwhile.
func For(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
