package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/terminal"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
)

// taskFlags say where and for whom a command of the Tool Runner works.
type taskFlags struct {
	dir, env, source, session, job, by, input string
	asJSON                                    bool
}

func taskCmd() *cobra.Command {
	f := &taskFlags{}
	cmd := &cobra.Command{Use: "task"}
	fl := cmd.PersistentFlags()
	fl.StringVar(&f.dir, "dir", "", "the directory in which to look for the repository (default: the current one)")
	cli.VariableFlag(fl, &f.env, "env", "TRAMMEL_ENVIRONMENT", "the environment: dev, staging, prod, …")
	fl.StringVar(&f.source, "source", "", "the caller: ai_session, background_job, ci_pipeline or manual_cli (default: detected)")
	cli.VariableFlag(fl, &f.session, "session", "TRAMMEL_AGENT_SESSION", "the caller's session")
	fl.StringVar(&f.job, "job", "", "the caller's job")
	fl.StringVar(&f.by, "triggered-by", "", "who or what triggered it")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON")
	cmd.AddCommand(
		f.verb("create ABILITY", cobra.ExactArgs(1), true, f.create),
		f.verb("run KEY", cobra.ExactArgs(1), false, f.run),
		f.verb("get KEY", cobra.ExactArgs(1), false, f.get),
		f.verb("update KEY", cobra.ExactArgs(1), true, f.update),
		f.verb("delete KEY", cobra.ExactArgs(1), false, f.remove),
		f.verb("list", cobra.NoArgs, false, f.list),
		f.verb("direct-run ABILITY", cobra.ExactArgs(1), true, f.directRun),
		f.verb("abilities", cobra.NoArgs, false, f.abilities),
	)
	return cmd
}

type taskVerb func(cmd *cobra.Command, r *tasks.Runner, args []string) error

func (f *taskFlags) verb(use string, args cobra.PositionalArgs, input bool, do taskVerb) *cobra.Command {
	cmd := &cobra.Command{Use: use, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		r, err := f.runner(cmd)
		if err != nil {
			return err
		}
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		cmd.SetContext(ctx)
		return do(cmd, r, args)
	}}
	if input {
		cmd.Flags().StringVar(&f.input, "input", "", "the arguments as a JSON object, @FILE, or - for stdin")
	}
	return cmd
}

func (f *taskFlags) runner(cmd *cobra.Command) (*tasks.Runner, error) {
	root, hooks, err := repository(f.dir)
	if err != nil {
		return nil, err
	}
	present := terminal.Is(os.Stdin) && terminal.Is(os.Stdout)
	source, err := tasks.DetectSource(f.source, cli.AgentMark(), os.Getenv, present)
	if err != nil {
		return nil, err
	}
	r := &tasks.Runner{Root: root, Hooks: hooks, Environment: f.env, Caller: tasks.Caller{Source: source, SessionID: f.session, JobID: f.job,
		TriggeredBy: f.by}}
	program, err := cli.Program()
	if err != nil {
		return nil, err
	}
	if present && source == repohooks.ManualCLI && gate(program.State, nil).NoAgent() == nil {
		hooks.HasPerson = true
		r.Approve = func(q tasks.Question) bool {
			agreed := false
			err := inPerson(program, root, func(p *person) (err error) {
				agreed, err = p.agrees(cmd, q)
				return err
			})
			if err != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "trammel:", cli.Message(err))
			}
			return agreed && err == nil
		}
	}
	if !f.asJSON && terminal.Is(os.Stderr) {
		r.Progress = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "…", text) }
	}
	return r, nil
}

// agrees asks the person at the terminal, who sees exactly what would run, and for
// the authority secret, where one is set.
func (p *person) agrees(cmd *cobra.Command, q tasks.Question) (bool, error) {
	input, err := json.Marshal(q.Input)
	if err != nil {
		return false, err
	}
	args := show.Args(input)
	reason, _ := visible.Text(q.Reason)
	fmt.Fprintf(cmd.OutOrStdout(), "The hooks want a person to decide about %s:\n  %s\nIts arguments are:\n%s\n", visible.Line(q.Ability),
		reason, args.Text)
	for _, remark := range args.Remarks() {
		fmt.Fprintln(cmd.OutOrStdout(), remark)
	}
	defer context.AfterFunc(cmd.Context(), func() { os.Exit(130) })() // nothing else ends a question; nothing has run yet
	answer, err := p.Ask("Run it? [y/N] ", false)
	if err != nil || !strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
		return false, err
	}
	ring, err := approvals.LoadKeyring(p.program.Dirs.State)
	if err != nil || ring.Authority == nil {
		return err == nil, err
	}
	_, err = p.unlock(cmd.Context())
	return err == nil, err
}

// maxTaskInput is the maximum size of a task's arguments.
const maxTaskInput = 1 << 20

func (f *taskFlags) arguments(stdin io.Reader) (map[string]any, error) {
	data := []byte(f.input)
	switch {
	case f.input == "":
		return map[string]any{}, nil
	case f.input == "-":
		read, err := io.ReadAll(io.LimitReader(stdin, maxTaskInput+1))
		if err != nil {
			return nil, err
		}
		data = read
	case f.input[0] == '@':
		file, err := os.Open(f.input[1:])
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if data, err = io.ReadAll(io.LimitReader(file, maxTaskInput+1)); err != nil {
			return nil, err
		}
	}
	if len(data) > maxTaskInput {
		return nil, cli.Usagef("--input has more than %d bytes", maxTaskInput)
	}
	input, err := strict.Object(bytes.TrimSpace(data), strict.Limits{})
	if err != nil {
		return nil, cli.Usagef("--input: %w; expected a JSON object, @FILE, or - for stdin", err)
	}
	return input, nil
}

func (f *taskFlags) create(cmd *cobra.Command, r *tasks.Runner, args []string) error {
	return f.withInput(cmd, args[0], func(ctx context.Context, ability string, input map[string]any) (*tasks.Result, error) {
		return r.Create(ctx, tasks.Request{Ability: ability, Input: input})
	})
}

func (f *taskFlags) update(cmd *cobra.Command, r *tasks.Runner, args []string) error {
	return f.withInput(cmd, args[0], r.Update)
}

func (f *taskFlags) directRun(cmd *cobra.Command, r *tasks.Runner, args []string) error {
	return f.withInput(cmd, args[0], func(ctx context.Context, ability string, input map[string]any) (*tasks.Result, error) {
		return r.DirectRun(ctx, tasks.Request{Ability: ability, Input: input})
	})
}

func (f *taskFlags) run(cmd *cobra.Command, r *tasks.Runner, args []string) error {
	return f.say(cmd, func(ctx context.Context) (*tasks.Result, error) { return r.Run(ctx, args[0]) })
}

// withInput reads the arguments, calls do with them and the name or key of the
// task, and prints the result.
func (f *taskFlags) withInput(cmd *cobra.Command, of string,
	do func(ctx context.Context, of string, input map[string]any) (*tasks.Result, error)) error {
	input, err := f.arguments(cmd.InOrStdin())
	if err != nil {
		return err
	}
	return f.say(cmd, func(ctx context.Context) (*tasks.Result, error) { return do(ctx, of, input) })
}
