package gitprefs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// NoHooks reports whether what Bypass says is that git runs no hooks at all, for
// one call.
func NoHooks(bypass string) bool {
	dir, ok := strings.CutPrefix(bypass, "core.hooksPath=")
	return ok && (dir == "" || dir == "/dev/null")
}

// SkipsHooks reports whether a variable makes a manager of git hooks skip them.
func SkipsHooks(e model.Assign) bool {
	value := strings.ToLower(e.Value.Text)
	switch e.Name {
	case "HUSKY", "LEFTHOOK", "SIMPLE_GIT_HOOKS_ENABLED":
		return value == "0" || value == "false"
	case "HUSKY_SKIP_HOOKS", "HUSKY_SKIP_INSTALL", "SKIP_SIMPLE_GIT_HOOKS", "OVERCOMMIT_DISABLE", "PRE_COMMIT_ALLOW_NO_CONFIG",
		"SKIP_GIT_HOOKS", "GIT_SKIP_HOOKS", "SKIP_YORKIE":
		return value != "" && value != "0" && value != "false"
	case "SKIP", "LEFTHOOK_EXCLUDE", "LEFTHOOK_SKIP", "OVERCOMMIT_SKIP", "HUSKY_GIT_PARAMS_SKIP": // which hooks not to run
		return value != ""
	}
	return false
}

// ManagedHooks reports whether a folder is one in which projects usually store
// their hooks: pointing git to it switches hooks on.
func ManagedHooks(w model.Word) bool {
	switch strings.TrimPrefix(strings.TrimSuffix(w.Text, "/"), "./") {
	case ".husky", ".husky/_", ".githooks", ".git-hooks", "githooks", "git-hooks", "hooks", "scripts/hooks", "scripts/git-hooks",
		".config/git-hooks", ".hooks", "tools/hooks", "dev/hooks", "contrib/hooks":
		return w.Known
	}
	return false
}
