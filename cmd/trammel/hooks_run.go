package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/repohooks"
)

// maxContext is the most that is read as a context.
const maxContext = 16 << 20

func hooksRun(dir *string) *cobra.Command {
	var blockingOnly bool
	var bound []string
	cmd := &cobra.Command{Use: "run EVENT", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().BoolVar(&blockingOnly, "blocking-only", false, "run only blocking hooks")
	cmd.Flags().StringArrayVar(&bound, "bind", nil, "the id of a hook that is bound to the ability; may be repeated")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		raw, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxContext))
		if err != nil {
			return err
		}
		event := repohooks.EventType(args[0])
		c, err := repohooks.ReadContext(event, raw)
		if err != nil {
			return fmt.Errorf("the context cannot be used: %w", err)
		}
		runner, err := hookRunner(*dir)
		if err != nil {
			return err
		}
		r, err := runner.RunHooks(cmd.Context(), event, c, blockingOnly, bound...)
		if err != nil {
			if *asJSON { // a runtime that reads only this must stop, too
				err = errors.Join(err, cli.JSON(cmd.OutOrStdout(), repohooks.Refused(event, err)))
			}
			return err
		}
		for _, line := range r.Remarks() {
			fmt.Fprintln(cmd.ErrOrStderr(), "trammel:", line)
		}
		if *asJSON {
			err = cli.JSON(cmd.OutOrStdout(), r)
		} else {
			printHookResult(cmd.OutOrStdout(), r)
		}
		switch {
		case err != nil:
			return err
		case r.Decision == trammel.Deny:
			return cli.Exit(2)
		case r.Decision == trammel.Ask:
			return cli.Exit(3)
		}
		return nil
	}
	return cmd
}

func printHookResult(w io.Writer, r *repohooks.Result) {
	switch r.Decision {
	case trammel.Deny:
		fmt.Fprintf(w, "denied by %s: %s\n", r.HookID, r.Reason)
	case trammel.Ask:
		fmt.Fprintf(w, "%s wants a human to decide: %s\n", r.HookID, r.Reason)
	default:
		fmt.Fprintln(w, "may proceed")
	}
	say := func(what string, lines []string) {
		for _, line := range lines {
			fmt.Fprintf(w, "  %-10s %s\n", what, line)
		}
	}
	if r.Suggestion != "" {
		say("instead", []string{r.Suggestion})
	}
	for _, run := range r.Ran {
		say("ran", []string{strings.TrimSpace(fmt.Sprintf("%s: %s in %d ms %s", run.HookID, run.Status, run.DurationMS, run.Decision))})
	}
	for _, s := range r.Signals {
		say("signal", []string{fmt.Sprintf("%s from %s: %s %s", s.Kind, s.HookID, s.Code, s.Text("reason"))})
	}
	say("warning", r.Warnings)
	for _, e := range r.Errors {
		say("failed", []string{fmt.Sprintf("%s (%s): %s", e.HookID, e.Code, e.Message)})
	}
	say("log", r.Logs)
}
