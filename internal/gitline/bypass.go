package gitline

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/internal/argv"
)

// Specifications of the subcommands that run hooks.
const (
	CommitSpec = "a,all p,patch z,null C,reuse-message= c,reedit-message= fixup= squash= reset-author short branch porcelain long F,file= " +
		"author= date= m,message= t,template= " +
		"s,signoff trailer= n,no-verify q,quiet v,verbose dry-run allow-empty allow-empty-message cleanup= e,edit no-edit amend " +
		"no-post-rewrite " +
		"S,gpg-sign? i,include o,only " +
		"pathspec-from-file= pathspec-file-nul status u,untracked-files? ahead-behind interactive"
	MergeSpec = "n,no-stat stat summary compact-summary log? squash commit no-commit e,edit cleanup= ff no-ff ff-only rerere-autoupdate " +
		"verify-signatures s,strategy= X,strategy-option= m,message= F,file= into-name= " +
		"v,verbose q,quiet abort quit continue allow-unrelated-histories progress S,gpg-sign? autostash overwrite-ignore signoff no-verify"
	RebaseSpec = "onto= keep-base no-verify q,quiet v,verbose n,no-stat signoff committer-date-is-author-date reset-author-date C= " +
		"ignore-whitespace whitespace= f,force-rebase no-ff continue skip abort quit edit-todo " +
		"show-current-patch apply m,merge i,interactive rerere-autoupdate empty= autosquash update-refs S,gpg-sign? autostash x,exec= " +
		"r,rebase-merges? fork-point s,strategy= X,strategy-option= root reschedule-failed-exec reapply-cherry-picks allow-empty-message " +
		"keep-empty stat ignore-date"
	PushSpec = "all branches mirror prune tags follow-tags atomic signed? o,push-option= receive-pack= exec= force-with-lease? " +
		"force-if-includes f,force repo= u,set-upstream thin no-thin q,quiet v,verbose " +
		"progress recurse-submodules= no-verify d,delete n,dry-run porcelain 4,ipv4 6,ipv6"
	PullSpec = "q,quiet v,verbose progress recurse-submodules? r,rebase? n,no-stat stat log? signoff squash commit no-commit edit e " +
		"cleanup= " +
		"ff no-ff ff-only verify-signatures autostash s,strategy= X,strategy-option= S,gpg-sign? " +
		"allow-unrelated-histories all a,append upload-pack= f,force t,tags p,prune j,jobs= dry-run k,keep depth= shallow-since= " +
		"shallow-exclude= deepen= unshallow update-shallow refmap= o,server-option= 4,ipv4 6,ipv6 show-forced-updates set-upstream no-verify"
	AmSpec = "i,interactive n,no-verify 3,3way q,quiet s,signoff u,utf8 k,keep keep-non-patch m,message-id keep-cr c,scissors quoted-cr= " +
		"whitespace= ignore-space-change ignore-whitespace directory= exclude= include= C= p= patch-format= reject continue r,resolved skip " +
		"abort quit show-current-patch? retry allow-empty committer-date-is-author-date ignore-date rerere-autoupdate S,gpg-sign? empty="
)

// Bypass says how a call avoids the hooks of its repository, "" if it does not.
func (c *Call) Bypass() string {
	if c.Help {
		return ""
	}
	if hooksPath, ok := c.Get("core.hookspath"); ok && !(c.Sub == "" && hooksPath.Text == "") {
		return "core.hooksPath=" + hooksPath.Text
	}
	for _, e := range c.run.Env {
		if SkipsHooks(e) {
			return e.Name + "=" + e.Value.Text
		}
	}
	spec := ""
	switch c.Sub {
	case "commit":
		spec = CommitSpec
	case "merge":
		spec = MergeSpec
	case "rebase":
		spec = RebaseSpec
	case "push":
		spec = PushSpec
	case "pull":
		spec = PullSpec
	case "am":
		spec = AmSpec
	case "config":
		return c.hooksConfig()
	default:
		return ""
	}
	if o := argv.Parse(c.Args, spec); o.On("no-verify") && !o.Help {
		return "git " + c.Sub + " --no-verify"
	}
	return ""
}

// SkipsHooks reports whether a variable makes a manager of git hooks skip them.
func SkipsHooks(e effects.Assign) bool {
	value := strings.ToLower(e.Value.Text)
	switch e.Name {
	case "HUSKY", "LEFTHOOK", "SIMPLE_GIT_HOOKS_ENABLED":
		return value == "0" || value == "false"
	case "HUSKY_SKIP_HOOKS", "HUSKY_SKIP_INSTALL", "SKIP_SIMPLE_GIT_HOOKS", "OVERCOMMIT_DISABLE", "PRE_COMMIT_ALLOW_NO_CONFIG",
		"SKIP_GIT_HOOKS", "GIT_SKIP_HOOKS":
		return value != "" && value != "0" && value != "false"
	case "SKIP", "LEFTHOOK_EXCLUDE", "OVERCOMMIT_SKIP":
		return value != ""
	}
	return false
}

// ConfigSpec is the specification of git config.
const ConfigSpec = "global system local worktree f,file= blob= get get-all get-regexp get-urlmatch replace-all add unset unset-all " +
	"rename-section remove-section l,list e,edit get-color get-colorbool t,type= bool int bool-or-int bool-or-str path expiry-date z,null " +
	"name-only includes show-origin show-scope default= comment= fixed-value value= all regexp url="

// ConfigChange returns the setting that a call of git config changes; a
// setting that is removed has no value.
func (c *Call) ConfigChange() (s Setting, removed, ok bool) {
	if c.Sub != "config" {
		return s, false, false
	}
	o := argv.Parse(c.Args, ConfigSpec)
	words := o.Operands
	if o.Any("get", "get-all", "get-regexp", "get-urlmatch", "list", "edit", "get-color", "get-colorbool") || len(words) == 0 {
		return s, false, false
	}
	removed = o.Any("unset", "unset-all", "remove-section")
	switch words[0].Text { // the newer way: git config set key value
	case "set":
		words = words[1:]
	case "unset", "remove-section":
		removed, words = true, words[1:]
	case "get", "list", "edit", "rename-section":
		return s, false, false
	}
	if len(words) == 0 || len(words) == 1 && !removed {
		return s, false, false
	}
	s.Key = strings.ToLower(words[0].Text)
	if len(words) > 1 {
		s.Value = words[1]
	}
	return s, removed, true
}

func (c *Call) hooksConfig() string {
	s, removed, ok := c.ConfigChange()
	switch {
	case !ok:
		return ""
	case s.Key == "core.hookspath" && removed:
		return "git config --unset core.hooksPath"
	case s.Key == "core.hookspath" && !managedHooks(s.Value):
		return "git config core.hooksPath " + s.Value.Text
	}
	return ""
}

// managedHooks is true for the folders in which projects keep their own hooks:
// pointing git at these switches hooks on.
func managedHooks(w effects.Word) bool {
	switch strings.TrimPrefix(strings.TrimSuffix(w.Text, "/"), "./") {
	case ".husky", ".husky/_", ".githooks", ".git-hooks", "githooks", "git-hooks", "hooks", "scripts/hooks", "scripts/git-hooks",
		".config/git-hooks", ".hooks", "tools/hooks", "dev/hooks", "contrib/hooks":
		return w.Known
	}
	return false
}
