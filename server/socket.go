package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
)

// socketFile is where the socket of a state directory is. Only its owner can
// reach it; a socket in another place is for all users of the machine.
func socketFile(state string) string { return filepath.Join(state, "server.sock") }

// listenSocket makes the socket. A socket of a killed server is removed; one
// that is in use is not.
func listenSocket(path string, mode os.FileMode) (net.Listener, error) {
	if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
		c.Close()
		return nil, fmt.Errorf("%s: another server is using this socket", path)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, mode); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return peers{l}, nil
}

// peers accepts only connections whose user the system knows.
type peers struct{ net.Listener }

// peerConn is a connection with its user.
type peerConn struct {
	net.Conn
	uid int
}

func (p peers) Accept() (net.Conn, error) {
	for {
		c, err := p.Listener.Accept()
		if err != nil {
			return nil, err
		}
		uid, err := peerOf(c.(*net.UnixConn))
		if err == nil {
			return &peerConn{c, uid}, nil
		}
		c.Close()
	}
}

// withPeer stores the user of a connection for its requests.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	if p, ok := c.(*peerConn); ok {
		return auth.WithPeer(ctx, p.uid)
	}
	return ctx
}
