package state

import (
	"time"

	"golang.org/x/sys/unix"
)

// sinceStart includes the time that the machine slept.
func sinceStart() int64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &t) != nil {
		return time.Now().UnixNano()
	}
	return t.Nano()
}
