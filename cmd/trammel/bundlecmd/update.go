package bundlecmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/backtest"
	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/bundles/fetch"
	"github.com/trammel-dev/trammel/cmd/trammel/backtestcmd"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
)

func updateCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "update", Args: cobra.NoArgs}
	dir, asJSON := cli.DirFlag(cmd), cli.JSONFlag(cmd)
	diff := cmd.Flags().Bool("diff", false, "only say what would change")
	to := cmd.Flags().String("to", "", "the version to take of git repositories (default: the newest tag)")
	key := cmd.Flags().String("key", "", "a new public key, or the file that it is in: accept it where the old key has not signed")
	yes := cmd.Flags().BoolP("yes", "y", false, "with --key: do not ask")
	downgrade := downgradeFlag(cmd)
	cmd.RunE = in(dir, func(ctx context.Context, cmd *cobra.Command, p *place) error {
		u := update{place: p, to: *to, downgrade: *downgrade}
		if err := u.accept(*key); err != nil {
			return err
		}
		if err := u.find(ctx); err != nil {
			return err
		}
		changes, err := config.Compare(u.set(p.files, u.before), u.set(u.edited, u.after), p.Known())
		if err != nil {
			return err
		}
		var counted *backtest.Report
		if *diff && len(changes) > 0 {
			if counted, err = u.backtest(ctx); err != nil {
				return err
			}
		}
		if !*asJSON { // a person decides after reading it
			if err := u.print(cmd, false, changes, counted); err != nil {
				return err
			}
		}
		if err := u.tell(cli.Shown(cmd, *asJSON)); err != nil {
			return err
		}
		if !*diff {
			if err := cli.Agreed(cmd, *yes || len(u.replaced) == 0, "Accept the new key?"); err != nil {
				return err
			}
			if err := u.apply(); err != nil {
				return err
			}
		}
		if *asJSON {
			if err := u.print(cmd, true, changes, counted); err != nil {
				return err
			}
		}
		if !*diff && !*asJSON && len(changes) > 0 && p.dir != p.Dirs.User { // the user's own files are in force at once
			fmt.Fprintf(cmd.OutOrStdout(), "To put this in force, read it and run: trammel trust %s\n", p.dir)
		}
		if slices.ContainsFunc(changes, func(c config.Change) bool { return c.Effect == config.Loosens }) {
			return cli.Exit(exitLoosens)
		}
		return nil
	})
	return cmd
}

// update is a step from the locked versions to new ones.
type update struct {
	*place
	to            string
	downgrade     bool
	newKey        string   // that may replace others
	replaced      []string // what is said about each key that it replaces
	edited        []layers.File
	before, after []fetch.Found
}

// find computes both sides. If a file already names another commit than the
// lock, for example after a change by Renovate, that is the new version; else
// the newest tag is.
func (u *update) find(ctx context.Context) error {
	refs, err := u.refs()
	if err != nil {
		return err
	}
	if u.torn != nil {
		return fmt.Errorf("%s: %w", u.lockFile(), u.torn)
	}
	u.edited = slices.Clone(u.files)
	pending := false
	var locked []bundles.Ref
	for _, ref := range refs {
		old := ref
		if ref.Find(u.lock) == nil {
			pending = true
			i := slices.IndexFunc(u.lock, func(l layers.Locked) bool { return l.From == ref.From })
			if i < 0 {
				continue // it is new
			}
			old.Rev, old.Version = u.lock[i].Rev, ""
		}
		locked = append(locked, old)
	}
	if u.before, err = u.synced(ctx, locked); errors.Is(err, bundles.ErrSigner) {
		return fmt.Errorf("the locked version: %w; if you have changed key in the file, change it back and run: "+
			"trammel bundle update --key KEY", err)
	} else if err != nil {
		return err
	}
	for _, ref := range refs {
		if origin, _ := ref.Origin(); origin != bundles.Git || pending {
			continue
		}
		tag, err := fetch.Newest(ctx, ref.From, u.to)
		if err != nil {
			return err
		}
		if tag.Rev != ref.Rev {
			if err := u.edit(ref, tag); err != nil {
				return err
			}
		}
	}
	r := u.resolver()
	r.Downgrade = u.downgrade
	if err := u.replaceKeys(ctx, r); err != nil {
		return err
	}
	if refs, err = u.next().refs(); err != nil {
		return err
	}
	if u.after, err = r.Resolve(ctx, u.dir, refs); errors.Is(err, bundles.ErrSigner) {
		err = fmt.Errorf("%w; if the bundle's owner has told you about a new key, run: trammel bundle update --key KEY", err)
	}
	return err
}

// next is this place with the edited files.
func (u *update) next() *place {
	next := *u.place
	next.files = u.edited
	return &next
}

// edit writes another commit and version into the file that names a bundle, and
// leaves everything else unchanged.
func (u *update) edit(ref bundles.Ref, tag fetch.Tag) error {
	old := ref.Version
	if l := ref.Find(u.lock); l != nil {
		old = l.Version
	}
	for i := range u.edited {
		f := &u.edited[i]
		if !strings.Contains(string(f.Data), ref.Rev) {
			continue
		}
		lines := strings.SplitAfter(string(f.Data), "\n")
		for n, line := range lines {
			if !strings.Contains(line, ref.Rev) {
				continue
			}
			lines[n] = strings.ReplaceAll(strings.ReplaceAll(line, ref.Rev, tag.Rev), old, tag.Version)
			if ref.Version == "" {
				continue
			}
			for k := max(0, n-4); k < min(len(lines), n+5); k++ { // the other keys of the same bundle
				lines[k] = strings.ReplaceAll(lines[k], "version: "+ref.Version, "version: "+tag.Version)
			}
		}
		f.Data = []byte(strings.Join(lines, ""))
	}
	for _, f := range u.edited {
		refs, err := config.Extends(f.Path, f.Data)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(refs, func(r bundles.Ref) bool {
			return r.From == ref.From && r.Rev == tag.Rev && (r.Version == "" || r.Version == tag.Version)
		}) {
			return nil
		}
	}
	return fmt.Errorf("%s: cannot write %s into the file; write this yourself: rev: %s # %s", ref.From, tag.Version, tag.Rev, tag.Version)
}

// apply writes the edited files, and the lock last: until then it does not
// match, and calls are blocked.
func (u *update) apply() error {
	for i := range u.edited {
		if string(u.edited[i].Data) != string(u.files[i].Data) {
			if err := replace(u.edited[i].Path, u.edited[i].Data); err != nil {
				return err
			}
		}
	}
	return u.write(u.after)
}

// set is a configuration of only these files and bundles, in the user's layer,
// so that all of it counts.
func (u *update) set(files []layers.File, found []fetch.Found) *layers.Set {
	set := &layers.Set{Root: u.dir, Bundles: map[string]layers.Bundle{}}
	for _, f := range files {
		f.Layer, f.Trust = layers.Project, layers.Trusted
		set.Files = append(set.Files, f)
	}
	list := make([]layers.Locked, len(found))
	for i, f := range found {
		list[i] = f.Locked
		set.Bundles[f.Sum] = layers.Bundle{Path: f.From, Data: f.Bundle.Encode()}
	}
	set.Files = append(set.Files, layers.File{Layer: layers.Project, Path: u.lockFile(), Dir: u.dir, Data: layers.FormatLock(list),
		Trust: layers.Trusted})
	return set
}

func (u *update) print(cmd *cobra.Command, asJSON bool, changes []config.Change, counted *backtest.Report) error {
	if asJSON {
		after := make([]layers.Locked, len(u.after))
		for i := range u.after {
			after[i] = u.after[i].Locked
		}
		out := map[string]any{"bundles": after, "changes": counts(changes, counted)}
		if counted != nil {
			out["backtest"] = counted
		}
		return cli.JSON(cmd.OutOrStdout(), out)
	}
	if len(changes) == 0 {
		nothing := "no hook changes"
		if len(u.after) == 0 {
			nothing = nothingExtended
		}
		_, err := fmt.Fprintln(cmd.OutOrStdout(), nothing)
		return err
	}
	rows := [][]string{{"EFFECT", "HOOK", "CHANGE", "WHY", "BUNDLE"}}
	if counted != nil {
		rows[0] = append(rows[0], "LOOSENED", "TIGHTENED")
	}
	for _, c := range counts(changes, counted) {
		row := []string{string(c.Effect), c.Hook, c.What, c.Why, c.Bundle}
		if counted != nil {
			row = append(row, strconv.Itoa(*c.Loosened), strconv.Itoa(*c.Tightened))
		}
		rows = append(rows, row)
	}
	if err := cli.Table(cmd.OutOrStdout(), rows); err != nil || counted == nil {
		return err
	}
	fmt.Fprint(cmd.OutOrStdout(), "\nbacktest of the last 30 days: ")
	return backtestcmd.Summary(cmd.OutOrStdout(), counted)
}
