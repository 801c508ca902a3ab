//go:build unix && !linux

package procgroup

// keepDescriptors marks every descriptor beyond the first three as not to be
// inherited. Go opens its own that way; those that a careless host left open
// for us would go on to the program.
func keepDescriptors() error { return keepListed("/dev/fd") }
