package fetch

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/bundles"
	"github.com/trammel-dev/trammel/internal/git"
	"github.com/trammel-dev/trammel/internal/procgroup"
)

// maxListing limits the output of git that is read.
const maxListing = 4 << 20

// remote runs git with access to the network and the user's credentials.
func remote(ctx context.Context, dir string, args ...string) ([]byte, error) {
	argv := append([]string{"git", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.ext.allow=never", "-c", "gc.auto=0",
		"-c", "maintenance.auto=false"}, args...)
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { // the current directory must not affect it
		return strings.HasPrefix(v, "GIT_DIR=") || strings.HasPrefix(v, "GIT_WORK_TREE=") || strings.HasPrefix(v, "GIT_INDEX_FILE=")
	})
	result, err := procgroup.Run(ctx, procgroup.Command{Args: argv, Dir: dir, Env: append(env, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C.UTF-8"),
		MaxOutput: maxListing})
	if err != nil {
		return nil, err
	}
	if result.Exit != 0 || result.Signal != "" {
		return nil, &git.Error{Command: args[0], Exit: result.Exit, Said: strings.TrimSpace(string(result.Stderr))}
	}
	return result.Stdout, nil
}

// fromGit reads the files of one commit. It never checks them out, so nothing in the
// repository can change how they are written.
func fromGit(ctx context.Context, from, rev string) (*bundles.Bundle, error) {
	dir, err := os.MkdirTemp("", "trammel-bundle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if _, err := remote(ctx, dir, "init", "--quiet", "--bare", "."); err != nil {
		return nil, err
	}
	if _, err := remote(ctx, dir, "fetch", "--quiet", "--depth=1", "--no-tags", "--", from, rev); err != nil {
		// Not every server serves a commit by its id.
		if _, all := remote(ctx, dir, "fetch", "--quiet", "--tags", "--", from, "+refs/heads/*:refs/heads/*"); all != nil {
			return nil, all
		}
	}
	repo := git.Repo{Dir: dir, Shadow: dir}
	kind, _, err := repo.Output(ctx, 64, nil, "cat-file", "-t", rev)
	if err != nil || strings.TrimSpace(string(kind)) != "commit" {
		return nil, fmt.Errorf("there is no commit %s", rev)
	}
	listing, cut, err := repo.Output(ctx, maxListing, nil, "ls-tree", "-r", "-z", "--full-tree", rev)
	if err != nil {
		return nil, err
	}
	var list []bundles.File
	var ids strings.Builder
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(listing), "\x00"), "\x00") {
		head, name, _ := strings.Cut(entry, "\t")
		mode := strings.Fields(head)
		if len(mode) != 3 || mode[1] != "blob" || mode[0] == "120000" {
			return nil, fmt.Errorf("%s is a link or a submodule, and a bundle can only have regular files", name)
		}
		list = append(list, bundles.File{Name: name})
		ids.WriteString(mode[2] + "\n")
	}
	if cut || len(list) > bundles.MaxFiles {
		return nil, fmt.Errorf("it has more than %d files", bundles.MaxFiles)
	}
	contents, cut, err := repo.Output(ctx, 2*maxListing, []byte(ids.String()), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Data, contents, err = blob(contents); err != nil || cut {
			return nil, fmt.Errorf("its files are too large, or git did not print them")
		}
	}
	return bundles.New(list)
}

// blob reads the next object from the output of cat-file.
func blob(out []byte) (data, rest []byte, err error) {
	head, rest, _ := bytes.Cut(out, []byte("\n"))
	fields := bytes.Fields(head)
	if len(fields) != 3 {
		return nil, nil, strconv.ErrSyntax
	}
	n, err := strconv.Atoi(string(fields[2]))
	if err != nil || n < 0 || n >= len(rest) {
		return nil, nil, cmp.Or(err, strconv.ErrRange)
	}
	return rest[:n:n], rest[n+1:], nil
}

// Tag is a released version of a git repository.
type Tag struct{ Version, Rev string }

// Newest is the highest version among the tags of a repository. Pre-releases count only if
// want asks for exactly that one.
func Newest(ctx context.Context, from, want string) (Tag, error) {
	out, err := remote(ctx, "", "ls-remote", "--tags", "--", from)
	if err != nil {
		return Tag{}, err
	}
	revs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		rev, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		name, peeled := strings.CutSuffix(strings.TrimPrefix(ref, "refs/tags/"), "^{}")
		if bundles.IsVersion(name) && (peeled || revs[name] == "") { // of a tag with a text, the commit
			revs[name] = rev
		}
	}
	var best Tag
	for version, rev := range revs {
		if want != "" && version != want || want == "" && semver.Prerelease(version) != "" {
			continue
		}
		if best.Version == "" || semver.Compare(version, best.Version) > 0 {
			best = Tag{version, rev}
		}
	}
	if best.Version == "" {
		return best, fmt.Errorf("%s has no tag %s", from, cmp.Or(want, "such as v1.2.0"))
	}
	return best, nil
}
