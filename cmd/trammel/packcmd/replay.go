package packcmd

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/packs"
)

func replayCmd() *cobra.Command {
	var seq uint64
	var hook, run string
	var rerun bool
	cmd := &cobra.Command{Use: "replay", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.Flags().Uint64Var(&seq, "seq", 0, "only the record with this number")
	cmd.Flags().StringVar(&hook, "hook", "", "only calls of this hook")
	cmd.Flags().StringVar(&run, "run-id", "", "only calls of this run")
	cmd.Flags().BoolVar(&rerun, "rerun", false, "make the calls again and compare digests")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s := &cli.Evidence{}
		if err := s.Open(); err != nil {
			return err
		}
		list := []packs.Recorded{}
		err := packs.Replay(s.Log, func(r packs.Recorded) error {
			if (seq == 0 || r.Seq == seq) && (hook == "" || r.Hook == hook) && (run == "" || r.Run == run) {
				list = append(list, r)
			}
			return nil
		})
		switch {
		case err != nil:
			return err
		case rerun:
			return replayAgain(cmd, evidence.Open(s.Log, evidence.Options{}), list, *asJSON)
		case *asJSON:
			return cli.JSON(cmd.OutOrStdout(), map[string]any{"authoritative": false, "calls": list})
		}
		return showCalls(cmd.OutOrStdout(), list)
	}
	return cmd
}

func showCalls(w io.Writer, list []packs.Recorded) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no calls match")
		return err
	}
	rows := [][]string{{"SEQ", "HOOK", "RUNTIME", "ENTRYPOINT", "INPUT", "OUTPUT", "STATUS", "DIAGNOSTICS"}}
	for _, r := range list {
		status := r.Status
		switch {
		case r.Failure != "":
			status = "failed"
		case r.Valid != nil && *r.Valid:
			status = "valid"
		case r.Valid != nil:
			status = "not valid"
		}
		runtime := r.Runtime
		if r.Kind != "" {
			runtime += " (" + r.Kind + ")"
		}
		rows = append(rows, []string{fmt.Sprint(r.Seq), r.Hook, runtime, whole(r.Entrypoint), whole(r.Input), whole(r.Output), status,
			cli.Line(strings.Join(r.Diagnostics, "; "))})
	}
	if err := cli.Table(w, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nThis is what was recorded. It decides nothing.")
	return err
}

// whole is a digest as it can be compared and copied; on a narrow terminal its
// column is left out.
func whole(digest string) string {
	if digest == "" {
		return "-"
	}
	return digest
}

// replayAgain repeats calls, each in a new process.
func replayAgain(cmd *cobra.Command, log *evidence.Log, list []packs.Recorded, asJSON bool) error {
	drifts := []packs.Drift{}
	left, changed := 0, 0
	for _, r := range list {
		if r.Dir == "" {
			left++ // on an agent's event: the pack is not named in the record
			continue
		}
		p, err := openPack(r.Dir)
		if err != nil {
			return err
		}
		s := p.Session(packs.Options{Log: log, OnFailure: packs.Route(r.Route)})
		d, err := packs.Rerun(cmd.Context(), s, r)
		s.Close()
		if errors.Is(err, packs.ErrNotKept) {
			left++
			continue
		}
		if err != nil {
			return err
		}
		if len(d.Drift) > 0 {
			changed++
		}
		drifts = append(drifts, d)
	}
	if err := tellDrifts(cmd.OutOrStdout(), drifts, left, asJSON); err != nil {
		return err
	}
	if changed > 0 {
		return cli.Exit(exitFailed)
	}
	return nil
}

func tellDrifts(w io.Writer, drifts []packs.Drift, left int, asJSON bool) error {
	if asJSON {
		return cli.JSON(w, map[string]any{"authoritative": false, "rerun": drifts, "not_rerun": left})
	}
	for _, d := range drifts {
		if len(d.Drift) == 0 {
			fmt.Fprintf(w, "%d %s: the same\n", d.Was.Seq, d.Was.Hook)
			continue
		}
		fmt.Fprintf(w, "%d %s: drift\n", d.Was.Seq, d.Was.Hook)
		for _, what := range d.Drift {
			fmt.Fprintf(w, "  %s\n", what)
		}
	}
	_, err := fmt.Fprintf(w, "%d repeated, %d not: their payload was not stored as it was sent\n", len(drifts), left)
	return err
}
