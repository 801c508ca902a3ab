package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// gitConfig lists the configuration file that is changed. A setting for all
// repositories that only states a preference does not count.
func gitConfig(c *call) {
	a, ok := c.options()
	if !ok || a.Has("get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l", "blob", "h") {
		return
	}
	verb, n := a.Word(0), len(a.Operands)
	changes := n > 1 || a.Has("unset", "unset-all", "remove-section", "edit", "e")
	switch verb {
	case "get", "list", "":
		changes = changes && verb == "" && a.Has("edit", "e")
	}
	if !changes {
		return
	}
	if n > 1 {
		key, value := a.Operands[n-2].Text, a.Operands[n-1]
		c.gitSetting(Setting{Key: strings.ToLower(key), Value: value}, "")
		if strings.HasPrefix(key, "alias.") { // as good as what it stands for: git x comes later
			command, ok := strings.CutPrefix(value.Text, "!")
			if !ok {
				command = "git " + command
			}
			c.host.Command(Word{Text: command, Known: value.Known})
		}
	}
	file, given := a.Value("f", "file")
	switch {
	case given:
		c.add(File{Op: Write, Append: true}, file)
	case a.Has("global", "system") && plainSetting(&a): // a name, a taste: nothing that runs or redirects
	case a.Has("global"):
		c.add(File{Op: Write, Append: true}, word(c.host.Home()+"/.gitconfig"))
	case a.Has("system"):
		c.add(File{Op: Write, Append: true}, word("/etc/gitconfig"))
	default:
		c.add(File{Op: Write, Append: true}, word(".git/config"))
	}
}

// plainSetting reports whether a change of the configuration is of a setting that
// cannot make git run anything, talk to another host or trust less.
func plainSetting(a *Args) bool {
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
		(strings.Contains(plainSettings, " "+section+". ") || strings.Contains(plainSettings, " "+name+" "))
}

// shows reports whether a setting makes git show text with, or ask for it by, a program
// that everybody has: core.pager cat, core.editor "code --wait".
func shows(name string, value Word) bool {
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

// plainSettings are whole sections, and single settings of others.
const plainSettings = " user. safe. color. column. advice. status. log. rerere. index. feature. pack. pull. push. fetch. rebase. " +
	"checkout." +
	" branch. merge. am. commit. versionsort. diff. core.abbrev core.autocrlf core.bigfilethreshold core.checkstat core.commitgraph" +
	" core.compression core.eol core.excludesfile core.filemode core.fscache core.ignorecase core.longpaths core.precomposeunicode" +
	" core.preloadindex core.quotepath core.safecrlf core.symlinks core.trustctime core.untrackedcache core.whitespace gc.auto gpg.format" +
	" hub.protocol http.lowspeedlimit http.lowspeedtime http.maxrequests http.postbuffer http.version init.defaultbranch" +
	" lfs.activitytimeout lfs.concurrenttransfers lfs.dialtimeout lfs.locksverify maintenance.auto" +
	" submodule.recurse submodule.fetchjobs tag.sort "
