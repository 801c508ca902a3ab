package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/plan"
)

// listedException is where the objections of a hook do not count.
type listedException struct {
	Match  string    `json:"match"`
	Until  time.Time `json:"until"`
	Left   string    `json:"left"`
	Active bool      `json:"active"`
	Reason string    `json:"reason"`
	Source string    `json:"source"`
}

func exceptionsOf(h *plan.Hook, now time.Time) []listedException {
	var out []listedException
	for i := range h.Except {
		x := &h.Except[i]
		what := describeMatch(&x.Match)
		if len(x.Commands) > 0 {
			what += " command=" + strings.Join(x.Commands, ",")
		}
		if len(x.Arguments) > 0 {
			what += " arguments=" + strings.Join(x.Arguments, ",")
		}
		out = append(out, listedException{Match: what, Until: x.Until.UTC(), Left: x.Left(now), Active: now.Before(x.Until),
			Reason: x.Reason, Source: x.Source.String()})
	}
	return out
}

// printExceptions lists them below the hooks, with the remaining time of each.
func printExceptions(w io.Writer, rows []listed) error {
	out := [][]string{{"EXCEPTION FOR", "MATCH", "UNTIL", "LEFT", "REASON", "SOURCE"}}
	for i := range rows {
		for _, x := range rows[i].Exceptions {
			out = append(out, []string{rows[i].ID, x.Match, x.Until.Format(time.RFC3339), x.Left, cli.Line(x.Reason), x.Source})
		}
	}
	if len(out) == 1 {
		return nil
	}
	fmt.Fprintln(w)
	return cli.Table(w, out)
}
