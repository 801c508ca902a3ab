// Package pause waits, but not after the context has ended.
package pause

import (
	"context"
	"time"
)

// For waits. It returns false if ctx ends first.
func For(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
