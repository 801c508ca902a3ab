// Package changed knows which files a session has changed: from the host, if
// it says so, else from git.
package changed

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/git"
)

// Limits for git: the end of a session must not wait for a huge repository.
const (
	patience = 5 * time.Second
	most     = 1 << 20
)

type key struct{}

// Files are the changed files, relative to the root of the repository, with
// slashes. If the host has none in the field changed_files, they are the files
// that are not committed, according to git. nil also means unknown.
func Files(ev *trammel.Event) []string {
	if list, ok := ev.Fields["changed_files"].([]any); ok {
		var out []string
		for _, v := range list {
			if s, ok := v.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	files, _ := ev.Memo(key{}, func() any { return uncommitted(ev) }).([]string)
	return files
}

func uncommitted(ev *trammel.Event) []string {
	dir := ev.Session.Place()
	root := git.Root(dir)
	if root == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return In(ctx, root)
}

// In is what git says is not committed in a repository.
func In(ctx context.Context, root string) []string {
	out, _, err := git.Repo{Dir: root}.Output(ctx, most, nil, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
	if err != nil {
		return nil
	}
	var files []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if len(entry) > 3 {
			files = append(files, filepath.ToSlash(entry[3:]))
		}
	}
	return files
}

// Paths is true for events of a session that has changed a file that matches
// one of the globs; ** crosses directories.
func Paths(globs []string) trammel.Condition { return paths(globs) }

type paths []string

func (p paths) String() string { return "a changed file matches " + strings.Join(p, " or ") }

func (p paths) Holds(ev *trammel.Event) bool {
	for _, file := range Files(ev) {
		file = strings.TrimPrefix(file, "./")
		for _, glob := range p {
			if doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "./"), file) {
				return true
			}
		}
	}
	return false
}
