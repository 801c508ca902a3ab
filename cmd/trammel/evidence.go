package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/index"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
)

// store is the evidence of one project.
type store struct {
	dir     string // the project, as the user says it
	log     string // the directory of its log
	project string
	keyFile string
}

// place says where the evidence is. It goes by names alone: what was recorded
// can be read also where the configuration cannot.
func (s *store) place() (dirs layers.Dirs, err error) {
	if dirs, err = layers.System(); err != nil {
		return dirs, err
	}
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return dirs, err
	}
	s.project = layers.Root(dirs, dir)
	s.keyFile = filepath.Join(dirs.State, "keys", layers.Key(s.project))
	s.log, err = pipeline.EvidenceDir(dirs, s.project)
	return dirs, err
}

func (s *store) open() error {
	dirs, err := s.place()
	if err != nil {
		return err
	}
	if evidence.Removed(s.log, pipeline.EvidenceMark(dirs, s.project)) {
		return fmt.Errorf("the evidence of %s was removed: there was a log in %s", s.project, s.log)
	}
	if _, err := os.Stat(s.log); os.IsNotExist(err) {
		return fmt.Errorf("there is no evidence of %s yet", s.project)
	}
	return nil
}

// verifier returns the public half of the key, given or our own. It is "" if
// no checkpoint was ever made.
func (s *store) verifier(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if _, err := os.Stat(s.keyFile); os.IsNotExist(err) {
		return "", nil
	}
	key, err := s.key()
	if err != nil {
		return "", err
	}
	return key.Verifier, nil
}

func (s *store) key() (*transparency.Key, error) {
	if err := os.MkdirAll(filepath.Dir(s.keyFile), 0o700); err != nil {
		return nil, err
	}
	return transparency.OpenKey(s.keyFile, "trammel/"+layers.Key(s.project))
}

func evidenceCmd() *cobra.Command {
	s := &store{}
	cmd := &cobra.Command{Use: "evidence"}
	cmd.PersistentFlags().StringVar(&s.dir, "dir", "", "the project's directory (default: the current one)")
	cmd.AddCommand(evidenceList(s), evidenceReport(s), evidenceShow(s), evidenceVerify(s), evidenceExport(s), evidenceTail(s),
		evidenceCheckpoint(s), evidenceProve(s), evidenceCheck(), evidencePush(s))
	return cmd
}

// selecting makes a verb of a command that selects records: by a filter, which
// its arguments are, and by flags as shorthand. do finds the store open.
func selecting(cmd *cobra.Command, s *store, do func(evidence.Filter) error) *cobra.Command {
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
			return err
		}
		if since != "" {
			if f.Since, err = filter.Time(since, now); err != nil {
				return fmt.Errorf("--since: %w", err)
			}
		}
		if len(args) > 0 {
			f.Body = func(seq uint64, body []byte) bool {
				e, err := index.Event(seq, body)
				return err == nil && q.Match(&e)
			}
		}
		if err := s.open(); err != nil {
			return err
		}
		return do(f)
	}
	return cmd
}

func evidenceShow(s *store) *cobra.Command {
	return &cobra.Command{Use: "show NUMBER|ID", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		if err := s.open(); err != nil {
			return err
		}
		e, err := evidence.Show(s.log, args[0])
		if err != nil {
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
		return printJSON(cmd.OutOrStdout(), map[string]any{"seq": e.Seq, "hash": e.Hash, "prev": e.Prev, "outcome": outcome(&row),
			"body": rec})
	}}
}

func evidenceExport(s *store) *cobra.Command {
	cmd := &cobra.Command{Use: "export"}
	format := cmd.Flags().String("format", "jsonl", "jsonl or csv")
	return selecting(cmd, s, func(f evidence.Filter) error { return evidence.Export(cmd.OutOrStdout(), s.log, *format, f) })
}
