package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	pages "github.com/trammel-dev/trammel/docs/policies"
)

func policiesCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "policies", Args: cobra.NoArgs}
	asJSON := cli.JSONFlag(cmd)
	cmd.AddCommand(policiesShowCmd(), policiesPresetCmd())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, err := cli.Program()
		if err != nil {
			return err
		}
		rows := [][]string{{"POLICY", "MAY", "WHAT IT DOES"}}
		var list []policyRow
		for _, policy := range p.Registry.Policies() {
			rows = append(rows, []string{policy.Name, policy.May.String(), policy.Summary})
			list = append(list, rowOf(policy))
		}
		return cli.List(cmd, *asJSON, list, rows, "")
	}
	return cmd
}

type policyRow struct {
	Name     string          `json:"name"`
	Summary  string          `json:"summary"`
	On       []string        `json:"on"`
	May      string          `json:"may"`
	Rewrites bool            `json:"rewrites,omitempty"`
	Options  []config.Option `json:"options,omitempty"`
}

func rowOf(p trammel.Policy) policyRow {
	r := policyRow{Name: p.Name, Summary: p.Summary, May: p.May.String(), Rewrites: p.Rewrites}
	for _, k := range p.On {
		r.On = append(r.On, k.String())
	}
	return r
}

func policiesShowCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "show POLICY", Args: cobra.ExactArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := cli.Program()
		if err != nil {
			return err
		}
		policy, ok := p.Registry.Policy(args[0])
		if !ok {
			return cli.Usagef("no policy is named %q%s; `trammel policies` lists them", args[0], cli.DidYouMean(args[0], policyNames()))
		}
		row := rowOf(policy)
		if row.Options, err = config.OptionsOf(policy); err != nil {
			return err
		}
		if *asJSON {
			return cli.JSON(cmd.OutOrStdout(), row)
		}
		return showPolicy(cmd.OutOrStdout(), &row)
	}
	return cmd
}

func showPolicy(w io.Writer, r *policyRow) error {
	err := cli.Wrap(w, func(w io.Writer) error {
		fmt.Fprintf(w, "%s: %s\non:  %s\nmay: %s\n\n", r.Name, r.Summary, strings.Join(r.On, ", "), r.May)
		if len(r.Options) == 0 {
			fmt.Fprintln(w, "It takes no options.")
			return nil
		}
		rows := [][]string{{"OPTION", "TYPE", "DEFAULT", "ABOUT"}}
		for _, o := range r.Options {
			rows = append(rows, []string{o.Name, o.Type, cli.Line(o.Default), o.About})
		}
		return cli.Table(w, rows)
	})
	if page, ok := pages.Page(r.Name); ok {
		_, text, _ := strings.Cut(page, "\n") // the heading is printed already
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(cli.Page(w, strings.TrimSpace(text))))
	}
	return err
}

func policiesPresetCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "preset [PRESET]", Args: cobra.MaximumNArgs(1)}
	asJSON := cli.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		all := config.Presets()
		if len(args) == 0 {
			return cli.Done(cmd, *asJSON, all, "%s\n", strings.Join(all, "\n"))
		}
		text, ok := config.PresetText(args[0])
		if !ok {
			return cli.Usagef("no preset is named %q, expected one of %s", args[0], strings.Join(all, ", "))
		}
		return cli.Done(cmd, *asJSON, map[string]string{"name": args[0], "text": string(text)}, "%s", text)
	}
	return cmd
}
