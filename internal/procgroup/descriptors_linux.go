package procgroup

import (
	"math"

	"golang.org/x/sys/unix"
)

// keepDescriptors marks every descriptor beyond the first three as not to be
// inherited. Go opens its own that way; those that a careless host left open
// for us would go on to the program.
func keepDescriptors() error {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) == nil {
		return nil
	}
	return keepListed("/proc/self/fd")
}
