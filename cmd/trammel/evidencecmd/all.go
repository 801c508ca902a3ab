package evidencecmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/index"
)

// everywhere is selecting for a command that can read the evidence of all
// projects. A removed log is reported and skipped.
func everywhere(cmd *cobra.Command, s *cli.Evidence, do func(f evidence.Filter, logs []*cli.Evidence, all bool) error) *cobra.Command {
	all := cmd.Flags().Bool("all", false, "of all projects, with a column that names them")
	return filtering(cmd, func(f evidence.Filter) error {
		logs, err := s.Each(*all)
		if err != nil {
			return err
		}
		logs = slices.DeleteFunc(logs, func(one *cli.Evidence) bool {
			err := one.There()
			if err != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "trammel:", cli.Message(err))
			}
			return err != nil
		})
		return do(f, logs, *all)
	})
}

// projectRow is a record of one of several projects.
type projectRow struct {
	Project string `json:"project"`
	evidence.Row
}

// rowsOf are the records of all logs that match the filter, oldest first, and
// what is wrong with logs.
func rowsOf(logs []*cli.Evidence, f evidence.Filter) ([]projectRow, error) {
	rows := []projectRow{}
	var wrong []error
	for _, s := range logs {
		err := evidence.List(s.Log, f, func(r evidence.Row) error { rows = append(rows, projectRow{s.Project, r}); return nil })
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", s.Project, err))
		}
	}
	slices.SortStableFunc(rows, func(a, b projectRow) int { return a.Time.Compare(b.Time) })
	return rows, errors.Join(wrong...)
}

func listAll(cmd *cobra.Command, logs []*cli.Evidence, f evidence.Filter, asJSON bool) error {
	rows, err := rowsOf(logs, f)
	switch {
	case asJSON:
		return errors.Join(cli.JSON(cmd.OutOrStdout(), rows), err)
	case len(rows) == 0 && err == nil:
		fmt.Fprintln(cmd.OutOrStdout(), "no records of any project match")
		return nil
	case len(rows) == 0:
		return err
	}
	out := cli.NewColumns(cmd.OutOrStdout(), headingOfAll...)
	for i := range rows {
		out.Add(append([]string{cli.Line(rows[i].Project)}, rowCells(&rows[i].Row)...))
	}
	return errors.Join(out.Flush(), err)
}

// tailAll follows the logs of all projects, including new ones.
func tailAll(ctx context.Context, logs []*cli.Evidence, print func(e *evidence.Entry, project string) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	from := map[string]uint64{}
	for _, s := range logs {
		last, err := evidence.Last(s.Log)
		if err != nil {
			return err
		}
		from[filepath.Base(s.Log)] = last.Seq + 1
	}
	var mu sync.Mutex
	index.EachLog(ctx, filepath.Dir(logs[0].Log), func(log string) {
		go func() {
			stop(evidence.Tail(ctx, filepath.Join(filepath.Dir(logs[0].Log), log), from[log], func(e evidence.Entry) error {
				r, err := e.Record()
				if err != nil {
					return err
				}
				project, _ := r["project"].(string)
				mu.Lock()
				defer mu.Unlock()
				return print(&e, project)
			}))
		}()
	})
	return context.Cause(ctx)
}
