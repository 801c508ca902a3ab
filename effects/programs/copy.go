package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// transfer is cp, mv and install.
func transfer(c *call) {
	o := options{short: "S:t:", long: "archive attributes-only backup? copy-contents debug dereference exchange force interactive link " +
		"no-dereference no-clobber no-copy no-target-directory " +
		"one-file-system parents preserve? no-preserve= recursive reflink? remove-destination sparse= strip-trailing-slashes suffix= " +
		"symbolic-link target-directory= update? verbose keep-directory-symlink context? help version"}
	moves := false
	switch c.name {
	case "mv", "gmv", "move", "move-item", "ren", "rename-item":
		moves = true
	case "install", "ginstall":
		o = options{short: "S:t:m:o:g:", long: "backup? compare directory group= mode= owner= preserve-timestamps strip strip-program= suffix= " +
			"target-directory= no-target-directory verbose help version"}
	}
	switch c.name {
	case "copy", "move", "xcopy", "ren":
		c.args = slashOptions(c.args)
	case "move-item", "copy-item", "rename-item":
		o = options{dash: true, long: "path= literalpath= destination= newname= recurse force filter= include= exclude="}
		c.args = lowerOptions(c.args)
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	installs := strings.HasSuffix(c.name, "install")
	if installs && a.has("d", "directory") {
		c.write(a.operands...)
		return
	}
	sources := a.operands
	a.values(func(w Word) { sources = append(sources, w) }, "path", "literalpath")
	target, inside := a.value("t", "target-directory")
	if w, ok := a.value("destination", "newname"); ok {
		target = w
	} else if !inside {
		if len(sources) < 2 {
			c.read(sources...)
			return
		}
		target, sources = sources[len(sources)-1], sources[:len(sources)-1]
	}
	tree := a.has("r", "R", "a", "recursive", "archive", "recurse") || moves
	inside = inside || len(sources) > 1 || strings.HasSuffix(target.Text, "/") || len(sources) == 1 && sources[0].Glob
	if !a.has("T", "no-target-directory") && !inside {
		inside = c.host.IsDir(c.place(target))
	}
	linking := !moves && !installs && a.has("s", "l", "symbolic-link", "link")
	for _, source := range sources {
		to := target
		if inside {
			to = into(target, source)
		}
		c.transfer(source, to, moves, linking, tree)
	}
}

// puts lists the files that the commands on sftp's standard input send.
func (c *call) puts() {
	for line := range strings.Lines(c.host.Input().Text) {
		words := strings.Fields(line)
		if len(words) > 0 && strings.HasPrefix(words[0], "-") {
			words[0] = words[0][1:] // go on if it fails
		}
		if len(words) < 2 || words[0] != "put" && words[0] != "reput" && words[0] != "mput" {
			continue
		}
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") {
				c.add(File{Op: Read, Tree: true}, c.host.Tilde(w))
				break
			}
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
	if c.name == "mklink" {
		c.args = slashOptions(c.args)
	}
	a, ok := c.options(options{short: "S:t:", long: "backup? directory force interactive logical no-dereference no-target-directory " +
		"physical " +
		"relative symbolic suffix= target-directory= verbose help version"})
	if !ok || len(a.operands) == 0 {
		return
	}
	targets := a.operands
	at, inside := a.value("t", "target-directory")
	switch {
	case inside:
	case c.name == "mklink" && len(targets) > 1:
		at, targets = targets[0], targets[1:]
	case len(targets) == 1:
		at, inside = word("."), true
	default:
		at, targets = targets[len(targets)-1], targets[:len(targets)-1]
		inside = len(targets) > 1 || strings.HasSuffix(at.Text, "/") || !a.has("T", "n", "no-target-directory", "no-dereference") &&
			c.host.IsDir(c.place(at))
	}
	for _, target := range targets {
		if target.Text == "" {
			continue
		}
		name := at
		if inside {
			name = into(at, target)
		}
		to := c.place(name)
		from := c.place(target)
		if a.has("s", "symbolic") && !a.has("r", "relative") && target.Known && target.Text[0] != '/' && to.Known() {
			from = c.host.Resolve(target, c.host.Resolve(word(parent(to.Abs)), c.dir))
		}
		c.host.AddFile(File{Op: Link, Path: from, To: to})
		c.host.AddFile(File{Op: Write, Path: to})
		c.host.Copied(from, to)
	}
}

func parent(abs string) string {
	if i := strings.LastIndexByte(abs, '/'); i > 0 {
		return abs[:i]
	}
	return "/"
}

// rename is either the one of util-linux (from, to, files) or the one of Perl
// (an expression, files): both move the files somewhere near.
func rename(c *call) {
	a, ok := c.options(options{short: "e:", long: "symlink verbose no-act no-overwrite last all interactive help version expr="})
	if !ok || a.has("n", "no-act", "nono") || len(a.operands) < 2 {
		return
	}
	files := a.operands[1:]
	if script := a.operands[0].Text; !strings.ContainsAny(script, "/{;(") && len(files) > 1 && !a.has("e", "expr") {
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

// tee writes its input into files.
func tee(c *call) {
	a, ok := c.options(options{long: "append ignore-interrupts output-error? help version"})
	if !ok {
		return
	}
	for _, w := range a.operands {
		if w.Text != "-" {
			to := c.add(File{Op: Write, Append: a.has("a", "append")}, w)
			c.host.Wrote(to, Stdin)
		}
	}
}

// create is what makes files without content, and mkdir.
func create(c *call) {
	o := options{long: "help version"}
	switch c.name {
	case "touch", "gtouch":
		o = options{short: "d:r:t:A:", long: "no-create date= no-dereference reference= time= help version"}
	case "mkdir", "gmkdir", "md":
		o = options{short: "m:", long: "mode= parents verbose context? help version"}
	case "mkfifo", "mknod":
		o = options{short: "m:", long: "mode= context? help version"}
	case "truncate":
		o = options{short: "s:r:", long: "no-create io-blocks reference= size= help version"}
	case "fallocate":
		o = options{short: "l:o:", long: "length= offset= keep-size punch-hole zero-range collapse-range dig-holes insert-range posix verbose " +
			"help version"}
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	if c.name == "mknod" && len(a.operands) > 1 {
		a.operands = a.operands[:1]
	}
	if w, ok := a.value("r", "reference"); ok && c.name != "fallocate" {
		c.read(w)
	}
	size, sized := a.value("s", "size")
	keeps := c.name != "truncate" && c.name != "fallocate" || sized && strings.HasPrefix(size.Text, "+") || c.name == "fallocate" &&
		!a.has("p", "z", "c", "punch-hole", "zero-range", "collapse-range")
	for _, w := range a.operands {
		c.add(File{Op: Write, Append: keeps}, w)
	}
}

// split writes pieces of a file next to it.
func split(c *call) {
	o := options{short: "a:b:C:l:n:t:", long: "suffix-length= additional-suffix= bytes= line-bytes= elide-empty-files filter= hex-suffixes? " +
		"lines= number= numeric-suffixes? separator= unbuffered verbose help version"}
	if c.name == "csplit" {
		o = options{short: "b:f:n:", long: "suffix-format= prefix= keep-files suppress-matched digits= quiet silent elide-empty-files help " +
			"version"}
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	prefix := word("x")
	if w, ok := a.value("f", "prefix"); ok && c.name == "csplit" {
		prefix = w
	} else if c.name == "csplit" {
		prefix = word("xx")
	} else if len(a.operands) > 1 {
		prefix = a.operands[1]
	}
	if len(a.operands) > 0 {
		c.read(a.operands[0])
	}
	if w, ok := a.value("filter"); ok {
		c.host.Command(w)
		return
	}
	prefix.Text, prefix.Glob = prefix.Text+"*", true
	c.add(File{Op: Write}, prefix)
}

// remoteCopy is rsync, scp and sftp: each side may be on another machine.
func remoteCopy(c *call) {
	o := options{short: "cDFilJoPS:X:", long: "help version"}
	o.short = "c:D:F:i:J:l:o:P:S:X:"
	if c.name == "rsync" {
		o = options{short: "B:e:f:M:T:", long: "archive verbose quiet recursive relative no-relative backup backup-dir= suffix= update inplace " +
			"append append-verify dirs links copy-links copy-unsafe-links safe-links perms executability " +
			"chmod= acls xattrs owner group devices specials times omit-dir-times super fake-super sparse preallocate dry-run whole-file " +
			"one-file-system block-size= rsh= rsync-path= existing ignore-existing " +
			"remove-source-files remove-sent-files delete del delete-before delete-during delete-delay delete-after delete-excluded " +
			"delete-missing-args ignore-errors force max-delete= max-size= min-size= partial partial-dir= " +
			"delay-updates prune-empty-dirs numeric-ids usermap= groupmap= chown= timeout= contimeout= ignore-times size-only modify-window= " +
			"temp-dir= fuzzy compare-dest= copy-dest= link-dest= compress compress-level= skip-compress= " +
			"cvs-exclude filter= exclude= exclude-from= include= include-from= files-from= from0 protect-args address= port= sockopts= " +
			"blocking-io " +
			"stats human-readable progress itemize-changes remote-option= out-format= log-file= " +
			"log-file-format= password-file= list-only bwlimit= write-batch= only-write-batch= read-batch= protocol= iconv= checksum-seed= help " +
			"version mkpath info= debug= outbuf= stop-after= stop-at= open-noatime"}
	}
	a, ok := c.options(o)
	if !ok || len(a.operands) == 0 {
		return
	}
	if w, ok := a.value("e", "rsh", "S"); ok && w.Known && w.Text != "ssh" && !strings.HasPrefix(w.Text, "ssh ") {
		c.host.Command(w) // any program can stand in for ssh
	}
	a.values(func(w Word) {
		if name, command, ok := strings.Cut(w.Text, "="); ok && strings.EqualFold(name, "ProxyCommand") ||
			strings.EqualFold(name, "LocalCommand") {
			c.host.Command(Word{Text: command, Known: w.Known})
		}
	}, "o")
	a.values(func(w Word) { c.read(w) }, "exclude-from", "include-from", "files-from", "password-file")
	a.values(func(w Word) { c.write(w) }, "log-file", "write-batch", "only-write-batch")
	if c.name == "sftp" {
		c.url(a.operands[0], c.host.Fed())
		c.puts()
		return
	}
	if c.name == "rsync" && a.has("n", "dry-run", "list-only") || len(a.operands) == 1 {
		c.hosts(a.operands, false)
		return
	}
	sources, target := a.operands[:len(a.operands)-1], a.operands[len(a.operands)-1]
	remote := paths.RemoteHost(target) != ""
	tree := c.name == "rsync" && a.has("a", "r", "archive", "recursive") || c.name != "rsync" && a.has("r")
	deletes := c.name == "rsync" && a.has("delete", "delete-before", "delete-during", "delete-delay", "delete-after", "delete-excluded", "del")
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
			to = into(target, name)
		}
		if far {
			c.hosts([]Word{source}, false)
		} else {
			c.add(File{Op: Read, Tree: tree}, source)
			if a.has("remove-source-files", "remove-sent-files") && c.name == "rsync" {
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
			c.host.AddNet(Net{Host: strings.ToLower(host), URL: w.Text, Sends: sends})
		}
	}
}
