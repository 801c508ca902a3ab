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
	cmd := &cobra.Command{Use: "pins", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := pinStore()
		if err != nil {
			return err
		}
		names, err := s.Names(cmd.Context())
		if err != nil {
			return err
		}
		return listPins(cmd, s, names, *asJSON)
	}
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

// ofServers completes a command that works on the pins of the named servers, or
// of all.
func ofServers(cmd *cobra.Command, do func(s pin.Store, names []string) error) *cobra.Command {
	cmd.Use += " [SERVER]..."
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		s, err := pinStore()
		if err == nil && len(names) == 0 {
			names, err = s.Names(cmd.Context())
		}
		if err != nil {
			return err
		}
		return do(s, names)
	}
	return cmd
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
	cmd := &cobra.Command{Use: "list"}
	asJSON := cli.JSONFlag(cmd)
	return ofServers(cmd, func(s pin.Store, names []string) error { return listPins(cmd, s, names, *asJSON) })
}

func listPins(cmd *cobra.Command, s pin.Store, names []string, asJSON bool) error {
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
		if cmd.Flags().NArg() == 0 || slices.Contains(names, name) {
			lines = append(lines, pinLine{Server: name, What: "tool/" + tool, State: "partial", Digest: partial[at], By: "mcp-guard"})
		}
	}
	rows := [][]string{{"STATE", "SERVER", "WHAT", "SINCE", "BY", "DIGEST"}}
	for _, l := range lines {
		rows = append(rows, []string{l.State, pin.Visible(l.Server), pin.Visible(l.What), l.Since, l.By, l.Digest})
	}
	err = cli.List(cmd, asJSON, lines, rows, "nothing is pinned; the proxy pins what a server offers on first use")
	for _, l := range lines {
		if !asJSON && len(l.Facts) > 0 {
			fmt.Fprintf(cmd.OutOrStdout(), "%s %s:\n", pin.Visible(l.Server), pin.Visible(l.What))
			showFacts(cmd.OutOrStdout(), l.Facts)
		}
	}
	return err
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
		fmt.Fprintf(w, "  note: %s in %s: %s\n", f.Code, pin.Visible(f.Where), pin.Visible(f.Detail))
	}
}

func pinsDiff() *cobra.Command {
	cmd := &cobra.Command{Use: "diff"}
	asJSON := cli.JSONFlag(cmd)
	return ofServers(cmd, func(s pin.Store, names []string) error {
		all := map[string][]pin.Waiting{}
		for _, name := range names {
			if err := s.Known(cmd.Context(), name); err != nil {
				return err
			}
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
		if len(all) == 0 {
			fmt.Fprintln(cmd.OutOrStdout(), "nothing is held back")
		}
		return nil
	})
}

// showWaiting shows what is held back, compared with what was accepted. Every
// character is visible.
func showWaiting(w io.Writer, server string, held pin.Waiting) {
	state := "new"
	if held.Pin != "" {
		state = "changed"
	}
	fmt.Fprintf(w, "%s %s: %s\n", pin.Visible(server), pin.Visible(held.Slot), state)
	showFacts(w, held.Facts)
	if held.Is == nil {
		fmt.Fprintln(w, "  its text is not available; have the server list it again")
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

// pinsByPerson completes a command that changes what is accepted, which only a
// person may do.
func pinsByPerson(cmd *cobra.Command, do func(p *person, s pin.Store, args []string) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		program, set, err := cli.Found("")
		if err != nil {
			return err
		}
		return judgedExit(cmd, inPerson(program, set.Root, func(p *person) error { return do(p, pin.Store{State: program.State}, args) }))
	}
	return cmd
}

func pinsApprove() *cobra.Command {
	cmd := &cobra.Command{Use: "approve SERVER [KIND/NAME]...", Args: cobra.MinimumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	return pinsByPerson(cmd, func(p *person, s pin.Store, args []string) error {
		ctx, out, server, only := cmd.Context(), cli.Shown(cmd, *asJSON), args[0], args[1:]
		waiting, err := s.Waiting(ctx, server)
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
			showWaiting(out, server, w)
			if w.Is == nil {
				return fmt.Errorf("%s cannot be shown, so it cannot be accepted", w.Slot)
			}
		}
		who, err := p.unlock(ctx)
		if err != nil {
			return err
		}
		if err := p.record(ctx, "mcp.pins.approved", fmt.Sprintf("%s: %d accepted by %s", server, len(waiting), who.identity)); err != nil {
			return err
		}
		if err := s.Approve(ctx, server, who.identity, waiting); err != nil {
			return err
		}
		accepted := make([]string, len(waiting))
		for i := range waiting {
			accepted[i] = waiting[i].Slot
		}
		return cli.Done(cmd, *asJSON, map[string]any{"server": server, "accepted": accepted},
			"%d accepted. A client sees them when it lists the tools again.\n", len(waiting))
	})
}

func pinsReset() *cobra.Command {
	cmd := &cobra.Command{Use: "reset SERVER", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	return pinsByPerson(cmd, func(p *person, s pin.Store, args []string) error {
		if err := s.Known(cmd.Context(), args[0]); err != nil {
			return err
		}
		who, err := p.unlock(cmd.Context())
		if err != nil {
			return err
		}
		if err := p.record(cmd.Context(), "mcp.pins.reset", args[0]+" forgotten by "+who.identity); err != nil {
			return err
		}
		if err := s.Reset(cmd.Context(), args[0]); err != nil {
			return err
		}
		return cli.Done(cmd, *asJSON, map[string]string{"server": args[0], "state": "forgotten"},
			"%s is forgotten; it is pinned again on its next use through the proxy\n", pin.Visible(args[0]))
	})
}
