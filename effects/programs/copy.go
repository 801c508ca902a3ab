package programs

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/parts"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// transfer is cp, mv and install.
func transfer(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	moves := c.name == "mv" || strings.Contains(c.name, "move")
	installs := c.name == "install"
	if installs && a.Has("d", "directory") {
		c.write(a.Operands...)
		return
	}
	sources := a.Operands
	a.Values(func(w Word) { sources = append(sources, w) }, "path", "literalpath")
	target, inside := a.Value("t", "target-directory")
	if w, ok := a.Value("destination", "newname"); ok {
		target = w
	} else if !inside {
		if len(sources) < 2 {
			c.read(sources...)
			return
		}
		target, sources = sources[len(sources)-1], sources[:len(sources)-1]
	}
	tree := a.Has("r", "R", "a", "recursive", "archive", "recurse") || moves
	inside = inside || len(sources) > 1 || strings.HasSuffix(target.Text, "/") || len(sources) == 1 && sources[0].Glob
	if !a.Has("T", "no-target-directory") && !inside {
		inside = c.host.IsDir(c.place(target))
	}
	linking := !moves && !installs && a.Has("s", "l", "symbolic-link", "link")
	for _, source := range sources {
		to := target
		if inside {
			to = parts.Into(target, source)
		}
		c.transfer(source, to, moves, linking, tree)
	}
}

// clone is what hg, svn and others do: the tree of another host becomes one of this machine.
func clone(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) == 0 {
		return
	}
	c.listed(&a)
	from, to := a.Operands[0], a.Operands[len(a.Operands)-1]
	if len(a.Operands) == 1 {
		to = Word{Text: path.Base(strings.TrimRight(from.Text, "/")), Known: from.Known}
	}
	c.addresses([]Word{from})
	c.host.Wrote(c.add(File{Op: Write, Tree: true}, to), Fetched)
}

// transfers reads the commands of sftp, ftp and lftp: what they send, run and
// talk to.
func (c *call) transfers(script string) {
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if command, ok := strings.CutPrefix(line, "!"); ok {
			c.host.Script(command)
			continue
		}
		words := strings.Fields(strings.TrimPrefix(line, "-")) // - is: go on if it fails
		if len(words) < 2 {
			continue
		}
		if words[0] == "mirror" && (slices.Contains(words, "-R") || slices.Contains(words, "--reverse")) {
			words[0] = "put"
		}
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "-") {
				continue
			}
			switch words[0] {
			case "put", "reput", "mput", "send":
				c.add(File{Op: Read, Tree: true}, c.host.Tilde(strings.Trim(w, `'"`)))
			case "get", "get1", "reget", "mget", "recv", "mirror", "pget":
				last := words[len(words)-1]
				if last == w && c.name != "tftp" { // it keeps its name
					last = path.Base(last)
				}
				c.host.Wrote(c.add(File{Op: Write}, c.host.Tilde(strings.Trim(last, `'"`))), Fetched)
			case "open":
				c.reach(word(w), true)
			}
			break
		}
	}
}

// transfer lists the copy or move of one file.
func (c *call) transfer(source, target Word, moves, links, tree bool) {
	if source.Known && source.Text == "" || target.Known && target.Text == "" {
		return
	}
	from, to := c.place(source), c.place(target)
	switch {
	case moves:
		c.host.AddFile(File{Op: Move, Path: from, To: to, Tree: true})
	case links:
		c.host.AddFile(File{Op: Link, Path: from, To: to})
	default:
		c.host.AddFile(File{Op: Read, Path: from, Tree: tree})
	}
	c.host.AddFile(File{Op: Write, Path: to, Tree: tree})
	c.host.Copied(from, to)
}

// link is ln: the target is seen from the link if it is a relative symbolic one.
func link(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) == 0 {
		return
	}
	targets := a.Operands
	at, inside := a.Value("t", "target-directory")
	switch {
	case inside:
	case c.name == "mklink" && len(targets) > 1:
		at, targets = targets[0], targets[1:]
	case len(targets) == 1:
		at, inside = word("."), true
	default:
		at, targets = targets[len(targets)-1], targets[:len(targets)-1]
		inside = len(targets) > 1 || strings.HasSuffix(at.Text, "/") || !a.Has("T", "n", "no-target-directory", "no-dereference") &&
			c.host.IsDir(c.place(at))
	}
	for _, target := range targets {
		if target.Text == "" {
			continue
		}
		name := at
		if inside {
			name = parts.Into(at, target)
		}
		to := c.place(name)
		from := c.place(target)
		if a.Has("s", "symbolic") && !a.Has("r", "relative") && target.Known && target.Text[0] != '/' && to.Known() {
			from = c.host.Resolve(target, c.host.Resolve(word(path.Dir(to.Abs)), c.dir))
		}
		c.host.AddFile(File{Op: Link, Path: from, To: to})
		c.host.AddFile(File{Op: Write, Path: to})
		c.host.Copied(from, to)
	}
}

// rename is the one of util-linux (from, to, files), the one of Perl (an
// expression, files), or mmv (a pattern, a name): all move the files somewhere near.
func rename(c *call) {
	a, ok := c.options()
	if !ok || a.Has("n", "no-act", "nono") || len(a.Operands) < 2 {
		return
	}
	files := a.Operands[1:]
	if c.name == "mmv" {
		files = []Word{pattern(a.Operands[0].Text)}
	} else if script := a.Operands[0].Text; !strings.ContainsAny(script, "/{;(") && len(files) > 1 && !a.Has("e", "expr") {
		files = files[1:]
	} else {
		c.host.Inline("perl", script)
	}
	for _, w := range files {
		c.host.AddFile(File{Op: Move, Path: c.place(w), To: Path{Text: w.Text}, Tree: true})
	}
}

// dd is dd: if= and of=.
func dd(c *call) {
	var from, to Path
	appends := false
	for i, w := range c.args {
		if w.Text == "--help" || w.Text == "--version" {
			return
		}
		name, value, ok := strings.Cut(w.Text, "=")
		operand := Word{Text: value, Known: w.Known, Glob: w.Glob}
		switch {
		case c.name == "ddrescue" && !strings.HasPrefix(w.Text, "-"):
			if i == len(c.args)-1 || i > 0 && from.Text != "" {
				c.write(w)
			} else {
				c.read(w)
				from.Text = w.Text
			}
		case !ok:
		case name == "if":
			from = c.add(File{Op: Read}, operand)
		case name == "oflag" || name == "conv":
			appends = appends || strings.Contains(value, "append") || strings.Contains(value, "notrunc")
		}
	}
	for _, w := range c.args {
		if name, value, _ := strings.Cut(w.Text, "="); name == "of" || name == "hof" {
			to = c.add(File{Op: Write, Append: appends}, Word{Text: value, Known: w.Known, Glob: w.Glob})
			if from.Text != "" {
				c.host.Copied(from, to)
			} else {
				c.host.Wrote(to, Stdin)
			}
		}
	}
}

// truncate cuts files, or makes them longer: what is there stays with a +.
func truncate(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	c.listed(&a)
	size, _ := a.Value("size")
	for _, w := range a.Operands {
		c.add(File{Op: Write, Append: strings.HasPrefix(size.Text, "+")}, w)
	}
}

// split writes pieces of a file next to it.
func split(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	prefix := word("x")
	if w, ok := a.Value("f", "prefix"); ok && c.name == "csplit" {
		prefix = w
	} else if c.name == "csplit" {
		prefix = word("xx")
	} else if len(a.Operands) > 1 {
		prefix = a.Operands[1]
	}
	if len(a.Operands) > 0 {
		c.read(a.Operands[0])
	}
	if w, ok := a.Value("filter"); ok {
		c.host.Command(w)
		return
	}
	prefix.Text, prefix.Glob = prefix.Text+"*", true
	c.add(File{Op: Write}, prefix)
}

// remoteCopy is rsync, scp and sftp: each side may be on another machine.
func remoteCopy(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) == 0 {
		return
	}
	if w, ok := a.Value("rsh"); ok && w.Text != "ssh" && !strings.HasPrefix(w.Text, "ssh ") {
		c.host.Command(w) // any program can stand in for ssh
	}
	if w, ok := a.Value("rsh"); ok && strings.HasPrefix(w.Text, "ssh ") {
		row, _ := Lookup("ssh")
		ssh := call{host: c.host, row: row, name: "ssh", dir: c.dir}
		for _, field := range recipes.SplitAlias(w.Text[len("ssh "):]) {
			ssh.args = append(ssh.args, Word{Text: field, Known: w.Known})
		}
		options, _ := ssh.options()
		options.Values(func(w Word) { c.do(&roles{}, parts.Part{Role: 'H'}, w) }, "J")
		options.Values(c.sshOption, "o")
	}
	if c.name != "rsync" {
		a.Values(c.sshOption, "o")
	} else {
		a.Values(c.host.Command, "rsync-path")
	}
	c.listed(&a)
	if c.name == "sftp" {
		n := model.Net{URL: a.Operands[0].Text, Sends: c.host.Fed() || a.Has("b")}
		if a.Operands[0].Known {
			n.Host, n.Port = paths.HostOf(a.Operands[0].Text)
		}
		c.machine(n)
		if len(a.Operands) > 1 { // sftp host:file here
			c.host.Wrote(c.add(File{Op: Write}, a.Operands[1]), Fetched)
		}
		c.transfers(c.host.Input().Text)
		if batch, ok := a.Value("b"); ok && batch.Text != "-" {
			c.transfers(c.sourced(batch).Text)
		}
		return
	}
	if c.name == "rsync" && a.Has("n", "dry-run", "list-only") || len(a.Operands) == 1 {
		c.hosts(a.Operands, false)
		return
	}
	sources, target := a.Operands[:len(a.Operands)-1], a.Operands[len(a.Operands)-1]
	remote := paths.RemoteHost(target) != ""
	tree := c.name == "rsync" && a.Has("a", "r", "archive", "recursive") || c.name != "rsync" && a.Has("r")
	deletes := c.name == "rsync" && a.Has("delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded", "del")
	if deletes && !remote {
		c.remove(true, target)
	}
	c.hosts([]Word{target}, true)
	for _, source := range sources {
		far := paths.RemoteHost(source) != ""
		to := target
		switch at := c.place(target); {
		case tree && strings.HasSuffix(source.Text, "/"): // what is in it
		case len(sources) > 1 || strings.HasSuffix(target.Text, "/") || !remote && c.host.IsDir(at):
			name := source
			if far {
				name = word(source.Text[strings.IndexByte(source.Text, ':')+1:])
			}
			to = parts.Into(target, name)
		}
		if far {
			c.hosts([]Word{source}, false)
		} else {
			c.add(File{Op: Read, Tree: tree}, source)
			if a.Has("remove-source-files", "remove-sent-files") && c.name == "rsync" {
				c.remove(tree, source)
			}
		}
		if remote {
			continue
		}
		at := c.add(File{Op: Write, Tree: tree}, to)
		if far {
			c.host.Wrote(at, Fetched)
		} else {
			c.host.Copied(c.place(source), at)
		}
	}
}

// hosts lists the machines that words of the form host:path name.
func (c *call) hosts(words []Word, sends bool) {
	for _, w := range words {
		if host := paths.RemoteHost(w); host != "" {
			if !w.Known {
				host = ""
			}
			c.machine(model.Net{Host: strings.ToLower(host), URL: w.Text, Sends: sends})
		}
	}
}
