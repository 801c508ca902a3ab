package web

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/trammel-dev/trammel/internal/loopback"
)

// Listen opens the address that clients reach. Only this machine can connect:
// every client has the rights of the proxy.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, errors.New("the address to listen on is not HOST:PORT")
	}
	if !loopback.Is(host) {
		return nil, errors.New("the proxy listens only on this machine: 127.0.0.1, [::1] or localhost")
	}
	return loopback.Listen(address)
}

// local refuses requests that a web page makes a browser send: they have the
// page's Origin, or a host name that was pointed at this machine (MCP-61).
func local(r *http.Request) bool {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if !loopback.Is(strings.Trim(host, "[]")) {
		return false
	}
	for _, origin := range r.Header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || !loopback.Is(u.Hostname()) {
			return false
		}
	}
	return true
}
