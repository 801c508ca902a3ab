//go:build unix

package state

import (
	"time"

	"golang.org/x/sys/unix"
)

func sinceStart() int64 {
	var t unix.Timespec
	if unix.ClockGettime(clock, &t) != nil {
		return time.Now().UnixNano()
	}
	return t.Nano()
}
