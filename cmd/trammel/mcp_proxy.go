package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/mcp/proxy"
)

func mcpProxyCmd() *cobra.Command {
	var name string
	cmd := &cobra.Command{Use: "proxy [--name N] -- COMMAND ARGS…", Args: cobra.ArbitraryArgs}
	cmd.Flags().StringVar(&name, "name", "", "what the client calls the server (default: the name of its program)")
	cmd.Flags().Bool("wired", false, "set by trammel init")
	_ = cmd.Flags().MarkHidden("wired")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New("there is no server: write its command after --")
		}
		if name == "" {
			name = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0]))
		}
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		p, err := program()
		if err != nil {
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // a client that has gone ends stdin, too
		p.Ending = ctx
		policy := proxy.NewPolicy(p, dir)
		s := &proxy.Session{ID: proxy.NewID(), Name: name, Dir: dir, Judge: policy, Settings: policy.Settings(name)}
		s.Pins = &pin.Watch{Store: pin.Store{State: p.State}, Server: pin.Command(name, args, exec.LookPath),
			Options: pin.Options{Mode: pin.Mode(s.Pinning)}}
		run := proxy.Stdio{Session: s, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Args: args, Env: proxy.Environment(s.Env)}
		code, err := run.Run(ctx)
		if err != nil || code == 0 {
			return err
		}
		return exit(code)
	}
	return cmd
}
