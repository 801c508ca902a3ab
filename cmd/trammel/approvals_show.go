package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

func (o *office) show() *cobra.Command {
	cmd := &cobra.Command{Use: "show ID", Args: cobra.ExactArgs(1)}
	cmd.RunE = o.open(func(cmd *cobra.Command, args []string) error {
		a, err := o.find(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		if *o.json {
			return cli.JSON(cmd.OutOrStdout(), asShown(a))
		}
		return printApproval(cmd.OutOrStdout(), a)
	})
	return cmd
}

// approvalJSON is a request as programs may see it: masked, and without the
// values that a decision must repeat.
type approvalJSON struct {
	ID       string          `json:"id"`
	State    store.State     `json:"state"`
	Status   string          `json:"status"`
	Tool     string          `json:"tool"`
	Args     json.RawMessage `json:"args"`
	Asked    json.RawMessage `json:"asked,omitempty"` // before somebody edited them
	Masked   int             `json:"masked,omitempty"`
	Digest   string          `json:"digest"`
	Summary  string          `json:"summary,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Effects  []string        `json:"effects,omitempty"`
	Asker    string          `json:"asker"`
	Host     string          `json:"host"`
	Sessions []string        `json:"sessions"`
	Project  string          `json:"project,omitempty"`
	Hook     string          `json:"hook"`
	Policy   string          `json:"policy_digest"`
	Needs    string          `json:"needs"`
	Votes    []string        `json:"votes,omitempty"`
	Created  store.Time      `json:"created"`
	Expires  store.Time      `json:"expires"`
	Decided  store.Time      `json:"decided,omitzero"`
	Until    store.Time      `json:"until,omitzero"`
	Why      string          `json:"why,omitempty"`
}

func asShown(a *store.Approval) approvalJSON {
	v := show.Of(a)
	out := approvalJSON{ID: a.ID, State: a.State, Status: v.Status, Tool: v.Tool, Args: shownJSON(v.Args.Text), Masked: v.Args.Masked,
		Digest: v.Digest, Summary: v.Summary, Reason: v.Reason, Effects: v.Effects, Asker: v.Asker, Host: a.Host, Sessions: v.Sessions,
		Project: a.Project, Hook: a.Hook, Policy: a.PolicyDigest, Needs: v.Needs, Votes: v.Votes, Created: a.Created, Expires: a.Expires,
		Decided: a.Decided, Until: a.Until, Why: visible.Line(a.Why)}
	if v.Asked != nil {
		out.Asked = shownJSON(v.Asked.Text)
	}
	return out
}

// shownJSON is the shown arguments as JSON, or as a string if they are not JSON.
func shownJSON(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text)
	return quoted
}

// printApproval shows a whole request, without cutting anything.
func printApproval(w io.Writer, a *store.Approval) error {
	v, c := show.Of(a), cli.Colors()
	list := [][2]string{{"request", v.ID}, {"status", v.Status}, {"tool", v.Tool}, {"reason", v.Reason}, {"asker", v.Asker}, {"hook", v.Rule},
		{"needs", v.Needs}}
	for _, line := range v.Votes {
		list = append(list, [2]string{"vote", line})
	}
	list = append(list, [2]string{"asked", clock(a.Created)}, [2]string{"expires", clock(a.Expires)}, [2]string{"decided", clock(a.Decided)},
		[2]string{"use until", clock(a.Until)})
	name := "effects"
	for _, e := range v.Effects {
		list = append(list, [2]string{name, e})
		name = ""
	}
	list = append(list, [2]string{"digest", v.Digest})
	if v.Asked != nil {
		list = append(list, [2]string{"asked for", strings.ReplaceAll(v.Asked.Text, "\n", "\n          ")})
	}
	cli.Fields(w, append(list, [2]string{"arguments", strings.ReplaceAll(v.Args.Text, "\n", "\n          ")})...)
	for _, remark := range v.Remarks() {
		fmt.Fprintf(w, "%s%s%s\n", c.Bad, remark, c.Off)
	}
	return nil
}

// clock is a time, and how far away it is.
func clock(t store.Time) string {
	if t.IsZero() {
		return ""
	}
	away := time.Until(t.Time).Round(time.Second)
	if away < 0 {
		return fmt.Sprintf("%s (%s ago)", t.Local().Format("2006-01-02 15:04:05"), -away)
	}
	return fmt.Sprintf("%s (in %s)", t.Local().Format("2006-01-02 15:04:05"), away)
}
