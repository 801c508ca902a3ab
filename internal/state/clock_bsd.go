//go:build unix && !linux

package state

import (
	"time"

	"golang.org/x/sys/unix"
)

func sinceStart() int64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return time.Now().UnixNano()
	}
	return t.Nano()
}
