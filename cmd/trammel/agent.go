package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/agent"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

func agentCmd() *cobra.Command {
	var dir, env string
	cmd := &cobra.Command{
		Use:   "agent",
		Short: "The Agent Runtime: sessions and turns for a planner, over lines of JSON",
		Long: `Speaks lines of JSON on stdin and stdout with a planner in any language: prompts
go through the PromptSubmit hooks, the planner's actions (LIST_ABILITIES,
CREATE_TASK, UPDATE_TASK, RUN_TASK) through the Tool Runner and its hooks, and
the end of the session, which is also the end of stdin, through SessionStop.
docs/agent-protocol.md describes the lines.

Exit codes: 0 stdin has ended; 130 interrupted; 1 nothing reads stdout any more.`,
		Example: `  printf '%s\n' '{"type":"prompt","user_raw_input":"Fix the test."}' '{"type":"action","id":"1","action":"LIST_ABILITIES"}' | trammel agent`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := absolute(dir)
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
				return exit(130)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the directory to look for the repository from (default: the current one)")
	cmd.Flags().StringVar(&env, "env", os.Getenv("TRAMMEL_ENVIRONMENT"), "the environment: dev, staging, prod, …")
	return cmd
}
