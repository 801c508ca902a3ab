package agent

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/git"
)

// snapshot is how a repository stood when a session began: its commit, and
// what was not committed, so that what a person had left lying about is not
// taken for the session's work.
type snapshot struct {
	git   string // the root of the repository of git
	root  string // the directory that the session is about
	head  string // "" in a repository without commits
	dirty map[string]string
}

// patience is how long git is waited for, most how much it may say.
const (
	patience = 10 * time.Second
	most     = 8 << 20
)

// look takes a snapshot, nil where there is no repository of git.
func look(ctx context.Context, root string) *snapshot {
	at := git.Root(root)
	if at == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := &snapshot{git: at, root: root}
	if out, _, err := (git.Repo{Dir: at}).Output(ctx, most, nil, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		s.head = strings.TrimSpace(string(out))
	}
	files, ok := s.uncommitted(ctx)
	if !ok {
		return &snapshot{git: at, root: root}
	}
	s.dirty = make(map[string]string, len(files))
	for _, f := range files {
		s.dirty[f] = s.stamp(f)
	}
	return s
}

// since lists what has changed since then: committed or not, tracked or not,
// also what was put back. known is false where git could not be asked.
func (s *snapshot) since(ctx context.Context) (files []string, known bool) {
	if s == nil || s.dirty == nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	now, ok := s.uncommitted(ctx)
	if !ok {
		return nil, false
	}
	changed := map[string]bool{}
	for _, f := range now {
		if before, was := s.dirty[f]; !was || before != s.stamp(f) {
			changed[f] = true
		}
	}
	for f, before := range s.dirty {
		if !slices.Contains(now, f) && before != s.stamp(f) {
			changed[f] = true
		}
	}
	committed, ok := s.committed(ctx)
	if !ok {
		return nil, false
	}
	for _, f := range committed {
		if before, was := s.dirty[f]; !was || before != s.stamp(f) { // somebody may only have committed what was there
			changed[f] = true
		}
	}
	return s.own(slices.Sorted(maps.Keys(changed))), true
}

func (s *snapshot) uncommitted(ctx context.Context) ([]string, bool) {
	entries, ok := s.ask(ctx, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
	for i, e := range entries {
		entries[i] = e[min(3, len(e)):]
	}
	return entries, ok
}

func (s *snapshot) committed(ctx context.Context) ([]string, bool) {
	if s.head == "" {
		files, ok := s.ask(ctx, "ls-files", "-z")
		return files, ok
	}
	return s.ask(ctx, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", s.head, "HEAD")
}

func (s *snapshot) ask(ctx context.Context, args ...string) ([]string, bool) {
	out, truncated, err := git.Repo{Dir: s.git}.Output(ctx, most, nil, args...)
	if err != nil || truncated {
		return nil, false
	}
	return slices.DeleteFunc(strings.Split(string(out), "\x00"), func(e string) bool { return e == "" }), true
}

// stamp tells one state of a file from another.
func (s *snapshot) stamp(file string) string {
	info, err := os.Lstat(filepath.Join(s.git, filepath.FromSlash(file)))
	if err != nil {
		return "gone"
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano(), info.Mode())
}

// own keeps what is below the session's directory, seen from there, without
// what the runtime itself writes.
func (s *snapshot) own(files []string) []string {
	prefix := ""
	gitRoot, err1 := filepath.EvalSymlinks(s.git)
	root, err2 := filepath.EvalSymlinks(s.root)
	if rel, err := filepath.Rel(gitRoot, root); err1 == nil && err2 == nil && err == nil && rel != "." {
		prefix = filepath.ToSlash(rel) + "/"
	}
	var out []string
	for _, f := range files {
		f, inside := strings.CutPrefix(f, prefix)
		if inside && !strings.HasPrefix(f, ".system/implement/") && !strings.HasPrefix(f, ".system/logs/") &&
			!strings.HasPrefix(f, ".system/cache/") {
			out = append(out, f)
		}
	}
	return out
}
