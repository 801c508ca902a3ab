package bundlecmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/layers"
)

// listed is a bundle as list shows it.
type listed struct {
	layers.Locked
	Stored bool `json:"stored"` // it is on this machine
}

func listCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Args: cobra.NoArgs}
	dir, asJSON := cli.DirFlag(cmd), cli.JSONFlag(cmd)
	cmd.RunE = in(dir, func(_ context.Context, cmd *cobra.Command, p *place) error {
		if p.torn != nil {
			return fmt.Errorf("%s: %w; restore it, or write it again with: trammel bundle lock --downgrade", p.lockFile(), p.torn)
		}
		refs, err := p.refs()
		if err != nil {
			return err
		}
		list, rows := []listed{}, [][]string{{"BUNDLE", "VERSION", "SIGNED BY", "STORED", "SUM", "FROM"}}
		for _, l := range p.lock {
			_, err := os.Stat(filepath.Join(layers.BundlesIn(p.Dirs), layers.BundleFile(l.Sum)))
			one, stored, signer := listed{l, err == nil}, "yes", l.Signer
			if !one.Stored {
				stored = "no"
			}
			if signer == "" {
				signer = "-"
			}
			list, rows = append(list, one), append(rows, []string{l.Name, l.Version, signer, stored, l.Sum, l.From})
		}
		none := nothingExtended
		if len(refs) > 0 {
			none = "nothing is locked yet; run: trammel bundle lock"
		}
		return cli.List(cmd, *asJSON, list, rows, none)
	})
	return cmd
}
