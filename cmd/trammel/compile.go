package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/plural"
)

func compileCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "compile", Args: cobra.NoArgs}
	asJSON, dir := cli.JSONFlag(cmd), cli.DirFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		p, set, plan, err := cli.Loaded(*dir)
		if err != nil {
			return unusable(cmd, err)
		}
		found, err := lint(*dir)
		if err != nil {
			return unusable(cmd, err)
		}
		out, notes := cmd.OutOrStdout(), []string{}
		for _, n := range p.Compiled.Notes {
			notes = append(notes, n.String())
		}
		if *asJSON {
			if err := cli.JSON(out, map[string]any{"project": set.Root, "digest": set.Digest, "hooks": plan.Len(), "files": paths(set),
				"notes": notes, "lint": found}); err != nil {
				return err
			}
			return broken(found)
		}
		for _, f := range set.Files {
			fmt.Fprintf(out, "%-8s %-9s %s\n", f.Layer, f.Trust, f.Path)
		}
		for _, n := range notes {
			fmt.Fprintln(out, "note:", n)
		}
		for i := range found {
			if !slices.ContainsFunc(notes, func(n string) bool { return strings.HasSuffix(n, found[i].Message) }) {
				fmt.Fprintln(out, "lint:", found[i].String())
			}
		}
		fmt.Fprintf(out, "%s in force, configuration %s\n", plural.Of(plan.Len(), "hook"), set.Digest)
		return broken(found)
	}
	return cmd
}

func paths(set *layers.Set) []string {
	out := []string{}
	for _, f := range set.Files {
		out = append(out, f.Path)
	}
	return out
}

func lintCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "lint", Args: cobra.NoArgs}
	asJSON, dir := cli.JSONFlag(cmd), cli.DirFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		found, err := lint(*dir)
		switch {
		case err != nil:
			return unusable(cmd, err)
		case *asJSON:
			err = cli.JSON(cmd.OutOrStdout(), found)
		default:
			for i := range found {
				fmt.Fprintln(cmd.OutOrStdout(), found[i].String())
			}
			cli.Codes(cmd.ErrOrStderr(), found)
		}
		if err == nil {
			err = broken(found)
		}
		if err == nil && slices.ContainsFunc(found, func(f config.Finding) bool { return !f.Note }) {
			return cli.Exit(1)
		}
		return err
	}
	return cmd
}

// unusable says why there is no plan, and exits with 2.
func unusable(cmd *cobra.Command, err error) error {
	if wrong := (*config.Errors)(nil); errors.As(err, &wrong) {
		fmt.Fprintln(cmd.ErrOrStderr(), wrong)
	} else {
		fmt.Fprintln(cmd.ErrOrStderr(), "trammel:", cli.Message(err))
	}
	return cli.Exit(2)
}

// broken exits with 2 if a file does not compile, be it trusted or not.
func broken(found []config.Finding) error {
	if slices.ContainsFunc(found, func(f config.Finding) bool { return f.Code == config.BrokenFinding }) {
		return cli.Exit(2)
	}
	return nil
}

// lint checks the configuration for a directory; "" is the current one.
func lint(dir string) ([]config.Finding, error) {
	p, set, err := cli.Found(dir)
	if err != nil {
		return nil, err
	}
	list, err := config.Lint(set, p.Known())
	if list == nil {
		list = []config.Finding{}
	}
	return list, err
}
