package backtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/internal/git"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Changed is the configuration of a project as it will be once a person trusts
// it: with its files as they are there or, if dir is not "", as they are in
// that directory.
func Changed(dirs layers.Dirs, project, dir string) (*layers.Set, error) {
	set, err := layers.Find(dirs, project)
	if err != nil {
		return nil, err
	}
	if dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		with, found, err := set.With(abs)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("%s has no %s and no %s, expected a directory with the changed configuration", dir, layers.FileName,
				layers.RepositoryHooks)
		}
		set = with
	}
	return set.Trusting(), nil
}

// AtRevision is Changed with the project's files as a commit has them.
func AtRevision(ctx context.Context, dirs layers.Dirs, project, rev string) (*layers.Set, error) {
	root := layers.Root(dirs, project)
	dir, err := os.MkdirTemp("", "trammel-backtest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := checkout(ctx, git.Repo{Dir: root}, rev, dir); err != nil {
		return nil, err
	}
	set, err := Changed(dirs, project, dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rev, err)
	}
	return set, nil
}

// checkout writes the configuration files of a commit to a directory.
func checkout(ctx context.Context, repo git.Repo, rev, dir string) error {
	out, _, err := repo.Output(ctx, 1<<10, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return fmt.Errorf("--rev: %q is not a commit of %s", rev, repo.Dir)
	}
	commit := strings.TrimSpace(string(out))
	list, cut, err := repo.Output(ctx, layers.MaxFile, nil, "ls-tree", "-r", "-z", "--name-only", commit, "--",
		layers.FileName, layers.DropIn, filepath.ToSlash(layers.RepositoryHooks))
	if err == nil && cut {
		err = fmt.Errorf("there are more than %d bytes of names", layers.MaxFile)
	}
	if err != nil {
		return fmt.Errorf("the files of %s cannot be listed: %w", rev, err)
	}
	for name := range bytes.SplitSeq(bytes.TrimSuffix(list, []byte{0}), []byte{0}) {
		if len(name) == 0 {
			continue
		}
		path := filepath.FromSlash(string(name))
		if !filepath.IsLocal(path) {
			return fmt.Errorf("%s names a file %q outside of the project", rev, path)
		}
		data, cut, err := repo.Output(ctx, layers.MaxFile, nil, "show", "--no-textconv", commit+":./"+string(name))
		if err == nil && cut {
			err = fmt.Errorf("it has more than %d bytes", layers.MaxFile)
		}
		if err != nil {
			return fmt.Errorf("%s of %s cannot be read: %w", path, rev, err)
		}
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, path), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
