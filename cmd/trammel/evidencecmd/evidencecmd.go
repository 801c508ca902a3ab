// Package evidencecmd is trammel evidence and trammel report: the record of what was decided.
package evidencecmd

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/install"
)

// New makes the commands that read the evidence of a project. prune is the one
// that needs a person.
func New(prune func(*cli.Evidence) *cobra.Command) *cobra.Command {
	s := &cli.Evidence{}
	cmd := &cobra.Command{Use: "evidence"}
	cmd.PersistentFlags().StringVar(&s.Dir, "dir", "", "the project's directory (default: the current one)")
	cmd.AddCommand(list(s), counts(s), show(s), verify(s), export(s), tail(s),
		checkpoint(s), prove(s), check(), push(s), prune(s))
	return cmd
}

// selecting completes a command that selects records of one project. It opens
// the evidence before it calls do.
func selecting(cmd *cobra.Command, s *cli.Evidence, do func(evidence.Filter) error) *cobra.Command {
	return filtering(cmd, func(f evidence.Filter) error {
		if err := s.Open(); err != nil {
			return err
		}
		return do(f)
	})
}

// filtering completes a command that selects records: by a filter in its
// arguments, and by flags as shorthand.
func filtering(cmd *cobra.Command, do func(evidence.Filter) error) *cobra.Command {
	var f evidence.Filter
	var since string
	cmd.Use += " [FILTER]"
	cmd.Args = cobra.ArbitraryArgs
	fl := cmd.Flags()
	fl.StringVar(&f.Host, "host", "", "only this host")
	fl.StringVar(&f.Event, "event", "", "only this event")
	fl.StringVar(&f.Session, "session", "", "only this session")
	fl.StringVar(&f.Tool, "tool", "", "only this tool")
	fl.StringVar(&f.Decision, "decision", "", "only this decision: none, allow, ask, deny")
	fl.StringVar(&f.Hook, "hook", "", "only events on which this hook ran")
	fl.BoolVar(&f.Trial, "trial", false, "only events on which a hook on trial would have done something")
	fl.BoolVar(&f.Rewrites, "rewrites", false, "only events that were rewritten")
	fl.StringVar(&since, "since", "", "only newer than: 2h, 7d, 2026-01-02, or a time such as 2026-01-02T15:04:05Z")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		now := time.Now()
		q, err := filter.Parse(strings.Join(args, " "), filter.Events, now)
		if err != nil {
			return cli.Usagef("%w", err)
		}
		if f.Decision != "" && !slices.Contains(cli.Decisions, f.Decision) {
			return cli.Usagef("--decision: found %q, expected one of %s", f.Decision, strings.Join(cli.Decisions, ", "))
		}
		if f.Event, err = eventNamed(f.Event); err != nil {
			return err
		}
		if h, err := install.Find(f.Host); err == nil { // "claude" is claude-code
			f.Host = h.System
		}
		if since != "" {
			if f.Since, err = filter.Time(since, now); err != nil {
				return cli.Usagef("--since: %w", err)
			}
		}
		if len(args) > 0 {
			f.Body = func(seq uint64, body []byte) bool {
				e, err := index.Event(seq, body)
				return err == nil && q.Match(&e)
			}
		}
		return do(f)
	}
	return cmd
}

// eventNamed is an event as records name it. Besides those of agents there are our own, such as
// approval.approved and mcp_settings.
func eventNamed(name string) (string, error) {
	if kind, ok := trammel.ParseKind(name); ok {
		return kind.String(), nil
	}
	ours := name == evidence.LogEvent || strings.Contains(name, ".") || strings.HasPrefix(name, "mcp_")
	if name == "" || name == trammel.Other.String() || ours {
		return name, nil
	}
	var known []string
	for _, kind := range trammel.Kinds() {
		known = append(known, kind.String())
	}
	return "", cli.Usagef("--event: no event is called %q%s; trammel events lists them", name, cli.DidYouMean(name, known))
}

func show(s *cli.Evidence) *cobra.Command {
	return &cobra.Command{Use: "show NUMBER|ID", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		if err := s.Open(); err != nil {
			return err
		}
		e, err := evidence.Show(s.Log, args[0])
		if err != nil {
			if seq, _ := strconv.ParseUint(args[0], 10, 64); seq > 0 {
				err = whyGone(s, seq, err)
			}
			return err
		}
		rec, err := e.Record()
		if err != nil {
			return err
		}
		row, err := e.Row()
		if err != nil {
			return err
		}
		return cli.JSON(cmd.OutOrStdout(), map[string]any{"seq": e.Seq, "hash": e.Hash, "prev": e.Prev, "outcome": outcome(&row),
			"body": rec})
	}}
}

func export(s *cli.Evidence) *cobra.Command {
	cmd := &cobra.Command{Use: "export"}
	format := cmd.Flags().String("format", "jsonl", "jsonl or csv")
	return filtering(cmd, func(f evidence.Filter) error {
		if *format != "jsonl" && *format != "csv" {
			return cli.Usagef("--format is %q, expected jsonl or csv", *format)
		}
		if err := s.Open(); err != nil {
			return err
		}
		return evidence.Export(cmd.OutOrStdout(), s.Log, *format, f)
	})
}
