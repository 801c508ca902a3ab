//go:build unix

package proxy

import (
	"io"
	"os"
	"os/signal"
	"syscall"
)

func init() {
	ends["the proxy is told to end"] = func(proxy *os.Process, _ io.Closer, _ *os.Process) { proxy.Signal(syscall.SIGTERM) }
}

// apart reports whether a server is in a group of its own.
func apart(server *os.Process) bool {
	group, err := syscall.Getpgid(server.Pid)
	return err == nil && group == server.Pid && group != syscall.Getpgrp()
}

// gone reports whether nothing is left of a server's group.
func gone(started []*os.Process) bool { return syscall.Kill(-started[0].Pid, 0) != nil }

// stubborn makes us stay although we are told to end.
func stubborn() { signal.Ignore(syscall.SIGTERM) }
