package main

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/human"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

// grantJSON is a grant as programs see it.
type grantJSON struct {
	*store.Grant
	Live  bool     `json:"live"`
	Means []string `json:"means"`
	Key   string   `json:"key"`
	Proof string   `json:"proof,omitempty"` // stays here
}

func (o *office) grants() *cobra.Command {
	cmd := &cobra.Command{Use: "grants", Args: cobra.NoArgs}
	all := cmd.Flags().Bool("all", false, "also grants that have ended")
	cmd.RunE = o.open(func(cmd *cobra.Command, _ []string) error {
		list, err := o.Store.Grants(cmd.Context())
		if err != nil {
			return err
		}
		out := []grantJSON{}
		rows := [][]string{{"ID", "SCOPE", "BY", "HOOK", "TOOL", "USES", "UNTIL", "WHAT"}}
		for _, g := range list {
			live := o.Live(g)
			if !live && !*all {
				continue
			}
			means := meaning(g)
			out = append(out, grantJSON{Grant: g, Live: live, Means: means, Key: g.Key})
			until := g.Expires.Local().Format("01-02 15:04")
			switch {
			case !g.Revoked.IsZero() && g.Revoked.Before(g.Expires.Time):
				until = "revoked by " + visible.Line(g.Revoker)
			case !live:
				until = "over"
			}
			rows = append(rows, []string{g.ID, g.Scope, visible.Line(g.By), visible.Line(strings.Join(g.Hooks, ", ")), visible.Line(g.Tool),
				strconv.Itoa(g.Uses), until, cli.Line(strings.Join(means, "; "))})
		}
		return cli.List(cmd, *o.json, out, rows, "there are no grants")
	})
	return cmd
}

// meaning says what a grant lets through.
func meaning(g *store.Grant) []string {
	if g.Scope == approvals.ScopeOnce {
		return []string{"one denied call, once"}
	}
	return show.EachLine(approvals.PatternIn(g).Describe())
}

func (o *office) revoke() *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Args: cobra.ExactArgs(1)}
	cmd.RunE = o.inPerson(func(cmd *cobra.Command, args []string, _ *person) error {
		if strings.HasPrefix(args[0], "apr_") {
			a, err := o.find(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if err := o.Cancel(cmd.Context(), a.ID, "a person has revoked it"); err != nil {
				return err
			}
			return o.say(cmd, a.ID)
		}
		g, err := o.Revoke(cmd.Context(), args[0], approvals.Local)
		if err != nil {
			return err
		}
		return cli.Done(cmd, *o.json, grantJSON{Grant: g, Live: o.Live(g), Means: meaning(g), Key: g.Key}, "revoked %s\n", g.ID)
	})
	return cmd
}

func (o *office) unlock() *cobra.Command {
	cmd := &cobra.Command{Use: "unlock", Args: cobra.NoArgs}
	cmd.RunE = o.inPerson(func(cmd *cobra.Command, _ []string, p *person) error {
		ctx, dir := cmd.Context(), o.program.Dirs.State
		ring, err := approvals.LoadKeyring(dir)
		if err != nil {
			return err
		}
		seal, what := approvals.Seal, "set"
		if ring.Authority != nil {
			key, err := p.Unlock(ctx, p, ring.Authority)
			if err != nil {
				return err
			}
			seal, what = key.Seal, "changed"
		}
		secret, err := human.Choose(p)
		if err != nil {
			return err
		}
		if ring.Authority, err = seal(secret); err != nil {
			return err
		}
		id := approvals.KeyID(ring.Authority.Public)
		if err := p.record(ctx, "authority."+what, "the authority secret was "+what+"; the key is "+id); err != nil {
			return err
		}
		if err := ring.Save(dir); err != nil {
			return err
		}
		return cli.Done(cmd, *o.json, map[string]string{"secret": what, "key": id}, "The authority secret is %s. Its key is authority:%s\n"+
			"To make this the only key that counts, put this into a file that agents cannot write, %s:\n  approvals: { authority: %[2]s }\n",
			what, id, filepath.Join(o.program.Dirs.Machine, "trammel.yaml"))
	})
	return cmd
}
