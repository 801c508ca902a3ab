// Package gitprefs knows which settings of git only state a preference.
package gitprefs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Only reports whether the arguments of git config change a setting that cannot
// make git run anything, talk to another host or trust less.
func Only(a *options.Args) bool {
	if n := len(a.Operands); n > 1 && paths.SameRemote(a.Operands[n-2].Text, a.Operands[n-1]) {
		return true
	}
	if a.Has("edit", "e", "remove-section", "rename-section") || len(a.Operands) == 0 || !a.Operands[0].Known {
		return false
	}
	key := a.Operands[0]
	switch key.Text {
	case "set", "unset":
		if len(a.Operands) < 2 {
			return false
		}
		key = a.Operands[1]
	}
	name := strings.ToLower(key.Text)
	if a.Has("global") && shows(name, a.Operands[len(a.Operands)-1]) {
		return true
	}
	section, rest, ok := strings.Cut(name, ".")
	return key.Known && ok && !strings.ContainsAny(rest, ". ") && name != "diff.external" &&
		(strings.Contains(preferences, " "+section+". ") || strings.Contains(preferences, " "+name+" "))
}

// shows reports whether a setting makes git show text with, or ask for it by, a program
// that everybody has: core.pager cat, core.editor "code --wait".
func shows(name string, value model.Word) bool {
	switch name {
	case "core.pager", "core.editor", "sequence.editor":
	default:
		return false
	}
	switch value.Text {
	case "", "cat", "less", "less -FRX", "more", "delta", "true", ":", "vi", "vim", "nvim", "nano", "emacs", "code --wait":
		return value.Known
	}
	return false
}

// preferences are whole sections, and single settings of others.
const preferences = " user. safe. color. column. advice. status. log. rerere. index. feature. pack. pull. push. fetch. rebase. " +
	"checkout." +
	" branch. merge. am. commit. versionsort. diff. core.abbrev core.autocrlf core.bigfilethreshold core.checkstat core.commitgraph" +
	" core.compression core.eol core.excludesfile core.filemode core.fscache core.ignorecase core.longpaths core.precomposeunicode" +
	" core.preloadindex core.quotepath core.safecrlf core.symlinks core.trustctime core.untrackedcache core.whitespace gc.auto gpg.format" +
	" hub.protocol http.lowspeedlimit http.lowspeedtime http.maxrequests http.postbuffer http.version init.defaultbranch" +
	" lfs.activitytimeout lfs.concurrenttransfers lfs.dialtimeout lfs.locksverify maintenance.auto" +
	" submodule.recurse submodule.fetchjobs tag.sort "
