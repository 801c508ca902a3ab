package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/human"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

// Which denials are listed.
const (
	recentDenials = 24 * time.Hour
	mostDenials   = 20
)

func allowCmd() *cobra.Command {
	var why string
	var long time.Duration
	var list bool
	cmd := &cobra.Command{Use: "allow [RECORD]", Args: cobra.MaximumNArgs(1)}
	asJSON := cmd.Flags().Bool("json", false, "only list recent denials, as JSON")
	cmd.Flags().BoolVar(&list, "list", false, "only list recent denials")
	cmd.Flags().StringVar(&why, "reason", "", "why, for the record (default: asks for it)")
	cmd.Flags().DurationVar(&long, "for", approvals.DefaultOnce, "how long the call may be made, 24h at most")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := lasting(long, approvals.MaxGrant); err != nil {
			return err
		}
		p, set, plan, err := cli.Loaded("")
		if err != nil {
			return err
		}
		denials, err := p.Denials(time.Now().Add(-recentDenials), mostDenials)
		switch {
		case err != nil:
			return err
		case *asJSON:
			return cli.JSON(cmd.OutOrStdout(), denialsJSON(denials))
		case list:
			return listDenials(cmd.OutOrStdout(), denials)
		}
		a := allowing{cmd: cmd, program: p, plan: plan, denials: denials, why: why, long: long}
		return judgedExit(cmd, inPerson(p, set.Root, func(p *person) error { return a.run(p, args) }))
	}
	return cmd
}

type allowing struct {
	cmd     *cobra.Command
	program *full.Program
	plan    *plan.Plan
	denials []full.Denied
	why     string
	long    time.Duration
}

// run asks the person to choose a denial, give a reason, and type the secret.
func (a *allowing) run(p *person, args []string) error {
	ctx := a.cmd.Context()
	d, err := a.choose(p, args)
	if err != nil {
		return err
	}
	if d.Final != "" {
		return &approvals.Refusal{Code: approvals.RefusedState, Detail: "this denial is final: " + d.Final}
	}
	printDenial(a.cmd.OutOrStdout(), d)
	if a.why, err = askWhy(p, "Why is it right? ", a.why); err != nil {
		return err
	}
	who, err := p.unlock(ctx)
	if err != nil {
		return err
	}
	desk, err := a.program.Desk(&a.plan.Settings)
	if err != nil {
		return err
	}
	defer desk.Close()
	granted, err := desk.AllowOnce(ctx, d.Denial, approvals.Granter{Identity: who.identity, Signer: who.key, Reason: a.why, For: a.long})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.cmd.OutOrStdout(), "This call may pass once, until %s. Tell the agent to make it again. To revoke this: "+
		"trammel approvals revoke %s\n", granted.Expires.Local().Format("15:04:05"), granted.ID)
	return err
}

// choose finds the denial by the id of its record, or asks the person to pick one.
func (a *allowing) choose(t human.Terminal, args []string) (*full.Denied, error) {
	if len(args) == 1 {
		for i := range a.denials {
			if a.denials[i].Record == args[0] {
				return &a.denials[i], nil
			}
		}
		return nil, fmt.Errorf("%s is not among the %d recent denials; see: trammel allow --list", args[0], len(a.denials))
	}
	if len(a.denials) == 0 {
		return nil, &approvals.Refusal{Code: approvals.RefusedUnknown, Detail: "no call was denied within the last 24 hours"}
	}
	open := slices.DeleteFunc(slices.Clone(a.denials), func(d full.Denied) bool { return d.Final != "" })
	final := plural.Of(len(a.denials)-len(open), "denial")
	if len(open) == 0 {
		return nil, &approvals.Refusal{Code: approvals.RefusedState, Detail: "nothing can be allowed: " + final +
			" of the last 24 hours, all final; the reasons: trammel allow --list"}
	}
	if err := listDenials(a.cmd.OutOrStdout(), open); err != nil {
		return nil, err
	}
	if len(open) < len(a.denials) {
		fmt.Fprintf(a.cmd.OutOrStdout(), "Not listed: %s that cannot be allowed; see: trammel allow --list\n", final)
	}
	answer, err := t.Ask("Which one may pass, once? ", false)
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(answer))
	if err != nil || n < 1 || n > len(open) {
		return nil, &human.Refused{Why: fmt.Sprintf("%q is not a number from 1 to %d", answer, len(open)), Do: "Nothing was allowed."}
	}
	return &open[n-1], nil
}

func listDenials(w io.Writer, denials []full.Denied) error {
	if len(denials) == 0 {
		_, err := fmt.Fprintln(w, "no call was denied within the last 24 hours")
		return err
	}
	rows := [][]string{{"NO", "RECORD", "TIME", "HOST", "TOOL", "WHAT", "DENIED BY"}}
	final := map[string][]string{} // numbers by reason
	for i := range denials {
		d := &denials[i]
		no := strconv.Itoa(i + 1)
		rows = append(rows, []string{no, d.Record, d.Time.Local().Format("15:04:05"), visible.Line(d.Host), visible.Line(d.Tool),
			cli.Line(visible.Line(d.Summary)), cli.Line(visible.Line(strings.Join(d.Hooks, ", ")))})
		if d.Final != "" {
			final[d.Final] = append(final[d.Final], no)
		}
	}
	if err := cli.Table(w, rows); err != nil || len(final) == 0 {
		return err
	}
	return cli.Wrap(w, func(w io.Writer) error {
		fmt.Fprintln(w, "\nFinal, these cannot be allowed:")
		for _, reason := range slices.SortedFunc(maps.Keys(final), func(a, b string) int { return cmp.Compare(final[a][0], final[b][0]) }) {
			fmt.Fprintf(w, "  %s: %s\n", strings.Join(final[reason], ", "), reason)
		}
		return nil
	})
}

// printDenial shows everything that the record says about a denied call.
func printDenial(w io.Writer, d *full.Denied) {
	cli.Fields(w, [2]string{"record", d.Record}, [2]string{"tool", visible.Line(d.Tool) + " of " + visible.Line(d.Host)},
		[2]string{"project", visible.Line(d.Project)}, [2]string{"denied by", visible.Line(strings.Join(d.Hooks, ", "))},
		[2]string{"because", visible.Line(d.Reason)}, [2]string{"call", d.CallKey}, [2]string{"what", visible.Line(d.Summary)})
	var indented bytes.Buffer
	if len(d.Payload) > 0 && json.Indent(&indented, d.Payload, "          ", "  ") == nil {
		text, _ := visible.Text(indented.String())
		cli.Fields(w, [2]string{"event", text})
	} else {
		c := cli.Colors()
		fmt.Fprintf(w, "%sThe evidence has no payloads here, so this line is all that is known about the call.%s\n", c.Bad, c.Off)
	}
}

// denialJSON is a denial as programs see it.
type denialJSON struct {
	Record  string    `json:"record"`
	Time    time.Time `json:"time"`
	Host    string    `json:"host"`
	Tool    string    `json:"tool"`
	Project string    `json:"project"`
	Summary string    `json:"summary"`
	Reason  string    `json:"reason"`
	Hooks   []string  `json:"hooks"`
	Call    string    `json:"call"`
	Final   string    `json:"final,omitempty"`
}

func denialsJSON(list []full.Denied) []denialJSON {
	out := make([]denialJSON, len(list))
	for i := range list {
		d := &list[i]
		out[i] = denialJSON{d.Record, d.Time, d.Host, d.Tool, d.Project, d.Summary, d.Reason, d.Hooks, d.CallKey, d.Final}
	}
	return out
}
