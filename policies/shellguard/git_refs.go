package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/internal/argv"
	"github.com/trammel-dev/trammel/internal/gitline"
)

func (c *gitCall) push() code {
	o := argv.Parse(c.Args, gitline.PushSpec)
	if o.On("dry-run") || o.Help {
		return ""
	}
	if o.Any("force", "mirror") {
		return "git_force_push"
	}
	refs := o.Operands
	if _, named := o.Value("repo"); !named && len(refs) > 0 {
		refs = refs[1:]
	}
	deletes := o.Any("delete", "prune")
	for _, w := range refs {
		ref, forced := strings.CutPrefix(w.Text, "+")
		if forced && !leased(&o, ref) {
			return "git_force_push"
		}
		if gone, is := strings.CutPrefix(ref, ":"); is && gone != "" || o.On("delete") {
			deletes = true
			if c.protected(gone) || o.On("delete") && c.protected(ref) {
				return "git_protected_branch"
			}
		}
	}
	if deletes {
		return "git_deletes_remote"
	}
	return ""
}

// leased reports whether --force-with-lease covers a ref.
func leased(o *argv.Options, ref string) bool {
	dst := ref
	if _, to, both := strings.Cut(ref, ":"); both {
		dst = to
	}
	for _, v := range o.Values("force-with-lease") {
		if name, _, _ := strings.Cut(v.Text, ":"); name == "" || strings.TrimPrefix(name, "refs/heads/") == strings.TrimPrefix(dst,
			"refs/heads/") {
			return true
		}
	}
	return false
}

func (c *gitCall) branch() code {
	o := argv.Parse(c.Args, branchSpec)
	switch {
	case o.Help || !o.Any("D", "force", "M", "C"):
		return ""
	case o.Any("D", "delete"):
		for _, w := range o.Operands {
			if c.protected(w.Text) {
				return "git_protected_branch"
			}
		}
		return "git_drops_branch"
	case o.On("force") && !o.Any("move", "copy") && len(o.Operands) > 0:
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
	o := argv.Parse(c.Args, filterSpec)
	switch {
	case o.Help || o.Any("dry-run", "analyze") || c.scratch:
		return ""
	case o.On("force"):
		return "git_rewrites_history"
	}
	return "git_filters_history"
}

const filterSpec = "f,force dry-run analyze replace-text= replace-message= path= path-glob= path-regex= paths-from-file= path-rename= " +
	"to-subdirectory-filter= subdirectory-filter= mailmap= message-callback= commit-callback= blob-callback= email-callback= name-callback= " +
	"refname-callback= tag-callback= strip-blobs-bigger-than= strip-blobs-with-ids= refs= source= target= " +
	"d= env-filter= tree-filter= index-filter= parent-filter= msg-filter= commit-filter= tag-name-filter= original= state-branch= " +
	"prune-empty invert-paths partial report-dir= debug quiet use-base-name"

// forget judges what removes the means of recovery.
func (c *gitCall) forget() code {
	switch c.Sub {
	case "reflog":
		o := argv.Parse(c.Args, "n,dry-run rewrite updateref stale-fix expire= expire-unreachable= all v,verbose single-worktree")
		if len(o.Operands) == 0 || o.Help || o.On("dry-run") {
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
		o := argv.Parse(c.Args, "q,quiet prune? cruft max-cruft-size= aggressive auto detach force keep-largest-pack")
		if value, on := o.Value("prune"); o.Help {
			return ""
		} else if on && value.Text != "" {
			if immediate(value.Text) {
				return "git_recovery_lost"
			}
		} else if set, ok := c.Get("gc.pruneexpire"); ok && immediate(set.Text) && !o.Off("prune") {
			return "git_recovery_lost"
		}
	case "prune":
		o := argv.Parse(c.Args, "n,dry-run v,verbose progress expire= exclude-promisor-objects")
		switch {
		case o.On("dry-run") || o.Help:
		case now(&o, "expire"):
			return "git_recovery_lost"
		case !o.On("expire"):
			return "git_prunes"
		}
	}
	return ""
}

func now(o *argv.Options, name string) bool {
	v, on := o.Value(name)
	return on && immediate(v.Text)
}

func immediate(date string) bool {
	switch strings.ToLower(date) {
	case "now", "all", "0", "0.seconds.ago", "0.seconds", "today", "tomorrow", "1.second.ago", "0.days.ago":
		return true
	}
	return false
}
