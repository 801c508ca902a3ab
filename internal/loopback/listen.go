package loopback

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listen opens an address of this machine. The error says what is wrong with
// the address, and what to do.
func Listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if err == nil {
		return l, nil
	}
	var name *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		err = errors.New("another program is using this port; choose another one")
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		err = errors.New("this machine does not have this address")
	case errors.Is(err, syscall.EACCES):
		err = errors.New("this user may not use this port; choose one above 1023")
	case errors.As(err, &name):
		err = fmt.Errorf("%q is not the name of a host that can be found", name.Name)
	}
	return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
}
