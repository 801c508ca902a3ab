package state

import "golang.org/x/sys/unix"

// clock includes the time that the machine slept.
const clock = unix.CLOCK_BOOTTIME
