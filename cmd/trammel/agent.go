package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/agent"
	"github.com/trammel-dev/trammel/agent/planner"
	"github.com/trammel-dev/trammel/agent/sample"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/files"
)

func agentCmd() *cobra.Command {
	var env string
	cmd := &cobra.Command{Use: "agent", Args: cobra.NoArgs}
	dir := cmd.Flags().String("dir", "", "the directory in which to look for the repository (default: the current one)")
	cli.VariableFlag(cmd.Flags(), &env, "env", "TRAMMEL_ENVIRONMENT", "the environment: dev, staging, prod, …")
	cmd.AddCommand(agentRun(), agentInit())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		root, hooks, err := repository(*dir)
		if err != nil {
			return err
		}
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // the write returns an error instead, so that the session is stopped properly
		err = (&agent.Runtime{Root: root, Hooks: hooks, Environment: env}).Serve(ctx, os.Stdin, os.Stdout)
		if errors.Is(err, context.Canceled) {
			return cli.Exit(130)
		}
		return err
	}
	return cmd
}

func agentRun() *cobra.Command {
	e := &planner.Endpoint{}
	p := &planner.Planner{}
	var scripted, env string
	cmd := &cobra.Command{Use: "run PROMPT", Args: cobra.ExactArgs(1)}
	asJSON, dir := cli.JSONFlag(cmd), cli.DirFlag(cmd)
	f := cmd.Flags()
	cli.VariableFlag(f, &env, "env", "TRAMMEL_ENVIRONMENT", "the environment: dev, staging, prod, …")
	f.StringVar(&scripted, "scripted", "", "a file with the model's replies, instead of a model")
	f.StringVar(&e.API, "api", "openai", "the API of the endpoint: openai or anthropic")
	f.StringVar(&e.URL, "url", "", "the base URL of the endpoint (default: the provider's own)")
	f.StringVar(&e.Model, "model", "", "the name of the model")
	f.StringVar(&e.KeyEnv, "key-env", "", "the variable that holds the key of the endpoint")
	f.Int64Var(&e.MaxTokens, "max-tokens", 4096, "the maximum number of tokens in one reply")
	f.IntVar(&p.Rounds, "rounds", planner.DefaultRounds, "how often the model may be asked")
	f.Int64Var(&p.Tokens, "tokens", planner.DefaultTokens, "how many tokens the whole run may use")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		root, hooks, err := repository(*dir)
		if err != nil {
			return err
		}
		if p.Model, err = chooseModel(e, scripted); err != nil {
			return err
		}
		p.Runtime = &agent.Runtime{Root: root, Hooks: hooks, Environment: env}
		p.Progress = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		out, err := p.Run(ctx, args[0])
		if out == nil {
			return err
		}
		if *asJSON {
			err = errors.Join(err, cli.JSON(cmd.OutOrStdout(), out))
		} else {
			printOutcome(cmd, out)
		}
		if err == nil && out.Denied != "" {
			return cli.Exit(2)
		}
		return err
	}
	return cmd
}

func chooseModel(e *planner.Endpoint, scripted string) (planner.Model, error) {
	switch {
	case scripted != "":
		script, err := files.Named(scripted)
		if err != nil {
			return nil, err
		}
		return planner.NewScripted(script)
	case e.API != "openai" && e.API != "anthropic":
		return nil, cli.Usagef("unknown --api %q, expected openai or anthropic", e.API)
	case e.Model == "":
		return nil, cli.Usagef("no model was given: use --model and --key-env, or --scripted FILE")
	}
	return e, nil
}

func printOutcome(cmd *cobra.Command, out *planner.Outcome) {
	w := cmd.OutOrStdout()
	if out.Denied != "" {
		fmt.Fprintln(w, "the hooks blocked the prompt:", out.Denied)
	}
	if out.Text != "" {
		fmt.Fprintln(w, out.Text)
	}
	if s := out.Session; s != nil {
		fmt.Fprintf(w, "session %s: %d rounds, %d tokens, changed %v, used %v\n", s.SessionID, out.Rounds, out.Tokens, s.ChangedFiles,
			s.AbilitiesUsed)
		for _, line := range s.Warnings {
			fmt.Fprintln(w, "warning:", line)
		}
	}
}

func agentInit() *cobra.Command {
	cmd := &cobra.Command{Use: "init DIR", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		names, err := sample.Write(args[0])
		if err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]any{"wrote": names}, "wrote %s\nTry it: cd %s && git init -q && git add . && "+
			"git commit -qm sample && trammel trust && trammel agent run --scripted scripted.jsonl \"Write a note.\"\n",
			strings.Join(names, "\nwrote "), args[0])
	}
	return cmd
}
