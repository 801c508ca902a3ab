package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/internal/argv"
	"github.com/trammel-dev/trammel/internal/gitline"
)

// gitCall is a call of git, and where it works.
type gitCall struct {
	gitline.Call
	j *judge
	// dir is where it runs, "" if that is not known.
	dir string
	// scratch is true when the work tree is a temporary one.
	scratch bool
}

// git judges a call of git.
func (j *judge) git(i int) {
	call, _ := gitline.Read(&j.set.Runs[i])
	c := gitCall{Call: call, j: j, dir: directory(j.set.Runs[i].Dir, call.Dirs)}
	tree := c.dir
	if c.WorkTree != nil {
		tree = directory(effects.Path{Abs: c.dir}, []effects.Word{*c.WorkTree})
	}
	c.scratch = j.ground.Scratch(effects.Path{Abs: tree})
	if how := c.Bypass(); how != "" {
		j.add("hooks_disabled", how)
	}
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

// judge finds the code of what a call does, "" if it is ordinary.
func (c *gitCall) judge() code {
	if c.Help {
		return ""
	}
	switch c.Sub {
	case "reset":
		if o := argv.Parse(c.Args, resetSpec); !o.Help && o.Any("hard", "merge") && !c.scratch {
			return "git_discards_work"
		}
	case "clean":
		return c.clean()
	case "checkout":
		return c.checkout()
	case "restore":
		return c.restore()
	case "switch":
		o := argv.Parse(c.Args, switchSpec)
		if o.Any("force", "discard-changes") && !o.Help && !o.On("merge") && len(o.Operands) < 2 && !c.scratch {
			return "git_discards_work"
		}
	case "rm":
		if o := argv.Parse(c.Args, "n,dry-run q,quiet cached f,force r ignore-unmatch sparse pathspec-from-file= "+
			"pathspec-file-nul"); o.On("r") && !o.Any("cached", "dry-run") && !o.Help && c.everything(o.Operands) {
			return "git_discards_work"
		}
	case "read-tree":
		if o := argv.Parse(c.Args, "m u reset i n,dry-run v prefix= trivial aggressive index-output= no-sparse-checkout recurse-submodules? "+
			"empty q,quiet"); o.On("reset") && o.On("u") && !o.Any("dry-run") {
			return "git_discards_work"
		}
	case "push":
		return c.push()
	case "branch":
		return c.branch()
	case "stash":
		if o := argv.Parse(c.Args, "q,quiet"); len(o.Operands) > 0 && !o.Help && (o.Operands[0].Text == "drop" || o.Operands[0].Text == "clear") {
			return "git_drops_stash"
		}
	case "filter-branch", "filter-repo":
		return c.filter()
	case "reflog", "gc", "prune", "repack", "maintenance":
		return c.forget()
	case "update-ref":
		if o := argv.Parse(c.Args, "d m= no-deref z stdin create-reflog"); (o.On("d") || len(o.Operands) > 1 &&
			strings.Trim(o.Operands[1].Text, "0") == "") && !o.Help {
			if len(o.Operands) > 0 && c.protected(o.Operands[0].Text) {
				return "git_protected_branch"
			}
			return "git_prunes"
		}
	case "checkout-index":
		if o := argv.Parse(c.Args, "u,index q,quiet f,force a,all n,no-create prefix= stage= temp stdin z"); o.On("force") &&
			!o.Any("prefix", "temp", "no-create") && !o.Help && !c.scratch {
			if o.On("all") {
				return "git_discards_work"
			}
			return "git_may_discard"
		}
	case "worktree", "submodule":
		o := argv.Parse(c.Args, "f,force all q,quiet n,dry-run")
		if len(o.Operands) > 0 && o.On("force") && !o.Help && (o.Operands[0].Text == "remove" || o.Operands[0].Text == "deinit") {
			return "git_prunes"
		}
	}
	return ""
}

const (
	resetSpec = "q,quiet refresh mixed N,intent-to-add soft hard merge keep recurse-submodules? p,patch pathspec-from-file= " +
		"pathspec-file-nul"
	cleanSpec    = "q,quiet n,dry-run f,force i,interactive d e,exclude= x X"
	checkoutSpec = "q,quiet progress f,force 2,ours 3,theirs b= B= l d,detach t,track? guess orphan= recurse-submodules? overlay " +
		"overwrite-ignore ignore-other-worktrees m,merge conflict= p,patch pathspec-from-file= pathspec-file-nul ignore-skip-worktree-bits"
	restoreSpec = "s,source= S,staged W,worktree ignore-unmerged overlay q,quiet progress m,merge conflict= recurse-submodules? p,patch " +
		"2,ours 3,theirs pathspec-from-file= pathspec-file-nul ignore-skip-worktree-bits"
	switchSpec = "c,create= C,force-create= guess d,detach f,force discard-changes q,quiet progress t,track? orphan= m,merge conflict= " +
		"recurse-submodules? ignore-other-worktrees overwrite-ignore"
	branchSpec = "v,verbose q,quiet t,track? u,set-upstream-to= unset-upstream color? r,remotes contains= no-contains= abbrev? a,all " +
		"d,delete D m,move M c,copy C l,list show-current create-reflog edit-description f,force merged? no-merged? column? sort= points-at= " +
		"i,ignore-case format= recurse-submodules omit-empty"
)

// unsigned says how a call switches signing off, "" if it does not.
func (c *gitCall) unsigned() string {
	if c.Help {
		return ""
	}
	for _, key := range [...]string{"commit.gpgsign", "tag.gpgsign"} {
		if v, ok := c.Get(key); ok && falsy(v.Text) {
			return key + "=" + v.Text
		}
		if s, removed, ok := c.ConfigChange(); ok && s.Key == key && (removed || falsy(s.Value.Text)) {
			return "git config " + key + " " + s.Value.Text
		}
	}
	spec := ""
	switch c.Sub {
	case "commit", "cherry-pick", "revert":
		spec = gitline.CommitSpec
	case "merge":
		spec = gitline.MergeSpec
	case "rebase":
		spec = gitline.RebaseSpec
	case "am":
		spec = gitline.AmSpec
	default:
		return ""
	}
	if o := argv.Parse(c.Args, spec); o.Off("gpg-sign") && !o.Help {
		return "git " + c.Sub + " --no-gpg-sign"
	}
	return ""
}
