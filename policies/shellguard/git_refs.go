package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
)

func (c *gitCall) push() code {
	o := c.Options()
	if o.Has("dry-run") || o.Help() {
		return ""
	}
	refs := o.Operands
	if _, named := o.Value("repo"); !named && len(refs) > 0 {
		refs = refs[1:]
	}
	for _, s := range c.Config {
		if forcesPush(s) {
			return "git_force_push"
		}
	}
	if o.Has("mirror") || o.Has("force") && (len(refs) == 0 || o.Has("all", "branches")) {
		return "git_force_push"
	}
	deletes, forces := o.Has("delete", "prune"), false
	for _, w := range refs {
		ref, forced := strings.CutPrefix(w.Text, "+")
		if o.Has("force") || forced && !leased(&o, ref) {
			if forces = true; c.shared(ref) {
				return "git_force_push"
			}
		}
		if gone, is := strings.CutPrefix(ref, ":"); is && gone != "" || o.Has("delete") {
			deletes = true
			if c.protected(gone) || o.Has("delete") && c.protected(ref) {
				return "git_protected_branch"
			}
		}
	}
	switch {
	case forces:
		return "git_forces_branch"
	case deletes:
		return "git_deletes_remote"
	}
	return ""
}

// forcesPush reports whether a setting makes every push to a remote a forced one.
func forcesPush(s programs.Setting) bool {
	if !strings.HasPrefix(s.Key, "remote.") {
		return false
	}
	return strings.HasSuffix(s.Key, ".mirror") && !gitprefs.Falsy(s.Value.Text) ||
		strings.HasSuffix(s.Key, ".push") && strings.HasPrefix(s.Value.Text, "+")
}

// shared reports whether a push goes to a protected branch, or to one that is not
// named: the current one, or those that a pattern matches.
func (c *gitCall) shared(ref string) bool {
	from, to, both := strings.Cut(ref, ":")
	if !both {
		to = from
	}
	return to == "" || to == "HEAD" || to == "@" || strings.Contains(to, "*") || c.protected(to)
}

// fetch judges overwriting local references with those of another repository:
// +refs/heads/*:refs/heads/*.
func (c *gitCall) fetch() code {
	o := c.Options()
	if o.Help() || o.Has("dry-run") || c.scratch {
		return ""
	}
	for _, w := range o.Operands[min(1, len(o.Operands)):] {
		ref, forced := strings.CutPrefix(w.Text, "+")
		_, to, both := strings.Cut(ref, ":")
		branch := strings.HasPrefix(to, "refs/heads/") || strings.HasPrefix(to, "refs/*") || !strings.HasPrefix(to, "refs/")
		if both && to != "" && branch && (forced || o.Has("force")) {
			return "git_drops_branch"
		}
	}
	return ""
}

// leased reports whether --force-with-lease covers a ref.
func leased(o *programs.Args, ref string) bool {
	dst := ref
	if _, to, both := strings.Cut(ref, ":"); both {
		dst = to
	}
	for _, v := range o.All("force-with-lease") {
		if name, _, _ := strings.Cut(v.Text, ":"); name == "" || strings.TrimPrefix(name, "refs/heads/") == strings.TrimPrefix(dst,
			"refs/heads/") {
			return true
		}
	}
	return false
}

func (c *gitCall) branch() code {
	o := c.Options()
	switch {
	case o.Help() || !o.Has("D", "force", "M", "C"):
		return ""
	case o.Has("D", "delete"):
		for _, w := range o.Operands {
			if c.protected(w.Text) {
				return "git_protected_branch"
			}
		}
		return "git_drops_branch"
	case o.Has("force") && !o.Has("move", "copy") && len(o.Operands) > 0:
		return "git_drops_branch"
	}
	return ""
}

func (c *gitCall) protected(branch string) bool {
	branch = strings.TrimPrefix(strings.TrimPrefix(branch, "refs/heads/"), "origin/")
	for _, pattern := range c.j.options.ProtectedBranches {
		if ok, err := path.Match(pattern, branch); ok && err == nil {
			return true
		}
	}
	return false
}

func (c *gitCall) filter() code {
	o := c.Options()
	switch {
	case o.Help() || o.Has("dry-run", "analyze") || c.scratch:
		return ""
	case o.Has("force"):
		return "git_rewrites_history"
	}
	return "git_filters_history"
}

// forget judges what removes the means of recovery.
func (c *gitCall) forget() code {
	switch c.Sub {
	case "reflog":
		o := c.Options()
		if len(o.Operands) == 0 || o.Help() || o.Has("dry-run") {
			return ""
		}
		switch o.Operands[0].Text {
		case "expire":
			if now(&o, "expire") || now(&o, "expire-unreachable") {
				return "git_recovery_lost"
			}
		case "delete":
			return "git_prunes"
		}
	case "gc":
		o := c.Options()
		if value, on := o.Value("prune"); o.Help() {
			return ""
		} else if on && value.Text != "" {
			if immediate(value.Text) {
				return "git_recovery_lost"
			}
		} else if set, ok := c.Get("gc.pruneexpire"); ok && immediate(set.Text) && !o.Off("prune") {
			return "git_recovery_lost"
		}
	case "prune":
		o := c.Options()
		switch {
		case o.Has("dry-run") || o.Help():
		case now(&o, "expire"):
			return "git_recovery_lost"
		case !o.Has("expire"):
			return "git_prunes"
		}
	}
	return ""
}

func now(o *programs.Args, name string) bool {
	v, on := o.Value(name)
	return on && immediate(v.Text)
}

func immediate(date string) bool {
	return slices.Contains([]string{"now", "all", "0", "0.seconds.ago", "0.seconds", "today", "tomorrow", "1.second.ago",
		"0.days.ago"}, strings.ToLower(date))
}

// deletesListed reports whether the input of update-ref deletes references: known
// lines, or lines that the program before it in the pipe writes.
func (c *gitCall) deletesListed() bool {
	r := &c.j.set.Runs[c.run]
	if r.Input != nil {
		return strings.Contains(*r.Input, "delete ")
	}
	return slices.ContainsFunc(c.j.set.Runs[:c.run], func(r effects.Run) bool {
		return slices.ContainsFunc(r.Args, func(a effects.Word) bool { return strings.Contains(a.Text, "delete ") })
	})
}
