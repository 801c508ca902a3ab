package additions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/git"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
)

const (
	// mostOfGit limits how much of git's output reaches the model.
	mostOfGit = 4 << 10
	// patience is how long git may take, so that a large repository on a slow
	// disk does not hold up a prompt.
	patience = 5 * time.Second
)

// Status declares add_git_status.
func Status() trammel.Policy {
	return plain("add_git_status", "tells the model the branch and the changed files, and when they change", changing,
		func(ctx context.Context, ev *trammel.Event) (string, error) {
			return fromGit(ctx, ev, "Git status:", "status", "--short", "--branch", "--ignore-submodules=dirty", "--no-renames")
		})
}

// DiffOptions are those of add_git_diff.
type DiffOptions struct {
	Full bool `json:"full,omitempty" jsonschema:"Show the changes themselves instead of a summary."`
}

// Diff declares add_git_diff.
func Diff() trammel.Policy {
	return policy("add_git_diff", "tells the model what has changed since the last commit, and when that changes", changing, DiffOptions{},
		func(o DiffOptions) (addition, error) {
			form := "--stat"
			if o.Full {
				form = "--patch"
			}
			return func(ctx context.Context, ev *trammel.Event) (string, error) {
				return fromGit(ctx, ev, "Git diff:", "diff", form, "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--no-color")
			}, nil
		})
}

// CommitsOptions are those of add_recent_commits.
type CommitsOptions struct {
	Count int `json:"count,omitempty" jsonschema:"How many commits are shown."`
}

// Commits declares add_recent_commits.
func Commits() trammel.Policy {
	return policy("add_recent_commits", "tells the model the last commits", starting, CommitsOptions{Count: 10},
		func(o CommitsOptions) (addition, error) {
			return func(ctx context.Context, ev *trammel.Event) (string, error) {
				return fromGit(ctx, ev, "Recent commits:", "log", "--oneline", "--no-decorate", "--no-show-signature",
					fmt.Sprintf("--max-count=%d", o.Count))
			}, option.AtLeast("count", o.Count, 1)
		})
}

// fromGit returns git's output about the session's directory, under a title. It is
// empty outside of a repository, and in one without a commit.
func fromGit(ctx context.Context, ev *trammel.Event, title string, args ...string) (string, error) {
	if git.Root(ev.Session.Dir) == "" {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, truncated, err := git.Repo{Dir: ev.Session.Dir}.Output(ctx, mostOfGit, nil, args...)
	var failed *git.Error
	if errors.As(err, &failed) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text := strings.ToValidUTF8(strings.TrimRight(string(out), "\n"), "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	if truncated {
		text += "\n... (cut off)"
	}
	text, _ = secret.Redact(text)
	return title + "\n" + text, nil
}
