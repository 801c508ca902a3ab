package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/store"
)

func approvalsCmd() *cobra.Command {
	var o office
	cmd := &cobra.Command{Use: "approvals"}
	o.dir = cmd.PersistentFlags().String("dir", "", "the directory to look from (default: the current one)")
	o.json = cmd.PersistentFlags().Bool("json", false, "print JSON; what a person has to read first goes to stderr")
	cmd.AddCommand(o.list(), o.show(), o.approve(), o.deny(), o.cancel(), o.grants(), o.revoke(), o.unlock())
	return cmd
}

// office is shared by the commands that show and decide requests.
type office struct {
	dir     *string
	json    *bool
	program *full.Program
	root    string // of the project
	*approvals.Service
}

// open opens the store that the configuration names, calls do, and closes it.
func (o *office) open(do func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		p, set, plan, err := cli.Loaded(*o.dir)
		if err != nil {
			return err
		}
		d, err := p.Desk(&plan.Settings)
		if err != nil {
			return err
		}
		defer d.Close()
		o.program, o.root = p, set.Root
		if o.Service, err = d.Service(cmd.Context()); err != nil {
			return err
		}
		return judgedExit(cmd, do(cmd, args))
	}
}

// inPerson is open for what only a person may do.
func (o *office) inPerson(do func(cmd *cobra.Command, args []string, p *person) error) func(*cobra.Command, []string) error {
	return o.open(func(cmd *cobra.Command, args []string) error {
		return inPerson(o.program, o.root, func(p *person) error { return do(cmd, args, p) })
	})
}

// find returns the request with this id, or with this prefix of an id.
func (o *office) find(ctx context.Context, id string) (*store.Approval, error) {
	if err := o.Sweep(ctx); err != nil {
		return nil, err
	}
	if a, err := o.Store.Approval(ctx, id); err == nil {
		return a, nil
	}
	list, err := o.Store.Approvals(ctx, store.Query{Most: 1000})
	if err != nil {
		return nil, err
	}
	var found []*store.Approval
	for _, a := range list {
		if strings.HasPrefix(a.ID, id) && len(id) > len("apr_") {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("there is no request %s; see: trammel approvals list --all", id)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("the ids of %d requests begin with %s; see: trammel approvals list --all", len(found), id)
}

func (o *office) list() *cobra.Command {
	cmd := &cobra.Command{Use: "list [FILTER]", Args: cobra.ArbitraryArgs}
	all := cmd.Flags().Bool("all", false, "also requests that are decided or have ended")
	most := cmd.Flags().Int("most", 100, "list at most this many, the newest first")
	cmd.RunE = o.open(func(cmd *cobra.Command, args []string) (err error) {
		if *most < 1 {
			return cli.Usagef("--most is %d, expected 1 or more", *most)
		}
		q := store.Query{Most: *most}
		if q.Filter, err = filter.Parse(strings.Join(args, " "), filter.Approvals, time.Now()); err != nil {
			return cli.Usagef("%w", err)
		}
		if q.Mine, err = o.mine(); err != nil {
			return err
		}
		if !*all && len(args) == 0 {
			q.States = []store.State{store.Pending, store.Approved}
		}
		if err := o.Sweep(cmd.Context()); err != nil {
			return err
		}
		list, err := o.Store.Approvals(cmd.Context(), q)
		if err != nil {
			return err
		}
		out, rows := make([]approvalJSON, len(list)), [][]string{{"ID", "STATE", "LEFT", "HOST", "TOOL", "WHAT", "NEEDS"}}
		for i, a := range list {
			out[i] = asShown(a)
			v := show.Of(a)
			rows = append(rows, []string{a.ID, string(a.State), left(a), visible.Line(a.Host), v.Tool, cli.Line(v.Summary),
				cli.Line(v.Needs)})
		}
		return cli.List(cmd, *o.json, out, rows, "no requests found")
	})
	return cmd
}

// mine reports which requests the person who knows this machine's secret may decide.
func (o *office) mine() (func(a *store.Approval) bool, error) {
	ring, err := approvals.LoadKeyring(o.program.Dirs.State)
	if err != nil || ring.Authority == nil {
		return nil, err
	}
	me := "authority:" + approvals.KeyID(ring.Authority.Public)
	return func(a *store.Approval) bool { return a.State == store.Pending && o.May(a, me) == nil }, nil
}

// left is the remaining time to decide, or to use an approval.
func left(a *store.Approval) string {
	until := a.Expires
	switch {
	case a.State == store.Approved:
		until = a.Until
	case a.State != store.Pending:
		return "-"
	}
	if until.IsZero() {
		return "no limit"
	}
	return time.Until(until.Time).Round(time.Second).String()
}
