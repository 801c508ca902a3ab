package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/gitbypass"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
)

// gitCall is a call of git, and where it works.
type gitCall struct {
	programs.Git
	j *judge
	// run is its index.
	run int
	// dir is where it runs, "" if unknown.
	dir string
	// scratch is true when the work tree is a temporary one.
	scratch bool
}

// git judges a call of git.
func (j *judge) git(i int) {
	call, _ := programs.ReadGit(&j.set.Runs[i])
	c := gitCall{Git: call, j: j, run: i, dir: directory(j.set.Runs[i].Dir, call.Dirs)}
	tree := c.dir
	if c.WorkTree != nil {
		tree = directory(effects.Path{Abs: c.dir}, []effects.Word{*c.WorkTree})
	}
	c.scratch = j.ground.Scratch(effects.Path{Abs: tree}) || (len(call.Dirs) > 0 || !j.set.Runs[i].Astray) && j.freshClone(tree)
	if how := gitbypass.Of(&c.Git); how != "" {
		found := code("hooks_disabled")
		if gitprefs.NoHooks(how) && (c.scratch || paths.Hookless(j.at, c.dir)) {
			found = "hooks_unused"
		}
		j.add(found, how)
	}
	c.commits()
	if how := c.unsigned(); how != "" {
		j.add("signing_disabled", how)
	}
	if found := c.judge(); found != "" {
		j.add(found, j.line(i))
	}
}

// directory follows the values of -C from where a run starts.
func directory(from effects.Path, dirs []effects.Word) string {
	abs := from.Abs
	if from.Real != "" {
		abs = from.Real
	}
	for _, d := range dirs {
		switch {
		case !d.Known:
			return ""
		case path.IsAbs(d.Text):
			abs = path.Clean(d.Text)
		case abs != "":
			abs = path.Join(abs, d.Text)
		}
	}
	return abs
}

// judge returns the code for a call, "" if it is ordinary.
func (c *gitCall) judge() code {
	if c.Help {
		return ""
	}
	switch c.Sub {
	case "reset":
		if o := c.Options(); !o.Help() && o.Has("hard", "merge") && !c.scratch {
			return "git_discards_work"
		}
	case "clean":
		return c.clean()
	case "checkout":
		return c.checkout()
	case "restore":
		return c.restore()
	case "switch":
		o := c.Options()
		if o.Has("force", "discard-changes") && !o.Help() && !o.Has("merge") && len(o.Operands) < 2 && !c.scratch {
			return "git_discards_work"
		}
	case "rm":
		if o := c.Options(); o.Has("r") && !o.Has("cached", "dry-run") && !o.Help() && c.everything(o.Operands) &&
			!gitbypass.Orphan(&c.j.set.Runs[max(c.run-1, 0)]) {
			return "git_discards_work"
		}
	case "read-tree":
		if o := c.Options(); o.Has("reset") && o.Has("u") && !o.Has("dry-run") {
			return "git_discards_work"
		}
	case "push":
		return c.push()
	case "config":
		if s, removed, ok := gitbypass.ConfigChange(&c.Git); ok && !removed && forcesPush(s) {
			return "git_forces_branch"
		}
	case "branch":
		return c.branch()
	case "stash":
		if o := c.Options(); len(o.Operands) > 0 && !o.Help() && (o.Operands[0].Text == "drop" || o.Operands[0].Text == "clear") {
			return "git_drops_stash"
		}
	case "annex":
		if o := c.Options(); o.Has("force") && len(o.Operands) > 0 && (o.Operands[0].Text == "drop" || o.Operands[0].Text == "dropunused") {
			return "git_recovery_lost"
		}
	case "lfs":
		if o := c.Options(); len(o.Operands) > 1 && o.Operands[0].Text == "migrate" && o.Operands[1].Text != "info" && !o.Help() {
			return c.filter()
		}
	case "fast-import":
		if o := c.Options(); o.Has("force") && !c.scratch {
			return "git_rewrites_history"
		}
	case "fetch":
		return c.fetch()
	case "filter-branch", "filter-repo":
		return c.filter()
	case "reflog", "gc", "prune", "repack", "maintenance":
		return c.forget()
	case "update-ref":
		if o := c.Options(); o.Has("stdin") && c.deletesListed() {
			return "destroys_git_data"
		} else if (o.Has("d") || len(o.Operands) > 1 &&
			strings.Trim(o.Operands[1].Text, "0") == "") && !o.Help() {
			if len(o.Operands) > 0 && c.protected(o.Operands[0].Text) {
				return "git_protected_branch"
			}
			return "git_prunes"
		}
	case "checkout-index":
		if o := c.Options(); o.Has("force") &&
			!o.Has("prefix", "temp", "no-create") && !o.Help() && !c.scratch {
			if o.Has("all") {
				return "git_discards_work"
			}
			return "git_may_discard"
		}
	case "worktree", "submodule":
		o := c.Options()
		if len(o.Operands) > 0 && o.Has("force") && !o.Help() && (o.Operands[0].Text == "remove" || o.Operands[0].Text == "deinit") {
			return "git_prunes"
		}
	}
	return ""
}

// unsigned says how a call switches signing off, "" if it does not.
func (c *gitCall) unsigned() string {
	if c.Help {
		return ""
	}
	for _, key := range [...]string{"commit.gpgsign", "tag.gpgsign"} {
		if v, ok := c.Get(key); ok && gitprefs.Falsy(v.Text) {
			return key + "=" + v.Text
		}
		if s, removed, ok := gitbypass.ConfigChange(&c.Git); ok && s.Key == key && (removed || gitprefs.Falsy(s.Value.Text)) {
			return "git config " + key + " " + s.Value.Text
		}
	}
	switch c.Sub {
	case "commit", "cherry-pick", "revert", "merge", "rebase", "am":
		if o := c.Options(); o.Off("gpg-sign") && !o.Help() {
			return "git " + c.Sub + " --no-gpg-sign"
		}
	}
	return ""
}
