// Package gitprefs knows which settings of git only state a preference, and which settings and variables
// turn its hooks off.
package gitprefs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Setting is the key and the value that the arguments of git config set. A third
// word is a pattern for old values: git config core.pager less cat sets less.
func Setting(a *options.Args) (key, value model.Word, ok bool) {
	words := a.Operands
	if len(words) > 0 {
		switch words[0].Text { // the newer way: git config set key value
		case "set", "unset", "remove-section", "rename-section":
			words = words[1:]
		}
	}
	switch len(words) {
	case 0:
		return key, value, false
	case 1:
		return words[0], value, false
	}
	return words[0], words[1], true
}

// Only reports whether the arguments of git config change a setting that cannot
// make git run anything, talk to another host or trust less.
func Only(a *options.Args) bool {
	key, value, sets := Setting(a)
	if sets && paths.SameRemote(key.Text, value) {
		return true
	}
	if a.Has("edit", "e", "remove-section", "rename-section") || !key.Known {
		return false
	}
	name := strings.ToLower(key.Text)
	if a.Has("global") && sets && shows(name, value) {
		return true
	}
	section, rest, ok := strings.Cut(name, ".")
	return ok && !strings.ContainsAny(rest, ". ") && name != "diff.external" &&
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
	"checkout. apply. blame. grep." +
	" branch. merge. am. commit. versionsort. diff. core.abbrev core.autocrlf core.bigfilethreshold core.checkstat core.commitgraph" +
	" core.compression core.eol core.excludesfile core.filemode core.fscache core.ignorecase core.longpaths core.precomposeunicode" +
	" core.preloadindex core.quotepath core.safecrlf core.symlinks core.trustctime core.untrackedcache core.whitespace gc.auto gpg.format" +
	" hub.protocol http.lowspeedlimit http.lowspeedtime http.maxrequests http.postbuffer http.version init.defaultbranch" +
	" lfs.activitytimeout lfs.concurrenttransfers lfs.dialtimeout lfs.locksverify maintenance.auto" +
	" submodule.recurse submodule.fetchjobs tag.sort "

// Helper reports whether a setting names a helper for passwords, for all hosts or for
// one: credential.https://x.helper.
func Helper(name string) bool {
	return strings.HasPrefix(name, "credential.") && strings.HasSuffix(name, ".helper")
}

// Program reports whether a setting is a command that git runs.
func Program(name string) bool {
	switch name {
	case "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "core.gitproxy", "core.alternaterefscommand",
		"sequence.editor", "diff.external", "uploadpack.packobjectshook", "interactive.difffilter", "imap.tunnel",
		"sendemail.cccmd", "sendemail.tocmd", "sendemail.headercmd", "sendemail.sendmailcmd":
		return true
	}
	section, rest, _ := strings.Cut(name, ".")
	switch section {
	case "pager":
		return true
	case "gpg":
		return strings.HasSuffix(rest, "program")
	}
	for _, last := range [...]string{".command", ".clean", ".smudge", ".process", ".cmd", ".textconv", ".driver"} {
		if strings.HasSuffix(name, last) {
			return true
		}
	}
	return false
}

// Falsy reports whether a setting is off by this value.
func Falsy(s string) bool {
	return slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(s))
}
