package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/agent"
	"github.com/trammel-dev/trammel/agent/planner"
	"github.com/trammel-dev/trammel/agent/sample"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

func agentRun() *cobra.Command {
	e := &planner.Endpoint{}
	p := &planner.Planner{}
	var scripted, env string
	cmd := &cobra.Command{Use: "run PROMPT", Args: cobra.ExactArgs(1)}
	asJSON, dir := cli.JSONFlag(cmd), cli.DirFlag(cmd)
	f := cmd.Flags()
	f.StringVar(&env, "env", os.Getenv("TRAMMEL_ENVIRONMENT"), "the environment: dev, staging, prod, …")
	f.StringVar(&scripted, "scripted", "", "a file with the model's replies, instead of a model")
	f.StringVar(&e.API, "api", "openai", "the language of the endpoint: openai or anthropic")
	f.StringVar(&e.URL, "url", "", "the base of the endpoint's addresses (default: the maker's own)")
	f.StringVar(&e.Model, "model", "", "the name of the model")
	f.StringVar(&e.KeyEnv, "key-env", "", "the variable that holds the key of the endpoint")
	f.Int64Var(&e.MaxTokens, "max-tokens", 4096, "the most tokens of one reply")
	f.IntVar(&p.Rounds, "rounds", planner.DefaultRounds, "how often the model is asked at most")
	f.Int64Var(&p.Tokens, "tokens", planner.DefaultTokens, "how many tokens all of it may take")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		at, err := filepath.Abs(*dir)
		if err != nil {
			return err
		}
		if p.Model, err = chooseModel(e, scripted); err != nil {
			return err
		}
		root := tasks.Root(at)
		hooks, err := repohooks.New(root)
		if err != nil {
			return err
		}
		p.Runtime = &agent.Runtime{Root: root, Hooks: hooks, Environment: env}
		p.Progress = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
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
		script, err := os.ReadFile(scripted)
		if err != nil {
			return nil, err
		}
		return planner.NewScripted(script)
	case e.API != "openai" && e.API != "anthropic":
		return nil, fmt.Errorf("unknown --api %q, expected openai or anthropic", e.API)
	case e.Model == "":
		return nil, errors.New("which model? Give --model and --key-env, or --scripted FILE")
	}
	return e, nil
}

func printOutcome(cmd *cobra.Command, out *planner.Outcome) {
	w := cmd.OutOrStdout()
	if out.Denied != "" {
		fmt.Fprintln(w, "the hooks did not let the turn begin:", out.Denied)
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
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		names, err := sample.Write(args[0])
		if err != nil {
			return err
		}
		w := cmd.OutOrStdout()
		for _, name := range names {
			fmt.Fprintln(w, "wrote", name)
		}
		fmt.Fprintf(w, "Try it: cd %s && git init -q && git add . && git commit -qm sample && trammel trust && "+
			"trammel agent run --scripted scripted.jsonl \"Write a note.\"\n", args[0])
		return nil
	}
	return cmd
}
