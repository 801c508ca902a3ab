package readonly

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// gitReads reports whether a call of git only shows something.
func gitReads(args []effects.Word) bool {
	for i, w := range args { // settings can run programs
		if w.Text == "-c" && i+1 < len(args) || strings.HasPrefix(w.Text, "--config-env") || strings.HasPrefix(w.Text, "--exec-path=") {
			return false
		}
		if !strings.HasPrefix(w.Text, "-") && (i == 0 || args[i-1].Text != "-C") {
			break
		}
	}
	verb, rest := verbOf(args, "-C --git-dir --work-tree --namespace")
	switch verb {
	case "":
		return len(args) > 0 && has(args, "--version", "--help", "-h", "-v", "--exec-path")
	case "log", "status", "diff", "show", "rev-parse", "rev-list", "ls-files", "ls-tree", "blame", "annotate", "grep", "describe",
		"cat-file", "shortlog", "for-each-ref", "merge-base", "name-rev",
		"count-objects", "show-ref", "show-branch", "whatchanged", "diff-tree", "diff-index", "diff-files", "check-ignore", "check-attr",
		"cherry", "range-diff", "var", "version", "help",
		"verify-commit", "verify-tag", "fsck", "ls-remote", "merge-tree":
		return !has(rest, "--output", "-o", "--ext-diff", "--open-files-in-pager", "-O")
	case "branch":
		return operands(rest) == 0 && !has(rest, "-d", "-D", "--delete", "-m", "-M", "--move", "-c", "-C", "--copy", "-f", "--force",
			"--edit-description", "-u", "--set-upstream-to", "--unset-upstream") ||
			has(rest, "--list", "-l", "--contains", "--merged", "--no-merged", "--points-at")
	case "tag":
		return operands(rest) == 0 && !has(rest, "-d", "--delete") || has(rest, "-l", "--list", "--contains", "--points-at", "-v", "--verify")
	case "remote":
		sub, _ := verbOf(rest, "")
		return sub == "" || sub == "show" || sub == "get-url"
	case "stash", "worktree", "submodule", "notes", "bisect", "reflog", "bundle", "lfs":
		sub, _ := verbOf(rest, "")
		switch sub {
		case "list", "show", "status", "summary", "log", "verify", "list-heads", "ls-files", "env":
			return true
		}
		return sub == "" && (verb == "reflog" || verb == "submodule")
	case "config":
		sub, _ := verbOf(rest, "")
		return has(rest, "--get", "--get-all", "--get-regexp", "--list", "-l") || sub == "get" || sub == "list"
	case "symbolic-ref":
		return operands(rest) == 1 && !has(rest, "-d", "--delete")
	case "archive":
		return true // where it writes is an effect
	}
	return false
}
