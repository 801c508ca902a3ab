//go:build linux || darwin

package server

import "net"

// peerOf asks the system who is on the other side of a socket.
func peerOf(c *net.UnixConn) (uid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { uid, failed = peerUID(int(fd)) }); err != nil {
		return -1, err
	}
	return uid, failed
}
