package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/mcp/pin"
)

func pinsCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "pins"}
	cmd.AddCommand(pinsList(), pinsDiff(), pinsApprove(), pinsReset(), pinsLock(), pinsCheck())
	return cmd
}

// pinStore is where this user's pins are.
func pinStore() (pin.Store, error) {
	p, err := cli.Program()
	if err != nil {
		return pin.Store{}, err
	}
	return pin.Store{State: p.State}, nil
}

// known are the servers that were named, or all.
func known(cmd *cobra.Command, s pin.Store, args []string) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	return s.Names(cmd.Context())
}

// pinLine is a pin as `list` shows it.
type pinLine struct {
	Server string     `json:"server"`
	What   string     `json:"what"`
	State  string     `json:"state"` // pinned, held or partial
	Digest string     `json:"digest"`
	Since  string     `json:"since,omitempty"`
	By     string     `json:"by,omitempty"`
	Facts  []pin.Fact `json:"facts,omitempty"`
}

func pinsList() *cobra.Command {
	cmd := &cobra.Command{Use: "list [SERVER]...", Args: cobra.ArbitraryArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := pinStore()
		if err != nil {
			return err
		}
		names, err := known(cmd, s, args)
		if err != nil {
			return err
		}
		lines := []pinLine{}
		for _, name := range names {
			d, err := s.Get(cmd.Context(), name)
			if err != nil {
				return err
			}
			for _, k := range d.Servers {
				lines = append(lines, linesOf(name, "pinned", k.Pins)...)
				lines = append(lines, linesOf(name, "held", k.Held)...)
			}
		}
		partial, err := guardPins()
		if err != nil {
			return err
		}
		for _, at := range slices.Sorted(maps.Keys(partial)) {
			name, tool, _ := strings.Cut(at, "/")
			if len(args) == 0 || slices.Contains(args, name) {
				lines = append(lines, pinLine{Server: name, What: "tool/" + tool, State: "partial", Digest: partial[at], By: "mcp-guard"})
			}
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), lines)
		}
		for _, l := range lines {
			fmt.Fprintf(cmd.OutOrStdout(), "%-8s %s %s %.19s… %s %s\n", l.State, pin.Visible(l.Server), pin.Visible(l.What), l.Digest, l.Since, l.By)
			showFacts(cmd.OutOrStdout(), l.Facts)
		}
		return nil
	}
	return cmd
}

func linesOf(server, state string, pins map[string]*pin.Pin) []pinLine {
	var out []pinLine
	for _, at := range slices.Sorted(maps.Keys(pins)) {
		p := pins[at]
		out = append(out, pinLine{server, at, state, p.Digest, p.Since.Format("2006-01-02"), p.By, p.Facts})
	}
	return out
}

func showFacts(w io.Writer, facts []pin.Fact) {
	for _, f := range facts {
		fmt.Fprintf(w, "         note: %s in %s: %s\n", f.Code, pin.Visible(f.Where), pin.Visible(f.Detail))
	}
}

func pinsDiff() *cobra.Command {
	cmd := &cobra.Command{Use: "diff [SERVER]...", Args: cobra.ArbitraryArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := pinStore()
		if err != nil {
			return err
		}
		names, err := known(cmd, s, args)
		if err != nil {
			return err
		}
		all := map[string][]pin.Waiting{}
		for _, name := range names {
			waiting, err := s.Waiting(cmd.Context(), name)
			if err != nil {
				return err
			}
			if len(waiting) > 0 {
				all[name] = waiting
			}
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), all)
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			for _, w := range all[name] {
				showWaiting(cmd.OutOrStdout(), name, w)
			}
		}
		return nil
	}
	return cmd
}

// showWaiting shows what is held back beside what was accepted. Every
// character of it can be seen.
func showWaiting(w io.Writer, server string, held pin.Waiting) {
	state := "new"
	if held.Pin != "" {
		state = "changed"
	}
	fmt.Fprintf(w, "%s %s: %s\n", pin.Visible(server), pin.Visible(held.Slot), state)
	showFacts(w, held.Facts)
	if held.Is == nil {
		fmt.Fprintln(w, "  its text is not there to be shown; have the server list it again")
		return
	}
	was, is := pin.Lines(held.Was), pin.Lines(held.Is)
	for _, line := range without(was, is) {
		fmt.Fprintf(w, "  - %s\n", line)
	}
	for _, line := range without(is, was) {
		fmt.Fprintf(w, "  + %s\n", line)
	}
}

func pinsApprove() *cobra.Command {
	cmd := &cobra.Command{Use: "approve SERVER [KIND/NAME]...", Args: cobra.MinimumNArgs(1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return judgedExit(cmd, approvePins(cmd, args[0], args[1:]))
	}
	return cmd
}

// approvePins has a person look at what is held back, and type the secret.
func approvePins(cmd *cobra.Command, server string, only []string) error {
	p, set, err := found("")
	if err != nil {
		return err
	}
	g := gate(p, set.Root)
	t, err := g.Present()
	if err != nil {
		return err
	}
	defer t.Close()
	s := pin.Store{State: p.State}
	waiting, err := s.Waiting(cmd.Context(), server)
	if err != nil {
		return err
	}
	if len(only) > 0 {
		waiting = slices.DeleteFunc(waiting, func(w pin.Waiting) bool { return !slices.Contains(only, w.Slot) })
	}
	if len(waiting) == 0 {
		return fmt.Errorf("nothing of %s is held back", server)
	}
	for _, w := range waiting {
		showWaiting(cmd.OutOrStdout(), server, w)
		if w.Is == nil {
			return fmt.Errorf("%s cannot be shown, so it cannot be accepted", w.Slot)
		}
	}
	who, err := unlock(cmd.Context(), g, t, p.Dirs.State)
	if err != nil {
		return err
	}
	if err := onRecord(cmd.Context(), p, set.Root, "mcp.pins.approved", fmt.Sprintf("%s: %d accepted by %s", server, len(waiting),
		who.identity)); err != nil {
		return err
	}
	if err := s.Approve(cmd.Context(), server, who.identity, waiting); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d accepted. A client sees them when it lists the tools again.\n", len(waiting))
	return err
}

func pinsReset() *cobra.Command {
	return &cobra.Command{Use: "reset SERVER", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		p, set, err := found("")
		if err != nil {
			return err
		}
		g := gate(p, set.Root)
		t, err := g.Present()
		if err != nil {
			return judgedExit(cmd, err)
		}
		defer t.Close()
		who, err := unlock(cmd.Context(), g, t, p.Dirs.State)
		if err != nil {
			return judgedExit(cmd, err)
		}
		if err := onRecord(cmd.Context(), p, set.Root, "mcp.pins.reset", args[0]+" forgotten by "+who.identity); err != nil {
			return err
		}
		return pin.Store{State: p.State}.Reset(cmd.Context(), args[0])
	}}
}
