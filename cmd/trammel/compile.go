package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/layers"
)

func compileCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "compile", Args: cobra.NoArgs}
	asJSON, dir := cli.JSONFlag(cmd), cli.DirFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		_, set, plan, err := loaded(*dir)
		if err != nil {
			return unusable(cmd, err)
		}
		found, err := lint(*dir)
		if err != nil {
			return unusable(cmd, err)
		}
		out := cmd.OutOrStdout()
		if *asJSON {
			if err := cli.JSON(out, map[string]any{"project": set.Root, "digest": set.Digest, "hooks": plan.Len(), "files": paths(set),
				"notes": plan.Notes, "lint": found}); err != nil {
				return err
			}
			return broken(found)
		}
		for _, f := range set.Files {
			fmt.Fprintf(out, "%-8s %-9s %s\n", f.Layer, f.Trust, f.Path)
		}
		for _, n := range plan.Notes {
			fmt.Fprintln(out, "note:", n)
		}
		for i := range found {
			if !slices.ContainsFunc(plan.Notes, func(n string) bool { return strings.HasSuffix(n, found[i].Message) }) {
				fmt.Fprintln(out, "lint:", found[i].String())
			}
		}
		fmt.Fprintf(out, "%d hooks in force, configuration %.19s\n", plan.Len(), set.Digest)
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
