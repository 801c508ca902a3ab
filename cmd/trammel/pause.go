package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/overrule"
)

// lasting checks --for before anybody types a secret.
func lasting(long, most time.Duration) error {
	if long < time.Second || long > most {
		return cli.Usagef("--for is %v, expected 1s to %v", long, most)
	}
	return nil
}

func pauseCmd() *cobra.Command {
	var why string
	var long time.Duration
	cmd := &cobra.Command{Use: "pause", Args: cobra.NoArgs}
	cmd.Flags().StringVar(&why, "reason", "", "why, for the record (default: asks for it)")
	cmd.Flags().DurationVar(&long, "for", 10*time.Minute, "how long, 60m at most")
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := lasting(long, approvals.MaxPause); err != nil {
			return err
		}
		program, set, _, err := cli.Loaded("")
		if err != nil {
			return err
		}
		desk, err := program.OwnDesk()
		if err != nil {
			return err
		}
		defer desk.Close()
		return judgedExit(cmd, inPerson(program, set.Root, func(p *person) error {
			if why, err = askWhy(p, "Why is it paused? ", why); err != nil {
				return err
			}
			who, err := p.unlock(cmd.Context())
			if err != nil {
				return err
			}
			s, err := desk.Reader()
			if err != nil {
				return err
			}
			pause, err := s.Pause(program.Dirs.State, approvals.Granter{Identity: who.identity, Signer: who.key, Reason: why, For: long})
			if err != nil {
				return err
			}
			until := pause.Until().Local().Format("15:04:05")
			if err := p.record(cmd.Context(), "authority.paused", fmt.Sprintf("until %s by %s: %s", until, pause.By, why)); err != nil {
				return errors.Join(err, os.Remove(overrule.PauseFile(program.Dirs.State))) // never pause without a record
			}
			if *asJSON {
				return cli.JSON(cmd.OutOrStdout(), pauseState{Paused: true, Until: pause.Until().UTC().Format(time.RFC3339), By: pause.By, Reason: why})
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "Paused until %s. The machine's rules and self-protection stay in force; what the other hooks "+
				"would answer is recorded. To end it now: trammel resume\n", until)
			return err
		}))
	}
	return cmd
}

// pauseState is the JSON of pause and resume.
type pauseState struct {
	Paused  bool   `json:"paused"`
	Until   string `json:"until,omitempty"`
	By      string `json:"by,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Resumed bool   `json:"resumed,omitempty"` // there was a pause to end
}

func resumeCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "resume", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	say := func(resumed bool, text string) error {
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), pauseState{Resumed: resumed})
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), text)
		return err
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		program, set, _, err := cli.Loaded("")
		if err != nil {
			return err
		}
		switch err := os.Remove(overrule.PauseFile(program.Dirs.State)); {
		case errors.Is(err, os.ErrNotExist):
			return say(false, "nothing is paused")
		case err != nil:
			return err
		}
		p := &person{program: program, root: set.Root}
		if err := p.record(cmd.Context(), "authority.resumed", "the pause was ended"); err != nil {
			return err
		}
		return say(true, "All hooks are in force again.")
	}
	return cmd
}

// askWhy asks a person for the reason, if the command line does not have one.
func askWhy(p *person, question, why string) (string, error) {
	why = strings.TrimSpace(why)
	for why == "" {
		answer, err := p.Ask(question, false)
		if err != nil {
			return "", err
		}
		why = strings.TrimSpace(answer)
	}
	return why, nil
}
