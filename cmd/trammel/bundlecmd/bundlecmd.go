// Package bundlecmd is trammel bundle: rules that several projects share.
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
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// exitLoosens is the exit code of update if it lets more through than before.
const exitLoosens = 3

// New is the command with all its verbs.
func New() *cobra.Command {
	cmd := &cobra.Command{Use: "bundle"}
	cmd.AddCommand(keygenCmd(), initCmd(), signCmd(), verifyCmd(), listCmd(), lockCmd(), syncCmd(), updateCmd())
	return cmd
}

// place is a directory whose files extend bundles.
type place struct {
	*full.Program
	dir   string
	files []layers.File
	lock  []layers.Locked
	torn  error // what is wrong with the lock file
	// trusted is what was locked when a person trusted it: a lock that is removed or
	// written by hand hides no step back from that.
	trusted []layers.Locked
}

// open reads the directory of the configuration that dir belongs to.
func open(dir string) (*place, error) {
	program, err := cli.Program()
	if err != nil {
		return nil, err
	}
	abs, err := cli.Directory(dir)
	if err != nil {
		return nil, err
	}
	p := &place{Program: program, dir: layers.Root(program.Dirs, abs)}
	if p.files, err = layers.FilesIn(p.dir); err != nil {
		return nil, err
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("%s: there is no %s here or in a directory above, so no bundle is extended", abs, layers.FileName)
	}
	if p.trusted, err = layers.TrustedLock(program.Dirs, p.dir); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(p.lockFile())
	if os.IsNotExist(err) {
		return p, nil
	}
	if err == nil {
		p.lock, p.torn = layers.ParseLock(data)
	}
	return p, err
}

// in makes a command that runs in the directory that dir belongs to. It can be
// interrupted.
func in(dir *string, do func(ctx context.Context, cmd *cobra.Command, p *place) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		ctx, stop := cli.Interruptible(cmd)
		defer stop()
		p, err := open(*dir)
		if err != nil {
			return err
		}
		return do(ctx, cmd, p)
	}
}

func (p *place) lockFile() string { return filepath.Join(p.dir, layers.LockName) }

// resolver finds bundles for this place.
func (p *place) resolver() *fetch.Resolver {
	return &fetch.Resolver{Stored: layers.BundlesIn(p.Dirs), Extends: config.Extends, Lock: p.lock, Trusted: p.trusted}
}

// refs are all bundles that the files extend.
func (p *place) refs() (refs []bundles.Ref, err error) {
	for _, f := range p.files {
		more, err := config.Extends(f.Path, f.Data)
		if err != nil {
			return nil, err
		}
		refs = append(refs, more...)
	}
	return refs, nil
}

// synced fetches everything that is locked.
func (p *place) synced(ctx context.Context, refs []bundles.Ref) ([]fetch.Found, error) {
	if p.torn != nil {
		return nil, fmt.Errorf("%s: %w", p.lockFile(), p.torn)
	}
	r := p.resolver()
	r.Locked = true
	return r.Resolve(ctx, p.dir, refs)
}

// write replaces the lock file; one without bundles is removed.
func (p *place) write(found []fetch.Found) error {
	if len(found) == 0 {
		if err := os.Remove(p.lockFile()); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	list := make([]layers.Locked, len(found))
	for i := range found {
		list[i] = found[i].Locked
	}
	return replace(p.lockFile(), layers.FormatLock(list))
}

// replace writes a file that is meant to be shared.
func replace(path string, data []byte) error {
	return files.ReplaceWith(path, data, func(f *os.File) error { return f.Chmod(0o644) })
}

const nothingExtended = "nothing is extended here"

// printed shows bundles as a table or as JSON.
func printed(cmd *cobra.Command, asJSON bool, found []fetch.Found) error {
	if asJSON {
		list := make([]layers.Locked, len(found))
		for i := range found {
			list[i] = found[i].Locked
		}
		return cli.JSON(cmd.OutOrStdout(), list)
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), nothingExtended)
		return err
	}
	rows := [][]string{{"BUNDLE", "VERSION", "SIGNED BY", "SUM", "FROM"}}
	for _, f := range found {
		signer := f.Signer
		if signer == "" {
			signer = "-"
		}
		rows = append(rows, []string{f.Name, f.Version, signer, f.Sum, f.From})
	}
	return cli.Table(cmd.OutOrStdout(), rows)
}
