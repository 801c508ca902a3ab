package recipes

import (
	"iter"
	"strings"
)

// Settings are those of a configuration of git: alias.x and its value.
func Settings(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		section := ""
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if inner, ok := strings.CutPrefix(line, "["); ok {
				section, line, _ = strings.Cut(inner, "]")
				section = strings.ReplaceAll(strings.ReplaceAll(section, " ", "."), `"`, "")
			}
			key, value, ok := strings.Cut(line, "=")
			if ok && !yield(strings.ToLower(section+"."+strings.TrimSpace(key)), strings.Trim(strings.TrimSpace(value), `"`)) {
				return
			}
		}
	}
}

// GitOwn reports whether git has this command itself: an alias cannot replace it.
func GitOwn(verb string) bool {
	switch verb {
	case "add", "am", "apply", "archive", "bisect", "blame", "branch", "bundle", "cat-file", "check-ignore", "checkout", "cherry",
		"cherry-pick",
		"commit-tree", "count-objects", "read-tree", "request-pull",
		"clean", "clone", "commit", "config", "describe", "diff", "difftool",
		"fetch", "filter-branch", "format-patch", "fsck", "gc", "grep", "help", "init", "log", "ls-files", "ls-remote", "ls-tree",
		"maintenance", "merge", "merge-base", "mergetool", "mv", "notes", "prune", "pull", "push",
		"range-diff", "rebase", "reflog", "remote", "repack", "replace", "reset", "restore", "rev-list", "rev-parse", "revert", "rm",
		"send-pack", "http-push", "subtree", "shortlog", "show", "show-ref", "sparse-checkout", "stash", "status", "submodule",
		"switch", "symbolic-ref", "tag", "update-index", "update-ref", "version", "whatchanged", "worktree", "write-tree":
		return true
	}
	return false
}
