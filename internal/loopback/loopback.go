// Package loopback knows which hosts are this machine.
package loopback

import (
	"net/netip"
	"strings"
)

// Is reports whether a host, by its name or its address, is this machine. No
// name is looked up: only localhost is one.
func Is(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
