package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/mcp/server"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

func mcpCmd() *cobra.Command {
	var dir, env, session, address, tokenEnv, process string
	cmd := &cobra.Command{Use: "mcp", Args: cobra.NoArgs}
	f := cmd.Flags()
	f.StringVar(&dir, "dir", "", "the directory in which to look for the repository (default: the current one)")
	cli.VariableFlag(f, &env, "env", "TRAMMEL_ENVIRONMENT", "the environment: dev, staging, prod, …")
	cli.VariableFlag(f, &session, "session", "TRAMMEL_AGENT_SESSION", "the caller's session")
	cli.AddressFlag(f, &address, "http", "", "the address to listen on, instead of stdin and stdout; clients connect to it at /mcp")
	f.StringVar(&tokenEnv, "token-env", "", "the variable with the token that clients have to send")
	f.StringVar(&process, "process", "", "DIRECTORY: a process that the client may control, as the pack is now")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		root, hooks, err := repository(dir)
		if err != nil {
			return err
		}
		more, err := processTools(process)
		if err != nil {
			return err
		}
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		// Whoever calls a tool over MCP is a model, whatever the environment says.
		s := server.New(tasks.Runner{Root: root, Hooks: hooks, Environment: env,
			Caller: tasks.Caller{Source: repohooks.AISession, SessionID: session}}, cmd.ErrOrStderr(), more...)
		if address == "" {
			if err := s.Stdio(ctx); ctx.Err() == nil {
				return err
			}
			return nil
		}
		token := ""
		if tokenEnv != "" {
			if token = os.Getenv(tokenEnv); token == "" {
				return cli.Usagef("--token-env: %s is not set", tokenEnv)
			}
		}
		return s.Serve(ctx, address, token)
	}
	cmd.AddCommand(mcpProxyCmd(), pinsCmd())
	return cmd
}
