package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/web"
)

func mcpProxyCmd() *cobra.Command {
	var name, url, listen string
	cmd := &cobra.Command{Use: "proxy [--name N] [--listen ADDRESS] {--url URL | -- COMMAND ARGS…}", Args: cobra.ArbitraryArgs}
	cmd.Flags().StringVar(&name, "name", "", "what the client calls the server (default: the name of its program)")
	cmd.Flags().StringVar(&url, "url", "", "the address of a server that is reached over HTTP")
	cmd.Flags().StringVar(&listen, "listen", "", "where clients reach the proxy over HTTP, as 127.0.0.1:3900 (default: stdin and stdout)")
	cmd.Flags().Bool("wired", false, "set by trammel init")
	_ = cmd.Flags().MarkHidden("wired")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case (url == "") == (len(args) == 0):
			return errors.New("there has to be one server: write its address after --url, or its command after --")
		case name == "" && url != "":
			name = "remote"
		case name == "":
			name = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		}
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		p, err := cli.Program()
		if err != nil {
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a client that has gone ends stdin, too
		p.Ending = ctx
		policy := proxy.NewPolicy(p, dir)
		if err := policy.Expect(ctx, name); err != nil {
			fmt.Fprintf(os.Stderr, "trammel: calls that hooks see, too, count twice: %v\n", err)
		}
		server := pin.Command(name, args, exec.LookPath)
		if url != "" {
			server = pin.Remote(name, url)
		}
		newSession := func() *proxy.Session {
			s := &proxy.Session{ID: proxy.NewID(), Name: name, Dir: dir, Judge: policy, Settings: policy.Settings(name)}
			s.Pins = &pin.Watch{Store: pin.Store{State: p.State}, Server: server, Options: pin.Options{Mode: pin.Mode(s.Pinning)}}
			return s
		}
		if url != "" {
			return mcpOverHTTP(ctx, url, listen, newSession)
		}
		start := func(ctx context.Context, in io.Reader, out io.Writer) (int, error) {
			s := newSession()
			run := proxy.Stdio{Session: s, In: in, Out: out, Err: os.Stderr, Args: args, Env: proxy.Environment(s.Env)}
			return run.Run(ctx)
		}
		if listen != "" {
			return mcpProgramOverHTTP(ctx, listen, newSession(), start)
		}
		code, err := start(ctx, os.Stdin, os.Stdout)
		if err != nil || code == 0 {
			return err
		}
		return cli.Exit(code)
	}
	return cmd
}

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
	relay := web.Relay{Upstream: up, NewSession: newSession}
	if relay.Token, err = mcpToken(s); err != nil {
		return err
	}
	l, err := mcpListen(listen, s, up.Path())
	if err != nil {
		return err
	}
	return relay.Serve(ctx, l)
}

// mcpProgramOverHTTP lets clients reach a server over HTTP that is a program.
// Each client has one of its own. s is a session like theirs.
func mcpProgramOverHTTP(ctx context.Context, listen string, s *proxy.Session,
	start func(ctx context.Context, in io.Reader, out io.Writer) (int, error)) (err error) {
	front := web.Programs(func(ctx context.Context, in io.Reader, out io.Writer) {
		if _, err := start(ctx, in, out); err != nil {
			fmt.Fprintln(os.Stderr, "trammel:", err)
		}
	})
	front.Max = cmp.Or(s.MaxMessage, front.Max)
	if front.Token, err = mcpToken(s); err != nil {
		return err
	}
	l, err := mcpListen(listen, s, front.Path)
	if err != nil {
		return err
	}
	return front.Serve(ctx, l)
}

func mcpListen(address string, s *proxy.Session, path string) (net.Listener, error) {
	l, err := web.Listen(address)
	if err == nil {
		fmt.Fprintf(os.Stderr, "trammel: clients reach %s at http://%s%s\n", s.Name, l.Addr(), path)
	}
	return l, err
}

// mcpToken is what clients have to send, "" if they need nothing of ours.
func mcpToken(s *proxy.Session) (string, error) {
	token := os.Getenv("TRAMMEL_MCP_TOKEN")
	switch {
	case s.Auth != "resource":
		return "", nil
	case token == "":
		return "", errors.New("`auth: resource` needs the token that clients have to send, in TRAMMEL_MCP_TOKEN")
	}
	return token, nil
}
