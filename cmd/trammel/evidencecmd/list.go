package evidencecmd

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
)

// heading is the heading for rowCells, headingOfAll that of the records of all projects.
var (
	heading      = []string{"SEQ", "TIME", "HOST", "EVENT", "TOOL", "DECISION", "WHAT"}
	headingOfAll = append([]string{"PROJECT"}, heading...)
)

func list(s *cli.Evidence) *cobra.Command {
	cmd := &cobra.Command{Use: "list"}
	asJSON := cli.JSONFlag(cmd)
	return everywhere(cmd, s, func(f evidence.Filter, logs []*cli.Evidence, all bool) error {
		if all {
			return listAll(cmd, logs, f, *asJSON)
		}
		if *asJSON {
			rows := []evidence.Row{}
			err := evidence.List(s.Log, f, func(r evidence.Row) error { rows = append(rows, r); return nil })
			return errors.Join(cli.JSON(cmd.OutOrStdout(), rows), err)
		}
		out := cli.NewColumns(cmd.OutOrStdout(), heading...)
		n := 0
		err := evidence.List(s.Log, f, func(r evidence.Row) error { n++; out.Add(rowCells(&r)); return nil })
		switch {
		case n > 0:
			return errors.Join(out.Flush(), err)
		case err == nil:
			fmt.Fprintf(cmd.OutOrStdout(), "no records of %s match\n", s.Project)
		}
		return err
	})
}

// Recent makes trammel log: the list, at the top level.
func Recent() *cobra.Command {
	s := &cli.Evidence{}
	cmd := list(s)
	cmd.Use = strings.Replace(cmd.Use, "list", "log", 1)
	cmd.Flags().StringVar(&s.Dir, "dir", "", "the project's directory (default: the current one)")
	return cmd
}

func tail(s *cli.Evidence) *cobra.Command {
	var from uint64
	cmd := &cobra.Command{Use: "tail"}
	asJSON := cmd.Flags().Bool("json", false, "print the lines of the log")
	cmd.Flags().Uint64Var(&from, "from", 0, "start with this record (default: the next one)")
	return everywhere(cmd, s, func(f evidence.Filter, logs []*cli.Evidence, all bool) error {
		out := cli.NewColumns(cmd.OutOrStdout(), heading...)
		if all {
			out = cli.NewColumns(cmd.OutOrStdout(), headingOfAll...)
		}
		print := func(e *evidence.Entry, project ...string) error {
			r, err := e.Row()
			if err != nil || !f.Matches(&r) || f.Body != nil && !f.Body(e.Seq, e.Body) {
				return err
			}
			if *asJSON {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s\n", e.Line)
				return err
			}
			out.Add(append(project, rowCells(&r)...))
			return out.Flush()
		}
		switch {
		case all && from > 0:
			return cli.Usagef("--from is the number of a record of one project, and --all is for every project: give one of them")
		case all && len(logs) == 0:
			return nil
		case all:
			return tailAll(cmd.Context(), logs, func(e *evidence.Entry, project string) error { return print(e, cli.Line(project)) })
		}
		if from == 0 {
			last, err := evidence.Last(s.Log)
			if err != nil {
				return err
			}
			from = last.Seq + 1
		}
		return evidence.Tail(cmd.Context(), s.Log, from, func(e evidence.Entry) error { return print(&e) })
	})
}

func rowCells(r *evidence.Row) []string {
	what := r.Summary
	switch {
	case what == "":
		what = cmp.Or(r.Reason, r.Detail)
	case r.Reason != "" && (r.Decision == "deny" || r.Decision == "ask" || strings.HasPrefix(r.Event, "approval.")):
		what += " — " + r.Reason
	}
	return []string{strconv.FormatUint(r.Seq, 10), r.Time.Local().Format("01-02 15:04:05"), r.Host, r.Event, r.Tool, outcome(r),
		cli.Line(what)}
}

// outcome is the outcome of an event, and what hooks on trial would have done.
func outcome(r *evidence.Row) string {
	out := r.Decision
	switch {
	case len(r.Rewrites) == 0:
	case out == "none" || out == "":
		out = "rewrite"
	default:
		out += ", rewrite"
	}
	if r.Error != "" {
		out += " (" + r.Error + ")"
	}
	if len(r.Trials) > 0 {
		words := make([]string, len(r.Trials))
		for i, t := range r.Trials {
			words[i] = t.Would + " " + t.Hook
		}
		out += " (trial: " + strings.Join(words, ", ") + ")"
	}
	return out
}
