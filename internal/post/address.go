package post

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/trammel-dev/trammel/internal/loopback"
)

// Address is where calls go.
type Address struct {
	url    url.URL
	socket string // of a server on this machine
}

// Parse reads a URL. One with a password is refused: it would be in a file, and
// in every message about it.
func Parse(text string) (*Address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("the URL is not valid") // its own error would repeat it
	}
	switch {
	case u.User != nil:
		return nil, fmt.Errorf("the URL of %s contains a user or a password", u.Host)
	case u.Fragment != "":
		return nil, fmt.Errorf("the URL of %s has a fragment, which no server sees", u.Host)
	case u.Scheme == "unix":
		socket, path, _ := strings.Cut(u.Path, ":")
		if u.Host != "" || !strings.HasPrefix(socket, "/") {
			return nil, errors.New("a socket is written as unix:///path/of/socket or unix:///path/of/socket:/path/on/server")
		}
		return &Address{url: url.URL{Scheme: "http", Host: "localhost", Path: "/" + strings.TrimPrefix(path, "/"), RawQuery: u.RawQuery},
			socket: socket}, nil
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("the scheme is %q, expected https, http or unix", u.Scheme)
	case u.Hostname() == "":
		return nil, errors.New("the URL names no host")
	}
	return &Address{url: *u}, nil
}

// String is the server's address without the query, which may contain secrets.
func (a *Address) String() string {
	if a.socket != "" {
		return "unix://" + a.socket
	}
	return a.url.Scheme + "://" + a.url.Host + a.url.Path
}

// Exposed reports whether the request could be read in transit.
func (a *Address) Exposed() bool {
	return a.url.Scheme != "https" && a.socket == "" && !loopback.Is(a.url.Hostname())
}

// errPrivate is the error of a client that may only use public addresses.
var errPrivate = errors.New("it is an address of this machine or of a private network")

// public refuses private addresses: of this machine, of private networks, of
// the cloud's metadata service. It checks the address that is really dialed, so
// a name cannot hide one.
func public(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%s: %w", address, errPrivate)
	}
	ip := at.Addr().Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || reserved(ip) {
		return fmt.Errorf("%s: %w", ip, errPrivate)
	}
	return nil
}

// reserved are ranges that the standard library counts as public: of carriers
// (100.64/10), of tests and protocols, and IPv6 forms that carry an IPv4
// address inside.
func reserved(ip netip.Addr) bool {
	for _, text := range [...]string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "64:ff9b::/96",
		"64:ff9b:1::/48", "2002::/16", "2001::/32", "fec0::/10"} {
		if netip.MustParsePrefix(text).Contains(ip) {
			return true
		}
	}
	return false
}
