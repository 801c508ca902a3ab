package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/pipeline"
)

func statusCmd() *cobra.Command {
	var f wiringFlags
	cmd := &cobra.Command{Use: "status [AGENT …]", Args: cobra.ArbitraryArgs}
	asJSON := cli.JSONFlag(cmd)
	f.add(cmd)
	f.authority = cli.AuthorityFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return writeHealth(cmd, &f, args, *asJSON, func(w io.Writer, list []liveness.HostHealth) error {
			return liveness.WriteStatus(w, list, time.Now())
		})
	}
	return cmd
}

func doctorCmd() *cobra.Command {
	var f wiringFlags
	var canary bool
	var wait time.Duration
	cmd := &cobra.Command{Use: "doctor [AGENT …]", Args: cobra.ArbitraryArgs}
	asJSON := cli.JSONFlag(cmd)
	f.add(cmd)
	f.authority = cli.AuthorityFlag(cmd)
	cmd.Flags().BoolVar(&canary, "canary", false, "try it with a command that must be denied")
	cmd.Flags().DurationVar(&wait, "wait", 2*time.Minute, "how long to wait for the canary")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if canary && wait <= 0 {
			return cli.Usagef("--wait is %v, expected a time such as 30s, 5m or 2h", wait)
		}
		if canary {
			return flyCanary(cmd, wait)
		}
		return writeHealth(cmd, &f, args, *asJSON, liveness.WriteDoctor)
	}
	return cmd
}

func ended(err error, code int) error {
	if err == nil && code != 0 {
		return cli.Exit(code)
	}
	return err
}

// writeHealth prints the state of the agents, as JSON or with write.
func writeHealth(cmd *cobra.Command, f *wiringFlags, args []string, asJSON bool, write func(io.Writer, []liveness.HostHealth) error) error {
	list, err := inspect(cmd.Context(), f, args)
	if err != nil {
		return err
	}
	if asJSON {
		return ended(liveness.WriteJSON(cmd.OutOrStdout(), list), liveness.ExitCode(list))
	}
	printed := cli.Wrap(cmd.OutOrStdout(), func(w io.Writer) error { return write(w, list) })
	return ended(printed, liveness.ExitCode(list))
}

func inspect(ctx context.Context, f *wiringFlags, args []string) ([]liveness.HostHealth, error) {
	w, err := f.open(args)
	if err != nil {
		return nil, err
	}
	in := liveness.Inputs{Dirs: w.dirs, Project: w.opts.Project, Wiring: w, Hosts: f.hosts, Now: time.Now(), HostDir: w.env.Dir,
		Authority: *f.authority}
	in.Mark = pipeline.EvidenceMark(w.dirs, w.opts.Project)
	if in.Evidence, err = pipeline.EvidenceDir(w.dirs, w.opts.Project); err != nil { // the reason is reported for each agent
		in.Evidence = filepath.Join(w.dirs.State, "evidence", layers.Key(w.opts.Project))
	}
	if len(in.Hosts) == 0 {
		for _, h := range install.Hosts() {
			if s, err := w.Status(h.System); err == nil && (s.Installed || s.Present) {
				in.Hosts = append(in.Hosts, h.System)
			}
		}
	}
	return liveness.Inspect(ctx, in), nil
}

// flyCanary adds a rule to the user's configuration that denies one harmless
// command, waits for an agent to try it, and removes the rule.
func flyCanary(cmd *cobra.Command, wait time.Duration) error {
	s := &cli.Evidence{}
	dirs, err := s.Place()
	if err != nil {
		return err
	}
	bird := liveness.Canary()
	path := filepath.Join(dirs.User, layers.DropIn, bird.Token+".yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(liveness.CanaryRule(bird.Token)), 0o600); err != nil {
		return err
	}
	defer os.Remove(path)
	start := time.Now()
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "Tell your agent, in this project:\n\n  %s\n\nwaiting up to %v …\n", bird.Tell, wait)
	for time.Since(start) < wait {
		found, err := liveness.FindCanary(s.Log, bird.Token, start.Add(-time.Second))
		if err != nil {
			return err
		}
		if found != nil && found.Denied {
			fmt.Fprintf(out, "denied, as it should be: %s, session %s, record %d\n", found.Host, found.Session, found.Seq)
			return nil
		}
		if found != nil {
			fmt.Fprintf(out, "%s reported it, but it was not denied: record %d\n", found.Host, found.Seq)
			return cli.Exit(1)
		}
		if !pause.For(cmd.Context(), 200*time.Millisecond) {
			return cmd.Context().Err()
		}
	}
	fmt.Fprintln(out, "the command has not reached Trammel: either the agent has not tried it, or the agent is not guarded")
	return cli.Exit(1)
}
