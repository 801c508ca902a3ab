package evidencecmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/internal/plural"
)

// against is what a log is compared with.
type against struct {
	key       string   // of checkpoints
	copies    []string // of checkpoints
	authority []string // the ids of keys of tombstones
	removed   string   // a copy of what was pruned
}

func verify(s *cli.Evidence) *cobra.Command {
	var a against
	var all bool
	cmd := &cobra.Command{Use: "verify [FILE]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().StringVar(&a.key, "key", "", "the verifier key, if it is not this machine's own")
	cmd.Flags().StringSliceVar(&a.copies, "copy", nil, "directories with more checkpoints")
	authority := cli.AuthorityFlag(cmd)
	cmd.Flags().StringVar(&a.removed, "removed", "", "also prove that this file is a copy of what was pruned")
	cmd.Flags().BoolVar(&all, "all", false, "verify the logs of all projects")
	for _, other := range []string{"key", "copy", "removed"} {
		cmd.MarkFlagsMutuallyExclusive("all", other)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, dir := range a.copies {
			if info, err := os.Stat(dir); err != nil { // a wrong path proves nothing
				return fmt.Errorf("--copy: %w", err)
			} else if !info.IsDir() {
				return fmt.Errorf("--copy: %s is a file, expected a directory", dir)
			}
		}
		if len(args) == 1 {
			return a.verifyExport(cmd, args[0], *asJSON)
		}
		a.authority = *authority
		list, err := s.Each(all)
		if err != nil {
			return err
		}
		var out []map[string]any
		bad := false
		for _, one := range list {
			v := a.verify(one)
			if v.err != nil && !all {
				return v.err
			}
			bad = bad || !v.ok()
			if *asJSON {
				out = append(out, v.json())
				continue
			}
			if all {
				fmt.Fprintf(cmd.OutOrStdout(), "%s: ", one.Project)
			}
			v.print(cmd.OutOrStdout(), a.removed)
		}
		switch {
		case *asJSON && all:
			err = cli.JSON(cmd.OutOrStdout(), out)
		case *asJSON:
			err = cli.JSON(cmd.OutOrStdout(), out[0])
		}
		if err == nil && bad {
			err = cli.Exit(1)
		}
		return err
	}
	return cmd
}

// verified is the result for one log.
type verified struct {
	project string
	rep     transparency.Report
	signed  bool // there is a key, so there may be checkpoints
	points  []transparency.Checkpoint
	broken  error // what is wrong with the checkpoints
	removed []*transparency.Tombstone
	differs error // why the copy does not match what was pruned
	err     error // why it could not be read
}

func (v *verified) ok() bool {
	return v.err == nil && v.rep.Broken == nil && v.broken == nil && v.differs == nil
}

func (a *against) verify(s *cli.Evidence) (v verified) {
	v.project = s.Project
	if v.err = s.There(); v.err != nil {
		return v
	}
	keys, err := s.Authority(a.authority)
	if err == nil {
		v.rep, err = transparency.Verify(s.Log, keys)
	}
	var verifier string
	if err == nil {
		verifier, err = s.Verifier(a.key)
	}
	if v.err = err; err != nil || v.rep.Broken != nil {
		return v
	}
	if v.signed = verifier != ""; v.signed {
		v.points, v.broken = transparency.VerifyCheckpoints(s.Log, verifier, keys, a.copies...)
		if a.key != "" && v.broken == nil && len(v.points) == 0 {
			v.broken = errors.New("there is no checkpoint that --key could be checked with; name a directory that has some with --copy")
		}
	}
	if a.removed != "" {
		file, err := os.Open(a.removed)
		if v.err = err; err != nil {
			return v
		}
		defer file.Close()
		v.removed, v.differs = transparency.CheckRemoved(s.Log, keys, file)
	}
	return v
}

// pruned is a tombstone as programs see it.
func pruned(t *transparency.Tombstone) map[string]any {
	return map[string]any{"first": t.First, "last": t.Last, "records": t.Records, "bytes": t.Bytes, "oldest": t.Oldest, "newest": t.Newest,
		"first_hash": t.FirstHash, "last_hash": t.LastHash, "root": t.Root, "at": t.At, "by": t.By, "reason": t.Reason, "key": t.KeyID()}
}

func (v *verified) json() map[string]any {
	rep := &v.rep
	out := map[string]any{"project": v.project, "records": rep.Records, "bytes": rep.Bytes, "segments": rep.Segments, "head": rep.Head,
		"torn": rep.Torn, "checkpoints": len(v.points)}
	var gone []map[string]any
	for _, t := range rep.Pruned {
		gone = append(gone, pruned(t))
	}
	if gone != nil {
		out["pruned"] = gone
	}
	if rep.Begun != nil {
		out["pruning"] = pruned(rep.Begun)
	}
	if rep.Broken != nil {
		out["broken"] = rep.Broken
	}
	for key, err := range map[string]error{"checkpoint_error": v.broken, "removed_error": v.differs, "error": v.err} {
		if err != nil {
			out[key] = err.Error()
		}
	}
	if len(v.removed) > 0 {
		out["removed_proven"] = len(v.removed)
	}
	return out
}

func (v *verified) print(w io.Writer, copied string) {
	c, rep := cli.Colors(), &v.rep
	bad := func(err error) { fmt.Fprintf(w, "%sBROKEN%s: %s\n", c.Bad, c.Off, cli.Message(err)) }
	if v.err != nil {
		bad(v.err)
		return
	}
	if rep.Broken != nil {
		fmt.Fprintf(w, "%sBROKEN%s at %s\nsound before it: %s\n", c.Bad, c.Off, rep.Broken,
			plural.Of(rep.Records, "record"))
		return
	}
	fmt.Fprintf(w, "%sok%s: %s in %s, head %s\n", c.Good, c.Off, plural.Of(rep.Records, "record"), plural.Of(rep.Segments, "file"),
		rep.Head)
	for _, t := range rep.Pruned {
		fmt.Fprintf(w, "%s pruned: %s, by %s (%s) on %s: %s\n", plural.Of(t.Records, "record was", "records were"), t, t.By, t.KeyID(),
			t.At.Local().Format("2006-01-02 15:04"), t.Reason)
	}
	if t := rep.Begun; t != nil {
		fmt.Fprintf(w, "the pruning of %s by %s is not finished; finish it with: trammel evidence prune\n", t, t.By)
	}
	if rep.Torn > 0 {
		fmt.Fprintf(w, "%s moved to torn/\n", plural.Of(rep.Torn, "half-written record was", "half-written records were"))
	}
	switch {
	case v.broken != nil:
		bad(v.broken)
	case v.signed:
		fmt.Fprintf(w, "%s with the log\n", plural.Of(len(v.points), "checkpoint agrees", "checkpoints agree"))
	default:
		fmt.Fprintln(w, "no checkpoints: a log that was cut off or rebuilt would not be noticed (trammel evidence checkpoint)")
	}
	if v.differs != nil {
		fmt.Fprintf(w, "%sNOT PROVEN%s: %s: %s\n", c.Bad, c.Off, copied, cli.Message(v.differs)) // the log itself is sound
	}
	for _, t := range v.removed {
		fmt.Fprintf(w, "%s is a true copy of %s, which were pruned\n", copied, t)
	}
}

// whyGone adds to the error about a missing record that it was pruned.
func whyGone(s *cli.Evidence, seq uint64, err error) error {
	keys, keyErr := s.Authority(nil)
	rep, verifyErr := transparency.Verify(s.Log, keys)
	if errors.Join(keyErr, verifyErr) != nil {
		return err
	}
	for _, t := range rep.Pruned {
		if t.First <= seq && seq <= t.Last {
			return fmt.Errorf("record %d was pruned by %s on %s (%s)", seq, t.By, t.At.Local().Format("2006-01-02 15:04"), t)
		}
	}
	return err
}
