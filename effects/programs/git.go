package programs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/curls"
	"github.com/trammel-dev/trammel/effects/programs/gitline"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
	"github.com/trammel-dev/trammel/effects/programs/parts"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// git lists what the subcommands do that name files. What they do to branches,
// history and remotes is in their arguments, for policy to read.
func git(c *call) {
	g := Git{gitline.Plain(c.host.Run(), c.args)}
	if g.Help || g.Sub == "" {
		return
	}
	for _, w := range g.Dirs {
		c.enter(c.place(w))
	}
	if g.WorkTree != nil {
		c.enter(c.place(*g.WorkTree))
	}
	c.args = g.Args
	for _, s := range g.Config {
		c.gitSetting(s, g.Sub)
	}
	c.gitAlias(g.Sub)
	if row, ok := c.row.Sub(g.Sub); ok {
		c.row = row
	}
	gitVerb(c, g.Sub)
	c.gitHooks(g.Sub, &g)
}

// gitHooks runs the hooks of a verb that this line has written.
func (c *call) gitHooks(verb string, g *Git) {
	var names []string
	switch verb {
	case "commit":
		names = []string{"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"}
	case "push":
		names = []string{"pre-push"}
	case "checkout", "switch", "clone":
		names = []string{"post-checkout"}
	case "merge", "pull":
		names = []string{"pre-merge-commit", "post-merge"}
	case "rebase":
		names = []string{"pre-rebase", "post-rewrite"}
	}
	if names == nil {
		return
	}
	dirs, own := []string{".git/hooks/", ".husky/", ".githooks/"}, ".git/hooks"
	c.gitConfigured(".git/config", func(key, value string) {
		if key == "core.hookspath" {
			own = strings.TrimSuffix(value, "/_") // of husky
		}
	})
	if at, ok := g.Get("core.hookspath"); ok && at.Known {
		own = at.Text
	}
	for _, name := range names {
		for _, dir := range slices.Compact(slices.Sorted(slices.Values(append(dirs, own+"/")))) {
			p := c.place(word(dir + name))
			held := c.host.Holds(p)
			for _, held := range held {
				if held.Known {
					c.host.Script(held.Text)
				} else {
					c.host.Doubt("code", dir+name)
				}
			}
			if text, ok := c.host.Text(p.Real); ok && len(held) == 0 && dir == own+"/" {
				c.host.OnDisk(cmp.Or(recipes.Interpreter(name, text), "shell"), text)
			}
		}
	}
}

// gitAlias runs what an alias of the repository or the account stands for.
func (c *call) gitAlias(verb string) {
	if recipes.GitOwn(verb) {
		return
	}
	alias := func(key, value string) {
		if key == "alias."+verb {
			c.gitSetting(Setting{Key: key, Value: word(value)}, verb)
		}
	}
	c.gitConfigured(".git/config", alias)
	for _, file := range [...]string{"/.gitconfig", "/.config/git/config"} {
		text, _ := c.host.Text(c.host.Home() + file)
		for key, value := range recipes.Settings(text) {
			alias(key, value)
		}
	}
}

// gitSetting runs what a -c setting makes git run.
func (c *call) gitSetting(s Setting, verb string) {
	name, value := s.Key, s.Value.Text
	command, shell := strings.CutPrefix(value, "!")
	c.gitAddress(name, s.Value)
	switch {
	case strings.HasPrefix(name, "alias."):
		switch {
		case !strings.EqualFold(name[len("alias."):], verb) || recipes.GitOwn(verb):
		case !s.Value.Known:
			c.host.Doubt("code", name+"="+value)
		case shell:
			c.host.Script(command)
		default:
			words := []Word{word("git")}
			for _, field := range recipes.SplitAlias(value) {
				words = append(words, word(field))
			}
			c.host.Start(append(words, c.args...), Start{})
		}
	case name == "include.path", strings.HasPrefix(name, "includeif."):
		c.gitIncluded(s.Value, verb)
	case gitprefs.Helper(name):
		if shell { // git gives it the passwords to store, and reads what it prints
			c.host.Script("printf %s \"$GIT_PASSWORD\" | { " + command + "\n} > /dev/null")
		} else if strings.HasPrefix(value, "/") {
			c.gitProgram(s.Value)
		}
	case gitprefs.Program(name), shell && strings.HasPrefix(name, "submodule."):
		c.gitProgram(Word{Text: command, Known: s.Value.Known})
	}
}

// gitIncluded reads the settings of a file that others include.
func (c *call) gitIncluded(w Word, verb string) {
	file := c.sourced(w)
	if !file.Known {
		c.host.Doubt("code", "include.path="+w.Text)
		return
	}
	for key, value := range recipes.Settings(file.Text) {
		if !strings.HasPrefix(key, "include") {
			c.gitSetting(Setting{Key: key, Value: word(value)}, verb)
		}
	}
}

// gitProgram runs a program that git is told to use for something.
func (c *call) gitProgram(w Word) {
	switch w.Text {
	case "", "true", "false", "cat", ":":
	default:
		c.host.Command(w)
	}
}

// gitPrints lists the files of which git prints what a revision holds: as
// HEAD:path, or after --.
func gitPrints(c *call, a *Args) {
	if a.Has("stat", "name-only", "name-status", "numstat", "shortstat", "no-patch", "s", "no-index") {
		return
	}
	for i, w := range a.Operands {
		if a.Separator >= 0 && i >= a.Separator {
			c.read(w)
		} else if rev, path, ok := strings.Cut(w.Text, ":"); ok && path != "" && !strings.HasPrefix(path, "/") &&
			!strings.ContainsAny(rev, " *") {
			w.Text = path[strings.LastIndexByte(path, ':')+1:]
			c.read(w)
		} else if len(w.Text) > 1 && (w.Text[0] == '.' && !strings.Contains(w.Text, "..") || w.Text[0] == '/') {
			c.read(w)
		}
	}
}

func gitVerb(c *call, verb string) {
	switch verb {
	case "rm":
		a, ok := c.options()
		if ok && !a.Has("n", "dry-run", "cached", "h") {
			c.remove(a.Has("r"), a.Operands...)
		}
	case "mv":
		a, ok := c.options()
		if ok && !a.Has("n", "dry-run", "h") && len(a.Operands) > 1 {
			last := len(a.Operands) - 1
			target := a.Operands[last]
			for _, w := range a.Operands[:last] {
				to := target
				if last > 1 || strings.HasSuffix(target.Text, "/") || c.host.IsDir(c.place(target)) {
					to = parts.Into(target, w)
				}
				c.transfer(w, to, true, false, true)
			}
		}
	case "clean":
		a, ok := c.options()
		if ok && a.Has("f", "force") && !a.Has("n", "dry-run", "i", "interactive", "h") {
			if len(a.Operands) == 0 {
				a.Operands = []Word{word(".")}
			}
			for _, w := range a.Operands { // only what git does not know, so not the tree itself
				c.add(File{Op: Delete, Tree: true}, parts.Into(w, pattern("*")))
			}
		}
	case "checkout", "restore":
		gitCheckout(c, verb)
	case "apply", "am":
		a, ok := c.options()
		if !ok || a.Has("check", "stat", "numstat", "summary", "cached", "abort", "skip", "continue", "quit", "h") {
			return
		}
		c.read(a.Operands...)
		if dir, ok := a.Value("directory"); ok {
			c.dir = c.place(dir)
		}
		strip, ok := a.Value("p")
		if !ok {
			strip = word("1")
		}
		if len(a.Operands) == 0 {
			c.patched(Word{}, strip.Text)
		}
		for _, w := range a.Operands {
			c.patched(w, strip.Text)
		}
	case "archive", "send-email", "instaweb", "checkout-index":
		c.generic()
	case "diff", "log", "show", "format-patch", "bundle", "shortlog", "grep":
		a, ok := c.options()
		if !ok {
			return
		}
		a.Values(func(w Word) { c.write(w) }, "output")
		if verb == "format-patch" {
			a.Values(func(w Word) { c.add(File{Op: Write}, parts.Into(w, pattern("*.patch"))) }, "o", "output-directory")
		}
		if verb == "bundle" && len(a.Operands) > 1 && a.Operands[0].Text == "create" {
			c.write(a.Operands[1])
		}
		if verb == "diff" && a.Has("no-index") {
			c.read(a.Operands...)
		}
		if verb == "grep" && a.Has("no-index") && len(a.Operands) > 0 {
			c.read(a.Operands[1:]...)
		}
		if verb == "grep" {
			a.Values(c.gitProgram, "O", "open-files-in-pager")
		}
		if verb != "log" || a.Has("p", "patch", "u", "U", "unified", "cc", "patch-with-stat") {
			gitPrints(c, &a)
		} else if at := parts.Index(c.args, "--"); at < len(c.args) && gitline.OnlyCommits(c.args[:at]) {
			for _, w := range c.args[at+1:] {
				c.add(File{Op: Search}, w)
			}
		}
	case "hash-object":
		if a, ok := c.options(); ok {
			c.read(a.Operands...)
		}
	case "cat-file", "blame", "annotate":
		if a, ok := c.options(); ok {
			gitPrints(c, &a)
			if verb != "cat-file" {
				c.read(a.Operands...)
			}
		}
	case "clone":
		a, ok := c.options()
		if !ok || len(a.Operands) == 0 {
			return
		}
		c.listed(&a)
		a.Values(func(w Word) { c.gitSetting(gitline.SettingOf(w), "clone") }, "c", "config")
		from := a.Operands[0]
		c.gitRemote(from, false)
		to := word(strings.TrimSuffix(curls.FileName(word(strings.TrimRight(from.Text, "/"))).Text, ".git"))
		to.Known = from.Known
		if len(a.Operands) > 1 {
			to = a.Operands[1]
		}
		c.host.Wrote(c.add(File{Op: Write, Tree: true}, to), fetchedIf(paths.RemoteHost(from) != ""))
	case "push", "fetch", "fetch-pack", "pull", "ls-remote":
		c.gitFetches(verb)
	case "remote":
		c.gitRemoteVerb()
	case "subtree": // git subtree push --prefix=docs origin main
		if a, ok := c.options(); ok && len(a.Operands) > 1 && (len(a.Operands) > 2 || a.Word(0) != "add") {
			c.gitRemotes(a.Operands[1], false, a.Word(0) == "push")
		}
	case "stash":
		c.gitStash()
	case "reset", "read-tree":
		if a, ok := c.options(); ok && a.Has("hard", "merge", "keep", "u") && !a.Has("n", "dry-run") {
			c.add(File{Op: Write, Tree: true}, word("."))
		}
	case "init":
		if a, ok := c.options(); ok && len(a.Operands) > 0 {
			c.add(File{Op: Write}, a.Operands[0])
		}
	case "worktree":
		if len(c.args) > 1 && c.args[0].Text == "add" {
			c.args = c.args[1:]
			if a, _ := c.options(); len(a.Operands) > 0 {
				c.add(File{Op: Write, Tree: true}, a.Operands[0])
			}
		}
		if len(c.args) > 1 && c.args[0].Text == "remove" {
			c.args = c.args[1:]
			a, _ := c.options()
			c.remove(true, a.Operands...)
		}
	case "bisect":
		if len(c.args) > 1 && c.args[0].Text == "run" {
			c.host.Start(c.args[1:], Start{})
		}
	case "submodule":
		if a, ok := c.options(); ok && a.Word(0) == "add" && len(a.Operands) > 2 {
			c.add(File{Op: Write, Tree: true}, a.Operands[2])
		}
		c.gitSubmodule()
	case "rebase", "filter-branch", "difftool", "mergetool":
		a, _ := c.options()
		c.listed(&a)
	case "config":
		gitConfig(c)
	}
}

// gitStash lists the files that a stash puts back, if it names them. One of
// everything, and what takes it out again, is like a checkout of another branch:
// git keeps both states, and which files differ is unknown.
func (c *call) gitStash() {
	if a, ok := c.options(); ok && a.Word(0) == "show" && a.Has("p", "patch") {
		gitPrints(c, &a)
	}
	if len(c.args) > 0 && c.args[0].Text == "push" {
		c.args = c.args[1:]
	} else if len(c.args) == 0 || !strings.HasPrefix(c.args[0].Text, "-") {
		return
	}
	a, _ := c.options()
	for _, w := range a.Operands {
		c.add(File{Op: Write, Tree: true}, gitline.Pathspec(w))
	}
}

// gitCheckout lists the files that are overwritten from the repository.
func gitCheckout(c *call, verb string) {
	behind := -1
	for i, w := range c.args {
		if w.Text == "--" {
			behind = i
			break
		}
	}
	a, ok := c.options()
	switch {
	case !ok || a.Has("p", "patch", "h"):
	case verb == "restore":
		if !a.Has("S", "staged") || a.Has("W", "worktree") {
			for _, w := range a.Operands {
				c.add(File{Op: Write, Tree: true}, gitline.Pathspec(w))
			}
		}
	case behind >= 0:
		for _, w := range c.args[behind+1:] {
			c.add(File{Op: Write, Tree: true}, gitline.Pathspec(w))
		}
	default:
		// without --, a word may be a branch or a file; git refuses what is both
		for i, w := range a.Operands {
			only := w.Text == "." || strings.HasPrefix(w.Text, "./") || strings.HasPrefix(w.Text, "../") || strings.HasPrefix(w.Text, ":") || i > 0
			if (only || c.host.IsThere(c.place(w))) && !a.Has("b", "B", "orphan") {
				c.add(File{Op: Write, Tree: true}, gitline.Pathspec(w))
			}
		}
	}
}
