package bundlecmd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/bundles/fetch"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/internal/layers"
)

func lockCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "lock", Args: cobra.NoArgs}
	dir, asJSON := cli.DirFlag(cmd), cli.JSONFlag(cmd)
	downgrade := downgradeFlag(cmd)
	cmd.RunE = in(dir, func(ctx context.Context, cmd *cobra.Command, p *place) error {
		if p.torn != nil && !*downgrade { // the locked versions are unknown
			return fmt.Errorf("%s: %w (use --downgrade, because it is unknown what was locked)", p.lockFile(), p.torn)
		}
		refs, err := p.refs()
		if err != nil {
			return err
		}
		r := p.resolver()
		r.Downgrade = *downgrade
		found, err := r.Resolve(ctx, p.dir, refs)
		if err != nil {
			return err
		}
		if err := p.write(found); err != nil {
			return err
		}
		return printed(cmd, *asJSON, found)
	})
	return cmd
}

func downgradeFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("downgrade", false, "take versions that are older than the locked ones")
}

func syncCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "sync", Args: cobra.NoArgs}
	dir, asJSON := cli.DirFlag(cmd), cli.JSONFlag(cmd)
	vendor := cmd.Flags().Bool("vendor", false, "also copy the bundles into the project, to be committed")
	cmd.RunE = in(dir, func(ctx context.Context, cmd *cobra.Command, p *place) error {
		refs, err := p.refs()
		if err != nil {
			return err
		}
		if err := p.fromVendor(); err != nil {
			return err
		}
		found, err := p.synced(ctx, refs)
		if err != nil {
			return err
		}
		copies := repaired
		if *vendor {
			copies = vendored
		}
		if err := copies(filepath.Join(p.dir, layers.Vendor), found); err != nil {
			return err
		}
		return printed(cmd, *asJSON, found)
	})
	return cmd
}

// fromVendor stores the project's own copies on this machine, so that nothing
// has to be fetched. A damaged copy is left out.
func (p *place) fromVendor() error {
	for _, l := range p.lock {
		b, err := bundles.Load(filepath.Join(p.dir, layers.Vendor), l.Sum)
		if err != nil || b == nil {
			continue
		}
		if err := bundles.Store(layers.BundlesIn(p.Dirs), b); err != nil {
			return err
		}
	}
	return nil
}

// repaired replaces the project's own copies that are damaged.
func repaired(dir string, found []fetch.Found) error {
	for _, f := range found {
		if _, err := bundles.Load(dir, f.Sum); err == nil {
			continue
		}
		if err := bundles.Store(dir, f.Bundle); err != nil {
			return err
		}
	}
	return nil
}

// vendored makes a directory contain exactly these bundles.
func vendored(dir string, found []fetch.Found) error {
	keep := map[string]bool{}
	for _, f := range found {
		keep[layers.BundleFile(f.Sum)] = true
		if err := bundles.Store(dir, f.Bundle); err != nil {
			return err
		}
	}
	old, err := filepath.Glob(filepath.Join(dir, "h1-*.bundle"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if !keep[filepath.Base(path)] {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}
