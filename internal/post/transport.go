package post

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"syscall"
)

// DialPublic connects to public addresses only.
func DialPublic(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: DefaultConnect, Control: publicOnly}
	return dialer.DialContext(ctx, network, address)
}

func publicOnly(_, address string, _ syscall.RawConn) error { return public(address) }

// transport makes the connections of one call. They are bound to its context,
// so that none outlives it. TLS is always verified. A proxy is used only for
// https: it sees only the name of the server.
func (c *Client) transport(ctx context.Context, at *Address) *http.Transport {
	limit := cmp.Or(c.Connect, DefaultConnect)
	dialer := net.Dialer{Timeout: limit}
	if c.Public {
		dialer.Control = publicOnly
	}
	dial := func(_ context.Context, network, address string) (net.Conn, error) {
		if at.socket != "" {
			network, address = "unix", at.socket
		}
		return dialer.DialContext(ctx, network, address)
	}
	t := &http.Transport{
		DialContext:            dial,
		DisableKeepAlives:      true,
		TLSHandshakeTimeout:    limit,
		MaxResponseHeaderBytes: 64 << 10,
	}
	t.DialTLSContext = func(_ context.Context, network, address string) (net.Conn, error) {
		bounded, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		conn, err := dialer.DialContext(bounded, network, address)
		if err != nil {
			return nil, err
		}
		secure := tls.Client(conn, c.tls(at))
		if err := secure.HandshakeContext(bounded); err != nil {
			conn.Close()
			return nil, err
		}
		return secure, nil
	}
	if at.url.Scheme == "https" && !c.Public {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}

func (c *Client) tls(at *Address) *tls.Config {
	return &tls.Config{RootCAs: c.roots, ServerName: at.url.Hostname(), MinVersion: tls.VersionTLS12}
}
