package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/agent"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

func agentCmd() *cobra.Command {
	var env string
	cmd := &cobra.Command{Use: "agent", Args: cobra.NoArgs}
	dir := cmd.Flags().String("dir", "", "the directory to look for the repository from (default: the current one)")
	cmd.Flags().StringVar(&env, "env", os.Getenv("TRAMMEL_ENVIRONMENT"), "the environment: dev, staging, prod, …")
	cmd.AddCommand(agentRun(), agentInit())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		at, err := filepath.Abs(*dir)
		if err != nil {
			return err
		}
		root := tasks.Root(at)
		hooks, err := repohooks.New(root)
		if err != nil {
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // the write's error says it, and the session is still stopped
		err = (&agent.Runtime{Root: root, Hooks: hooks, Environment: env}).Serve(ctx, os.Stdin, os.Stdout)
		if errors.Is(err, context.Canceled) {
			return cli.Exit(130)
		}
		return err
	}
	return cmd
}
