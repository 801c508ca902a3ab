package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/tasks"
)

// say prints a result, and turns it into the exit code.
func (f *taskFlags) say(cmd *cobra.Command, do func(context.Context) (*tasks.Result, error)) error {
	result, err := do(cmd.Context())
	switch {
	case errors.Is(err, tasks.ErrBusy):
		result = &tasks.Result{Status: tasks.Busy, Reason: err.Error()}
	case err != nil:
		return err
	}
	err = cli.Tell(cmd.OutOrStdout(), f.asJSON, result, printResult)
	if code := exitOf(result.Status); err == nil && code != 0 {
		return cli.Exit(code)
	}
	return err
}

func exitOf(s tasks.Status) int {
	switch s {
	case tasks.Available, tasks.Success:
		return 0
	case tasks.Failure:
		return 3
	case tasks.Partial:
		return 4
	case tasks.RequiresHuman:
		return 5
	case tasks.Busy:
		return 6
	}
	return 2
}

func printResult(w io.Writer, r *tasks.Result) error {
	row := func(name, text string) {
		if text != "" {
			fmt.Fprintf(w, "%-11s %s\n", name, text)
		}
	}
	row("status", string(r.Status))
	row("task", r.TaskKey)
	row("ability", r.AbilityID)
	row("reason", r.Reason)
	row("suggestion", r.Suggestion)
	for _, v := range r.Violations {
		row("field", v.Field+": "+v.Message)
	}
	if r.Human != nil {
		row("a human", r.Human.How)
	}
	for _, text := range r.Warnings {
		row("warning", text)
	}
	for _, text := range r.Context {
		row("note", text)
	}
	if r.Error != nil {
		row("error", r.Error.Code+": "+r.Error.Message)
	}
	if r.DurationMS != nil {
		row("took", (time.Duration(*r.DurationMS) * time.Millisecond).String())
	}
	if r.Output != nil {
		data, err := json.Marshal(r.Output)
		if err != nil {
			return err
		}
		row("output", string(data))
	}
	return nil
}

func (f *taskFlags) get(cmd *cobra.Command, r *tasks.Runner, args []string) error {
	t, err := r.Get(cmd.Context(), args[0])
	if err != nil {
		return err
	}
	if f.asJSON {
		return cli.JSON(cmd.OutOrStdout(), struct {
			*tasks.Task
			Input map[string]any `json:"input"`
		}{t, t.Input})
	}
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "task        %s\nability     %s\nstate       %s\n", t.Key, t.AbilityID, t.State)
	if t.Reason != "" {
		fmt.Fprintf(w, "reason      %s\n", t.Reason)
	}
	input, err := json.Marshal(t.Input)
	fmt.Fprintf(w, "runs        %d\ninput       %s\n", t.Runs, input)
	return err
}

func (f *taskFlags) remove(cmd *cobra.Command, r *tasks.Runner, args []string) error {
	err := r.Delete(cmd.Context(), args[0])
	if errors.Is(err, tasks.ErrBusy) {
		return f.say(cmd, func(context.Context) (*tasks.Result, error) { return nil, err })
	}
	if err != nil {
		return err
	}
	if f.asJSON {
		return cli.JSON(cmd.OutOrStdout(), map[string]string{"status": "deleted", "task_key": args[0]})
	}
	fmt.Fprintln(cmd.OutOrStdout(), "deleted", args[0])
	return nil
}

func (f *taskFlags) list(cmd *cobra.Command, r *tasks.Runner, _ []string) error {
	list, failed := r.Tasks(cmd.Context())
	if f.asJSON {
		if list == nil {
			list = []*tasks.Task{}
		}
		return errors.Join(cli.JSON(cmd.OutOrStdout(), list), failed)
	}
	rows := [][]string{{"TASK", "ABILITY", "STATE", "RUNS", "UPDATED"}}
	for _, t := range list {
		rows = append(rows, []string{t.Key, t.AbilityID, string(t.State), fmt.Sprint(t.Runs), t.UpdatedAt.Local().Format("01-02 15:04:05")})
	}
	return errors.Join(cli.List(cmd, false, nil, rows, "there are no tasks"), failed)
}

func (f *taskFlags) abilities(cmd *cobra.Command, r *tasks.Runner, _ []string) error {
	list, err := r.List()
	if err != nil {
		return err
	}
	rows := [][]string{{"ID", "TYPE", "ENVIRONMENTS", "SUMMARY"}}
	for _, e := range list {
		environments := cmp.Or(strings.Join(e.Environments, ","), "all")
		rows = append(rows, []string{e.ID, e.Type, environments, cli.Line(e.Summary)})
	}
	return cli.List(cmd, f.asJSON, list, rows, "no abilities are registered below .system/registry; see trammel docs tasks")
}
