package main

import (
	"context"
	"fmt"
	"os"

	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/web"
)

// mcpOverHTTP stands between a server behind a URL and clients on stdin and
// stdout, or on an address.
func mcpOverHTTP(ctx context.Context, url, listen string, newSession func() *proxy.Session) error {
	up, err := web.NewUpstream(url)
	if err != nil {
		return err
	}
	if up.Header, err = web.HeadersFromEnv(os.Environ()); err != nil {
		return err
	}
	s := newSession()
	if s.MaxMessage > 0 {
		up.Max = s.MaxMessage
	}
	if listen == "" {
		bridge := web.Bridge{Upstream: up, Session: s, In: os.Stdin, Out: os.Stdout}
		return bridge.Run(ctx)
	}
	l, err := web.Listen(listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "trammel: clients reach %s at http://%s%s\n", s.Name, l.Addr(), up.Path())
	relay := web.Relay{Upstream: up, NewSession: newSession}
	return relay.Serve(ctx, l)
}
