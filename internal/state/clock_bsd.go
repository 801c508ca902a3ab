//go:build unix && !linux

package state

import "golang.org/x/sys/unix"

const clock = unix.CLOCK_MONOTONIC
