// Package gitbypass says how a call of git avoids the hooks of its repository, and
// which setting it changes.
package gitbypass

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/gitline"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
)

// Of says how a call avoids the hooks of its repository, "" if it does not.
func Of(c *programs.Git) string {
	if c.Help {
		return ""
	}
	if dir, ok := c.Get("core.hookspath"); ok {
		if how := "core.hooksPath=" + dir.Text; !(dir.Known && gitprefs.NoHooks(how) && unchecked(c)) && !(c.Sub == "" && dir.Text == "") {
			return how
		}
	}
	for _, e := range c.Run.Env {
		if gitprefs.SkipsHooks(e) {
			return e.Name + "=" + e.Value.Text
		}
	}
	switch c.Sub {
	case "commit", "merge", "rebase", "push", "pull", "am":
		if o := c.Options(); o.Has("no-verify") && !o.Explains("help") {
			return "git " + c.Sub + " --no-verify"
		}
	case "config":
		return hooksConfig(c)
	case "clone": // -c there is a setting of the new repository
		o := c.Options()
		for _, w := range o.All("config") {
			if gitline.SettingOf(w).Key == "core.hookspath" {
				return "git clone -c " + w.Text
			}
		}
	}
	return ""
}

// unchecked reports whether git runs no hook that checks anything for a subcommand.
func unchecked(c *programs.Git) bool {
	switch c.Sub {
	case "add", "archive", "bundle", "cat-file", "checkout", "clone", "describe", "diff", "fetch", "init", "log", "ls-files", "ls-remote",
		"ls-tree", "merge-base", "read-tree", "remote", "rev-list", "rev-parse", "show", "status", "submodule", "switch", "tag", "update-index",
		"worktree":
		return true
	}
	return false
}

// ConfigChange returns the setting that a call of git config changes; a
// setting that is removed has no value.
func ConfigChange(c *programs.Git) (s programs.Setting, removed, ok bool) {
	if c.Sub != "config" {
		return s, false, false
	}
	o := c.Options()
	if o.Has("get", "get-all", "get-regexp", "get-urlmatch", "list", "edit", "get-color", "get-colorbool") {
		return s, false, false
	}
	removed = o.Has("unset", "unset-all", "remove-section", "rename-section")
	switch o.Word(0) {
	case "unset", "remove-section", "rename-section":
		removed = true
	case "get", "list", "edit":
		return s, false, false
	}
	key, value, sets := gitprefs.Setting(&o)
	if key.Text == "" || !sets && !removed {
		return s, false, false
	}
	return programs.Setting{Key: strings.ToLower(key.Text), Value: value}, removed, true
}

func hooksConfig(c *programs.Git) string {
	s, removed, ok := ConfigChange(c)
	switch {
	case !ok:
		return ""
	case s.Key == "core.hookspath" && removed:
		return "git config --unset core.hooksPath"
	case s.Key == "core.hookspath" && !gitprefs.ManagedHooks(s.Value):
		return "git config core.hooksPath " + s.Value.Text
	}
	return ""
}

// Orphan reports whether a run begins a branch without a past: what it leaves is on the old one.
func Orphan(r *model.Run) bool {
	g, ok := programs.ReadGit(r)
	if !ok || g.Sub != "checkout" && g.Sub != "switch" {
		return false
	}
	o := g.Options()
	return o.Has("orphan")
}
