package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/plural"
)

// pruneCmd is trammel evidence prune, which removes records.
func pruneCmd(s *cli.Evidence) *cobra.Command {
	var before, why string
	var dry bool
	cmd := &cobra.Command{Use: "prune", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().StringVar(&before, "before", "", "remove files in which all records are older than: 90d, 2026-01-02")
	cmd.Flags().StringVar(&why, "reason", "", "why, for the record (default: asks for it)")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would be removed")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.Open(); err != nil {
			return err
		}
		p := pruning{cmd: cmd, asJSON: *asJSON, why: why, Pruning: transparency.Pruning{Dir: s.Log}}
		if err := p.set(s, before); err != nil {
			return err
		}
		if dry {
			t, err := p.plan()
			if err != nil || t == nil {
				return err
			}
			return p.say(t, "Would be removed")
		}
		program, _, _, err := cli.Loaded(s.Dir)
		if err != nil {
			return err
		}
		return judgedExit(cmd, inPerson(program, s.Project, p.run))
	}
	return cmd
}

type pruning struct {
	transparency.Pruning
	cmd    *cobra.Command
	asJSON bool
	why    string
}

// set fills in the values of the flags and the log.
func (p *pruning) set(s *cli.Evidence, before string) (err error) {
	now := time.Now()
	if before != "" {
		if p.Before, err = filter.Time(before, now); err != nil {
			return cli.Usagef("--before: %w", err)
		}
		if !p.Before.Before(now) {
			return cli.Usagef("--before: %s is not in the past", before)
		}
	}
	if p.Keys, err = s.Authority(nil); err != nil {
		return err
	}
	p.Verifier, err = s.Verifier("")
	return err
}

// run lets a person finish an interrupted run, and remove old records.
func (p *pruning) run(person *person) error {
	ctx := p.cmd.Context()
	p.Record = func(ctx context.Context, t *transparency.Tombstone) error {
		r := person.program.AuthorityRecord(person.root, "authority.pruned", fmt.Sprintf("%s, root %s, by %s: %s", t, t.Root, t.By, t.Reason))
		r.ID, r.Time = evidence.IDFor(t.At, fmt.Sprint(t.Last, t.Root)), t.At
		return person.program.PutOnce(ctx, person.root, r)
	}
	switch t, err := p.Finish(ctx); {
	case err != nil:
		return err
	case t != nil:
		if err := p.say(t, "An interrupted run was finished. Removed"); err != nil || p.Before.IsZero() {
			return err
		}
	}
	t, err := p.plan()
	if err != nil {
		return err
	}
	if t == nil {
		return p.Close(ctx)
	}
	p.show(p.cmd.ErrOrStderr(), t, "To be removed")
	if p.why, err = askWhy(person, "Why are they removed? ", p.why); err != nil {
		return err
	}
	who, err := person.unlock(ctx)
	if err != nil {
		return err
	}
	desk, err := person.program.OwnDesk()
	if err != nil {
		return err
	}
	defer desk.Close()
	svc, err := desk.Reader()
	if err != nil {
		return err
	}
	if t.By, err = svc.Person(who.key); err != nil {
		return err
	}
	t.At, t.Reason = time.Now().UTC().Truncate(time.Second), p.why
	if t, err = p.Prune(ctx, t, who.key); err != nil {
		return err
	}
	return p.say(t, "Removed")
}

// plan finds what is old; if nothing is, it says so and returns nil.
func (p *pruning) plan() (*transparency.Tombstone, error) {
	if p.Before.IsZero() {
		return nil, cli.Usagef("--before is missing: how old are the records to remove? For example --before 90d")
	}
	t, err := p.Plan()
	if errors.Is(err, transparency.ErrNothing) {
		if p.asJSON {
			return nil, cli.JSON(p.cmd.OutOrStdout(), map[string]any{"records": 0})
		}
		_, err = fmt.Fprintf(p.cmd.OutOrStdout(), "Nothing to remove: no file of the log has only records from before %s.\n",
			p.Before.Local().Format("2006-01-02 15:04"))
		return nil, err
	}
	return t, err
}

// say prints what happened to the records of a tombstone.
func (p *pruning) say(t *transparency.Tombstone, what string) error {
	if p.asJSON {
		return cli.JSON(p.cmd.OutOrStdout(), map[string]any{"records": t.Records, "first": t.First, "last": t.Last, "oldest": t.Oldest,
			"newest": t.Newest, "bytes": t.Bytes, "root": t.Root, "by": t.By, "signed": len(t.Proof) > 0})
	}
	p.show(p.cmd.OutOrStdout(), t, what)
	return nil
}

func (p *pruning) show(w io.Writer, t *transparency.Tombstone, what string) {
	fmt.Fprintf(w, "%s: %s, %s in %s (%d bytes), root %s\n", what, t, plural.Of(t.Records, "record"), plural.Of(len(t.Files), "file"), t.Bytes,
		t.Root)
}
