package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/idle"
	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/mcp/proxy"
	"github.com/trammel-dev/trammel/mcp/web"
)

func mcpProxyCmd() *cobra.Command {
	var name, url, listen string
	cmd := &cobra.Command{Use: "proxy [--name N] [--listen ADDRESS] {--url URL | -- COMMAND ARGS…}", Args: cobra.ArbitraryArgs}
	cmd.Flags().StringVar(&name, "name", "", "what the client calls the server (default: the name of its program)")
	cmd.Flags().StringVar(&url, "url", "", "the address of a server that is reached over HTTP")
	cli.AddressFlag(cmd.Flags(), &listen, "listen", "",
		"where clients reach the proxy over HTTP, such as 127.0.0.1:3900 (default: stdin and stdout)")
	cmd.Flags().Bool("wired", false, "set by trammel init")
	_ = cmd.Flags().MarkHidden("wired")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case (url == "") == (len(args) == 0):
			return cli.Usagef("expected exactly one server: give its address with --url, or its command after --")
		case name == "" && url != "":
			name = "remote"
		case name == "":
			name = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		}
		if _, err := web.NewUpstream(url); url != "" && err != nil {
			return cli.Usagef("--url: %w", err)
		}
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		cli.StaySmall(40 << 20)
		p, err := cli.Program()
		if err != nil {
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // stdin also ends when the client is gone
		p.Ending = ctx
		policy := proxy.NewPolicy(p, dir)
		if err := policy.Expect(ctx, name); err != nil {
			fmt.Fprintf(os.Stderr, "trammel: calls that hooks also see are counted twice: %v\n", err)
		}
		server, program := pin.Remote(name, url), func() string { return "" }
		if url == "" {
			server, program = pin.Command(name, args), pin.Program(args, exec.LookPath)
		}
		keeper := idle.Keeper{After: 20 * time.Second, Do: idle.GiveBack}
		newSession := func() *proxy.Session {
			s := &proxy.Session{ID: proxy.NewID(), Name: name, Dir: dir, Judge: policy, Settings: policy.Settings(name), Busy: keeper.Busy}
			s.Pins = policy.Watch(server, program, s.Pinning)
			return s
		}
		keeper.Busy()
		run := web.Proxy{NewSession: newSession, URL: url, Listen: listen, Args: args, Env: os.Environ(), In: os.Stdin, Out: os.Stdout,
			Err: os.Stderr}
		code, err := run.Run(ctx)
		if err != nil || code == 0 {
			return err
		}
		return cli.Exit(code)
	}
	return cmd
}
