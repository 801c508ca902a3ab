//go:build unix && !linux

package procgroup

import "syscall"

// EndWithParent does nothing: these systems have nothing of the kind.
func EndWithParent(*syscall.SysProcAttr) {}
