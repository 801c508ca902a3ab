package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/trammel-dev/trammel/mcp/proxy"
)

// Proxy is one proxy with its server, which is a program or behind a URL, and its
// clients, which are on two streams or reach it over HTTP.
type Proxy struct {
	NewSession func() *proxy.Session
	URL        string   // of the server
	Args       []string // the server's program and its arguments, if it has no URL
	Listen     string   // where clients reach it, "" for one client on In and Out
	Env        []string
	In         io.Reader
	Out, Err   io.Writer
}

// Run runs it until its client or its server ends, or the context does. The code
// is that of a server that is a program.
func (p *Proxy) Run(ctx context.Context) (code int, err error) {
	switch {
	case p.URL != "":
		return 0, p.remote(ctx)
	case p.Listen != "":
		return 0, p.programs(ctx)
	}
	return p.program(ctx, p.NewSession(), p.In, p.Out)
}

func (p *Proxy) program(ctx context.Context, s *proxy.Session, in io.Reader, out io.Writer) (int, error) {
	run := proxy.Stdio{Session: s, In: in, Out: out, Err: p.Err, Args: p.Args, Env: proxy.Environment(s.Env)}
	return run.Run(ctx)
}

// programs lets HTTP clients reach a server that is a program: each client has
// its own process.
func (p *Proxy) programs(ctx context.Context) error {
	s := p.NewSession()
	gate, err := p.gate(s)
	if err != nil {
		return err
	}
	front := Front{Path: "/mcp", Max: s.Max(), Gate: gate, NewSession: p.NewSession}
	front.Run = func(ctx context.Context, s *proxy.Session, _ http.Header, in io.Reader, out io.Writer) {
		if _, err := p.program(ctx, s, in, out); err != nil {
			fmt.Fprintln(p.Err, "trammel:", err)
		}
	}
	return p.serve(ctx, s, front.Path, front.Serve)
}

// remote is the proxy for a server behind a URL.
func (p *Proxy) remote(ctx context.Context) error {
	up, err := NewUpstream(p.URL)
	if err != nil {
		return err
	}
	if up.Header, err = headersFromEnv(p.Env); err != nil {
		return err
	}
	s := p.NewSession()
	up.Max = s.Max()
	if p.Listen == "" {
		bridge := Bridge{Upstream: up, Session: s, In: p.In, Out: p.Out}
		return bridge.Run(ctx)
	}
	relay := Relay{Upstream: up, NewSession: p.NewSession}
	if relay.Gate, err = p.gate(s); err != nil {
		return err
	}
	return p.serve(ctx, s, up.Path(), relay.Serve)
}

// serve prints the address for clients, and serves them there.
func (p *Proxy) serve(ctx context.Context, s *proxy.Session, path string, serve func(context.Context, net.Listener) error) error {
	l, err := Listen(p.Listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Err, "trammel: clients reach %s at http://%s%s\n", s.Name, l.Addr(), path)
	return serve(ctx, l)
}

// gate decides who may use the proxy; nil if clients need no token of ours.
func (p *Proxy) gate(s *proxy.Session) (*Gate, error) {
	if s.Auth != "resource" {
		return nil, nil
	}
	if s.AuthorizationServer != "" {
		return newIssuerGate(s.AuthorizationServer, s.Audience)
	}
	token, _ := variable("TRAMMEL_MCP_TOKEN", p.Env)
	if token, err := expanded(token, p.Env); err != nil || token != "" {
		return &Gate{Token: token}, err
	}
	return nil, errors.New("`auth: resource` needs the `authorization_server` that signs tokens for clients, " +
		"or the token that clients have to send, in TRAMMEL_MCP_TOKEN")
}
