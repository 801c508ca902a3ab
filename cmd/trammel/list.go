package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
)

type listed struct {
	ID       string   `json:"id"`
	About    string   `json:"about,omitempty"`
	On       []string `json:"on,omitempty"`
	Match    string   `json:"match,omitempty"`
	Does     string   `json:"does,omitempty"`
	May      string   `json:"may,omitempty"`
	Layer    string   `json:"layer"`
	Source   string   `json:"source"`
	Status   string   `json:"status"`
	Why      string   `json:"why,omitempty"`
	OnError  string   `json:"on_error,omitempty"`
	Priority int      `json:"priority,omitempty"`

	Exceptions []listedException `json:"exceptions,omitempty"`

	Repository *listedHook `json:"repository_hook,omitempty"`
}

// listedHook holds the fields of a repository hook in the contract's terms.
type listedHook struct {
	EventType    string `json:"event_type"`
	Enabled      bool   `json:"enabled"`
	Blocking     bool   `json:"blocking"`
	MatchSummary string `json:"match_summary"`
}

func listCmd() *cobra.Command {
	var effective bool
	cmd := &cobra.Command{Use: "list", Args: cobra.NoArgs}
	asJSON, dir := cli.JSONFlag(cmd), cli.DirFlag(cmd)
	cmd.Flags().BoolVar(&effective, "effective", false, "also show what is not in force, and why")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, _, _, err := cli.Loaded(*dir)
		if err != nil {
			return err
		}
		rows := listing(p, effective)
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), rows)
		}
		for _, n := range append(p.Compiled.Notes, p.Compiled.Missing()...) {
			fmt.Fprintln(cmd.ErrOrStderr(), "note:", n)
			for i := range rows {
				if n.Code == layers.CodeUntrusted && rows[i].Status == string(config.Untrusted) {
					rows[i].Why = "" // the note says it, once
				}
			}
		}
		return printListing(cmd, rows, effective)
	}
	return cmd
}

func listing(p *full.Program, effective bool) []listed {
	byID := map[string]*plan.Hook{}
	for i := range p.Compiled.Hooks {
		byID[p.Compiled.Hooks[i].ID] = &p.Compiled.Hooks[i]
	}
	rows := []listed{}
	for _, e := range p.Compiled.Report {
		row := listed{ID: e.ID, About: e.About, Layer: e.Source.Layer, Source: e.Source.String(), Status: string(e.Status), Why: e.Why}
		if r := e.Repository; r != nil {
			row.Repository = &listedHook{string(r.EventType), r.Enabled && e.Status != config.Disabled, r.Blocking, r.MatchSummary()}
		}
		if e.Status != config.InForce {
			if effective || row.Repository != nil && e.Status != config.Duplicate {
				rows = append(rows, row)
			}
			continue
		}
		h := byID[e.ID]
		for _, k := range h.On {
			row.On = append(row.On, k.String())
		}
		row.Exceptions = exceptionsOf(h, time.Now())
		row.Match, row.May, row.Does, row.Priority = describeMatch(&h.Match), h.May.String(), does(p, h), h.Priority
		if h.OnError != trammel.DefaultOnError {
			row.OnError = h.OnError.String()
		}
		rows = append(rows, row)
	}
	return rows
}

func does(p *full.Program, h *plan.Hook) string {
	bound, err := plan.Bind([]plan.Hook{*h}, p.Registry, p.Dialects.Hook)
	if err != nil {
		return h.Kind
	}
	if e, ok := bound[0].Handler.(trammel.Explainer); ok {
		return e.Explain()
	}
	return h.Kind
}

func describeMatch(m *plan.Match) string {
	var parts []string
	add := func(name string, values []string) {
		if len(values) > 0 {
			parts = append(parts, name+"="+strings.Join(values, ","))
		}
	}
	add("tool", trammel.DeclaredTools(m.Tools))
	var actions []string
	for _, a := range m.Actions {
		actions = append(actions, a.String())
	}
	add("action", actions)
	add("program", m.Programs)
	add("to", m.To)
	add("project", m.Projects)
	add("path", m.Paths)
	add("host", m.Hosts)
	add("agent", m.Agents)
	add("ability", m.Abilities)
	if m.Slower > 0 {
		add("slower", []string{m.Slower.String()})
	}
	add("paths", m.Changed)
	if parts == nil {
		return "all"
	}
	return strings.Join(parts, " ")
}

func printListing(cmd *cobra.Command, rows []listed, effective bool) error {
	if len(rows) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "no hooks are declared here")
		return nil
	}
	head := []string{"ID", "ON", "MATCH", "DOES", "MAY", "SOURCE"}
	if effective {
		head = append(head, "STATUS")
	}
	out := [][]string{head}
	var hooks []listed
	for _, r := range rows {
		if r.Repository != nil {
			hooks = append(hooks, r)
			continue
		}
		row := []string{r.ID, few(r.On), r.Match, cli.Line(r.Does), r.May, r.Layer + " " + r.Source}
		if effective {
			status := r.Status
			if r.Why != "" {
				status += ": " + r.Why
			}
			row = append(row, status)
		}
		out = append(out, row)
	}
	if len(out) > 1 {
		if err := cli.Table(cmd.OutOrStdout(), out); err != nil {
			return err
		}
		if err := printExceptions(cmd.OutOrStdout(), rows); err != nil || len(hooks) == 0 {
			return err
		}
		fmt.Fprintln(cmd.OutOrStdout())
	}
	return printHooks(cmd.OutOrStdout(), hooks, effective)
}

// printHooks prints the hooks of the repository in the table of their contract
// (AIC-60), including disabled ones. If an enabled one does not run, another
// column says why.
func printHooks(w io.Writer, hooks []listed, effective bool) error {
	status := effective
	for _, h := range hooks {
		status = status || h.Status != string(config.InForce) && h.Status != string(config.NotEnabled)
	}
	rows := [][]string{{"id", "event_type", "enabled", "blocking", "match_summary"}}
	if status {
		rows[0] = append(rows[0], "status")
	}
	for _, h := range hooks {
		row := []string{h.ID, h.Repository.EventType, strconv.FormatBool(h.Repository.Enabled), strconv.FormatBool(h.Repository.Blocking),
			h.Repository.MatchSummary}
		if status && !effective {
			row = append(row, h.Status)
		}
		if effective {
			row = append(row, strings.TrimSuffix(h.Status+": "+h.Why, ": "))
		}
		rows = append(rows, row)
	}
	dashes := make([]string, len(rows[0]))
	for i := range dashes {
		for _, row := range rows {
			dashes[i] = strings.Repeat("-", max(len(dashes[i]), len(row[i])))
		}
	}
	return cli.Table(w, slices.Insert(rows, 1, dashes))
}

// few lists names for a table: the first ones, and the total.
func few(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ",")
	}
	return fmt.Sprintf("%s,… (%d)", strings.Join(names[:2], ","), len(names))
}
