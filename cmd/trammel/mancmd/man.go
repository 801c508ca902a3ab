package mancmd

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/version"
)

// New is the command. It is for people who build packages.
func New() *cobra.Command {
	cmd := &cobra.Command{Use: "man DIR", Args: cobra.ExactArgs(1)}
	date := cmd.Flags().String("date", time.Now().UTC().Format(time.DateOnly), "the `day` to date the pages with")
	cmd.Flags().Lookup("date").DefValue = "" // today, which --help need not say
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		at, err := time.Parse(time.DateOnly, *date)
		if err != nil {
			return cli.Usagef("--date is %q, expected a day like 2026-01-31", *date)
		}
		if err := os.MkdirAll(args[0], 0o755); err != nil {
			return err
		}
		pages := Pages(cmd.Root(), version.Number(), at)
		for _, name := range slices.Sorted(maps.Keys(pages)) {
			if err := os.WriteFile(filepath.Join(args[0], name), pages[name], 0o644); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d pages in %s\n", len(pages), args[0])
		return err
	}
	return cmd
}
