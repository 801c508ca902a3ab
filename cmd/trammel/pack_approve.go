package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/packs/library"
	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/packs/scenario"
	"github.com/trammel-dev/trammel/pipeline/full"
)

func packApproveCmd() *cobra.Command {
	var a approvingUse
	var withdraw bool
	cmd := &cobra.Command{Use: "approve DIRECTORY|NAME", Args: cobra.ExactArgs(1)}
	cmd.Flags().StringArrayVar(&a.connectors, "connector", nil, "NAME: a connector that the process may use")
	cmd.Flags().StringVar(&a.why, "reason", "", "why, for the record")
	a.json = cli.JSONFlag(cmd)
	cmd.Flags().BoolVar(&withdraw, "withdraw", false, "withdraw the approval of the process with this id")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, set, plan, err := cli.Loaded("")
		if err != nil {
			return err
		}
		if a.desk, err = p.Desk(&plan.Settings); err != nil {
			return err
		}
		a.cmd, a.program = cmd, p
		return judgedExit(cmd, inPerson(p, set.Root, func(who *person) error {
			if withdraw {
				return a.withdraw(who, args[0])
			}
			return a.run(who, args[0])
		}))
	}
	return cmd
}

// approvingUse lets a person approve a process for use.
type approvingUse struct {
	cmd        *cobra.Command
	program    *full.Program
	desk       *desk.Desk
	connectors []string
	why        string
	json       *bool
}

// run shows the process that was read and tested, asks for the secret, and
// stores the signed approval. It is valid only for these files.
func (a *approvingUse) run(person *person, name string) error {
	ctx := a.cmd.Context()
	dir, _, err := library.Resolve(a.program.Library(), name)
	if err != nil {
		return err
	}
	d, report := process.Read(dir)
	if d == nil || !report.Valid {
		return fmt.Errorf("the process is a draft that is not valid; see: trammel pack validate %s", name)
	}
	played, err := scenario.Play(ctx, dir, "")
	switch {
	case err != nil:
		return err
	case !played.Passed:
		return fmt.Errorf("its scenarios do not pass; see: trammel pack scenario %s", name)
	case played.Pack != d.Revision:
		return fmt.Errorf("the pack was changed while its scenarios ran")
	}
	needs, _, err := process.Needs(&a.desk.Settings, d.Manifest.ForUse)
	if err != nil {
		return err
	}
	u := &approvals.Use{Process: d.Manifest.ID, Version: d.Manifest.Version, Revision: d.Revision, Connectors: a.connectors}
	if d.Manifest.ForUse != nil {
		u.Scope = d.Manifest.ForUse.Scope
	}
	printUse(cli.Shown(a.cmd, *a.json), d, u, len(played.Results))
	who, err := person.unlock(ctx)
	if err != nil {
		return err
	}
	people, err := a.desk.Reader()
	if err != nil {
		return err
	}
	if err := people.ApproveUse(u, needs, approvals.Granter{Identity: who.identity, Signer: who.key, Reason: a.why}); err != nil {
		return err
	}
	what := fmt.Sprintf("%s approves the process %s %s as %s for use, with the connectors %v", u.By, u.Process, u.Version, u.Revision,
		u.Connectors)
	if err := person.record(ctx, "process.approved", what); err != nil {
		return err
	}
	if err := library.KeepUse(a.program.Library(), u); err != nil {
		return err
	}
	return cli.Done(a.cmd, *a.json, u, "%s %s is approved for use, as it is now\n", u.Process, u.Version)
}

func (a *approvingUse) withdraw(person *person, id string) error {
	n, err := library.DropUses(a.program.Library(), id)
	if err == nil && n == 0 {
		err = fmt.Errorf("no version of %s is approved", id)
	}
	if err != nil {
		return err
	}
	if err := person.record(a.cmd.Context(), "process.withdrawn", id); err != nil {
		return err
	}
	return cli.Done(a.cmd, *a.json, map[string]string{"process_id": id, "state": "withdrawn"}, "%s is no longer approved for use\n", id)
}

// printUse shows what a person approves: what can happen without asking
// anybody, and what needs an approval.
func printUse(w io.Writer, d *process.Definition, u *approvals.Use, scenarios int) {
	m, p := &d.Manifest, &d.Profile
	cli.Fields(w, [2]string{"process", m.ID + " " + m.Version}, [2]string{"digest", d.Revision}, [2]string{"purpose", visible.Line(p.Purpose)},
		[2]string{"scenarios", fmt.Sprintf("%d passed", scenarios)})
	for i := range p.Actions {
		act := &p.Actions[i]
		var about []string
		if act.Mode != "" {
			about = append(about, act.Mode+" effect on "+strings.Join(act.ScopeFields, ", "))
		}
		for j := range p.Gates {
			if g := &p.Gates[j]; g.Before == act.ID && g.Approval != nil {
				about = append(about, g.ID+" asks "+g.Approval.Role)
			}
		}
		for _, c := range act.Connectors {
			word := "uses the connector " + c
			if !slices.Contains(u.Connectors, c) {
				word = "is refused: it needs --connector " + c
			}
			about = append(about, word)
		}
		cli.Fields(w, [2]string{"action", visible.Line(strings.TrimSuffix(act.ID+": "+strings.Join(about, "; "), ": "))})
	}
}
