//go:build unix

package state

import "syscall"

// A symbolic link is refused, and a pipe is not waited for.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
