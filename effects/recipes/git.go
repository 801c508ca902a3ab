package recipes

import (
	"iter"
	"strings"
)

// Settings are those of a configuration of git: alias.x and its value.
func Settings(text string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		section := ""
		for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
			line = strings.TrimSpace(line)
			if inner, ok := strings.CutPrefix(line, "["); ok {
				section, line, _ = strings.Cut(inner, "]")
				section = strings.ReplaceAll(strings.ReplaceAll(section, " ", "."), `"`, "")
			}
			key, value, ok := strings.Cut(line, "=")
			if ok && !yield(strings.ToLower(section+"."+strings.TrimSpace(key)), settingValue(value)) {
				return
			}
		}
	}
}

var settingEscapes = strings.NewReplacer("n", "\n", "t", "\t", "b", "\b")

// settingValue is a value as git reads it: without quotes and comments, with what a
// backslash stands for.
func settingValue(text string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			out.WriteString(settingEscapes.Replace(text[i : i+1]))
		case c == '"':
			quoted = !quoted
		case (c == '#' || c == ';') && !quoted:
			i = len(text)
		default:
			out.WriteByte(c)
		}
	}
	return strings.TrimSpace(out.String())
}

// GitOwn reports whether git has this command itself: an alias cannot replace it.
func GitOwn(verb string) bool {
	switch verb {
	case "add", "am", "apply", "archive", "bisect", "blame", "branch", "bundle", "cat-file", "check-ignore", "checkout",
		"cherry", "cherry-pick", "commit-tree", "count-objects", "read-tree", "request-pull", "clean", "clone", "commit",
		"config", "describe", "diff", "difftool", "fetch", "filter-branch", "format-patch", "fsck", "gc", "grep", "help",
		"init", "log", "ls-files", "ls-remote", "ls-tree", "maintenance", "merge", "merge-base", "mergetool", "mv", "notes",
		"prune", "pull", "push", "range-diff", "rebase", "reflog", "remote", "repack", "replace", "reset", "restore",
		"rev-list", "rev-parse", "revert", "rm", "send-pack", "http-push", "subtree", "shortlog", "show", "show-ref",
		"sparse-checkout", "stash", "status", "submodule", "switch", "symbolic-ref", "tag", "update-index", "update-ref",
		"version", "whatchanged", "worktree", "write-tree":
		return true
	}
	return false
}
