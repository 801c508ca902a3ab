package programs

import "strings"

// gitConfig lists the configuration file that is changed. A setting for all
// repositories that only states a preference does not count.
func gitConfig(c *call) {
	a, ok := c.options()
	if !ok || a.Has("get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l", "blob", "h") {
		return
	}
	verb := ""
	if len(a.Operands) > 0 {
		verb = a.Operands[0].Text
	}
	changes := len(a.Operands) > 1 || a.Has("unset", "unset-all", "remove-section", "edit", "e")
	switch verb {
	case "get", "list", "":
		changes = changes && verb == "" && a.Has("edit", "e")
	}
	if !changes {
		return
	}
	// an alias is as good as what it stands for: git x comes later
	if n := len(a.Operands); n > 1 && strings.HasPrefix(a.Operands[n-2].Text, "alias.") {
		command, ok := strings.CutPrefix(a.Operands[n-1].Text, "!")
		if !ok {
			command = "git " + command
		}
		c.host.Command(Word{Text: command, Known: a.Operands[n-1].Known})
	}
	if n := len(a.Operands); n > 1 {
		c.gitSetting(Setting{Key: strings.ToLower(a.Operands[n-2].Text), Value: a.Operands[n-1]}, "")
	}
	file, given := a.Value("f", "file")
	switch {
	case given:
		c.add(File{Op: Write, Append: true}, file)
	case a.Has("global", "system") && plainSetting(&a): // a name, a taste: nothing that runs, redirects or logs in
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
	section, name, ok := strings.Cut(strings.ToLower(key.Text), ".")
	if !key.Known || !ok || strings.Contains(name, ".") {
		return false
	}
	switch section {
	case "user", "safe", "color", "column", "advice", "status", "log", "rerere", "index", "feature", "pack", "pull", "push", "fetch", "rebase",
		"checkout", "branch", "merge", "am", "commit", "versionsort":
		return true
	case "diff":
		return name != "external"
	case "core":
		switch name {
		case "abbrev", "autocrlf", "bigfilethreshold", "checkstat", "commitgraph", "compression", "eol", "excludesfile", "filemode", "fscache",
			"ignorecase", "longpaths", "multipackindex", "precomposeunicode", "preloadindex", "quotepath", "safecrlf", "symlinks",
			"trustctime", "untrackedcache", "whitespace":
			return true
		}
	case "gc":
		return name == "auto"
	case "gpg":
		return name == "format"
	case "http":
		switch name {
		case "lowspeedlimit", "lowspeedtime", "maxrequests", "postbuffer", "version":
			return true
		}
	case "init":
		return name == "defaultbranch"
	case "submodule":
		return name == "recurse" || name == "fetchjobs"
	case "tag":
		return name == "sort"
	}
	return false
}
