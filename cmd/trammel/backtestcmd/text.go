package backtestcmd

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/backtest"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/plural"
)

var apart = map[backtest.Apart]string{
	backtest.NoPayload: "the evidence has no payload", backtest.Redacted: "a hook needs what was redacted",
	backtest.NotReplayable: "a hook asks an external service, whose answer was not recorded",
	backtest.NotJudged:     "there was no verdict", backtest.Unreadable: "the payload cannot be read",
	backtest.NoEvent: "not an event of an agent",
}

// Write prints a report for people.
func Write(w io.Writer, r *backtest.Report) error {
	if err := Summary(w, r); err != nil {
		return err
	}
	if err := table(w, "\n", matrix(r)); err != nil {
		return err
	}
	hooks := [][]string{{"HOOK", "LOOSENED", "TIGHTENED", "NOT REPLAYABLE", "RECORDS"}}
	for _, h := range r.Hooks {
		hooks = append(hooks, []string{h.Hook, strconv.Itoa(h.Loosened), strconv.Itoa(h.Tightened), strconv.Itoa(h.NotReplayable),
			strings.Join(h.Records, " ")})
	}
	if err := table(w, "\n", hooks); err != nil {
		return err
	}
	failures := [][]string{{"NEW ERROR", "CODE", "COUNT", "DETAIL", "RECORDS"}}
	for _, e := range r.Errors {
		failures = append(failures, []string{e.Hook, e.Code, strconv.Itoa(e.Count), cli.Line(e.Detail), strings.Join(e.Records, " ")})
	}
	return table(w, "\n", failures)
}

// Summary prints how many records there are, and the results.
func Summary(w io.Writer, r *backtest.Report) error {
	_, err := fmt.Fprintf(w, "%s, %d replayed: %d unchanged, %d loosened, %d tightened\n", plural.Of(r.Records, "record"),
		r.Replayed, r.Unchanged, r.Loosened, r.Tightened)
	for _, why := range slices.Sorted(maps.Keys(r.Apart)) {
		_, err = fmt.Fprintf(w, "%d not replayed: %s\n", r.Apart[why], apart[why])
	}
	return err
}

// matrix has a row for each recorded outcome, and a column for each new one.
func matrix(r *backtest.Report) [][]string {
	var then, now []backtest.Outcome
	count := map[[2]backtest.Outcome]int{}
	for _, c := range r.Matrix {
		then, now = append(then, c.Old), append(now, c.New)
		count[[2]backtest.Outcome{c.Old, c.New}] = c.Count
	}
	slices.Sort(then)
	slices.Sort(now)
	then, now = slices.Compact(then), slices.Compact(now)
	rows := [][]string{{"THEN \\ NOW"}}
	for _, n := range now {
		rows[0] = append(rows[0], n.String())
	}
	for _, t := range then {
		row := []string{t.String()}
		for _, n := range now {
			row = append(row, strconv.Itoa(count[[2]backtest.Outcome{t, n}]))
		}
		rows = append(rows, row)
	}
	return rows
}

// table prints rows below a heading, if there are any.
func table(w io.Writer, before string, rows [][]string) error {
	if len(rows) < 2 {
		return nil
	}
	fmt.Fprint(w, before)
	return cli.Table(w, rows)
}
