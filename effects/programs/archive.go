package programs

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// tar packs, lists and unpacks.
func tar(c *call) {
	a, ok := c.options(options{
		short: "b:C:f:F:g:H:I:K:L:N:T:V:X:s:", old: true,
		long: "create extract get list append update delete diff compare concatenate catenate file= directory= files-from= exclude= " +
			"exclude-from= remove-files to-stdout to-command= checkpoint? checkpoint-action= use-compress-program= rsh-command= rmt-command= " +
			"info-script= new-volume-script= transform= xform= strip-components= absolute-names keep-old-files overwrite same-owner " +
			"one-top-level? " +
			"wildcards owner= group= mode= mtime= newer= newer-mtime= label= listed-incremental= format= blocking-factor= record-size= " +
			"starting-file= tape-length= gzip bzip2 xz zstd lzma verbose verify dereference recursion no-recursion help version usage",
	})
	if !ok {
		return
	}
	for _, name := range []string{"to-command", "use-compress-program", "I", "rsh-command", "info-script", "new-volume-script", "F"} {
		a.values(c.host.Command, name)
	}
	a.values(func(w Word) {
		if command, ok := strings.CutPrefix(w.Text, "exec="); ok {
			c.host.Command(Word{Text: command, Known: w.Known})
		}
	}, "checkpoint-action")
	archive, _ := a.value("f", "file")
	if host := paths.RemoteHost(archive); host != "" && archive.Known && !a.has("force-local") {
		c.host.AddNet(Net{Host: host, Sends: !a.has("x", "extract", "get", "t", "list")})
		archive = Word{Text: "-", Known: true}
	}
	here := c.dir
	a.values(func(w Word) { here = c.host.Resolve(w, here) }, "C", "directory")
	inside := *c
	inside.dir = here
	a.values(func(w Word) { c.read(w) }, "T", "files-from", "X", "exclude-from")
	switch {
	case a.has("x", "extract", "get"):
		c.read(archive)
		if a.has("O", "to-stdout", "to-command") {
			return
		}
		if a.has("P", "absolute-names") {
			c.host.Doubt("path", "tar --absolute-names")
		}
		if top, ok := a.value("one-top-level"); ok && top.Text != "" {
			inside.add(File{Op: Write, Tree: true}, top)
			return
		}
		if len(a.operands) == 0 || a.has("strip-components", "transform", "xform", "s") {
			a.operands = []Word{word(".")}
		}
		for _, w := range a.operands {
			inside.add(File{Op: Write, Tree: true}, w)
		}
	case a.has("t", "list", "d", "diff", "compare"):
		c.read(archive)
	case a.has("c", "create", "r", "append", "u", "update", "A", "concatenate", "catenate", "delete"):
		if archive.Text != "" && archive.Text != "-" {
			c.add(File{Op: Write, Append: !a.has("c", "create")}, archive)
		}
		for _, w := range a.operands {
			inside.add(File{Op: Read, Tree: true}, w)
			if a.has("remove-files") {
				inside.add(File{Op: Delete, Tree: true}, w)
			}
		}
	}
}

// archive is what packs and unpacks otherwise.
func archive(c *call) {
	switch c.name {
	case "zip":
		zip(c)
	case "unzip", "bsdunzip":
		a, ok := c.options(options{short: "d:x:P:I:O:", long: "help version"})
		if !ok || len(a.operands) == 0 {
			return
		}
		c.read(a.operands[0])
		if a.has("l", "t", "p", "v", "z", "Z", "c") {
			return
		}
		c.unpack(a.value("d"))
	case "7z", "7za", "7zr", "7zz", "unrar", "jar", "ar":
		sevenZip(c)
	case "cpio":
		cpio(c)
	default:
		compress(c)
	}
}

// unpack lists what unpacking into a directory writes.
func (c *call) unpack(dir Word, given bool) {
	if !given {
		dir = word(".")
	}
	c.add(File{Op: Write, Tree: true}, dir)
}

func zip(c *call) {
	a, ok := c.options(options{short: "b:n:t:x:i:P:O:s:", long: "move recurse-paths unzip-command= out= exclude= include= temp-path= " +
		"password= delete test help version"})
	if !ok || len(a.operands) == 0 {
		return
	}
	for i, g := range a.given { // -TT command
		if g.name == "T" && i+1 < len(a.given) && a.given[i+1].name == "T" && len(a.operands) > 1 {
			c.host.Command(a.operands[len(a.operands)-1])
		}
	}
	a.values(c.host.Command, "unzip-command")
	out := a.operands[0]
	if w, ok := a.value("O", "out"); ok {
		out = w
	}
	if out.Known && out.Text != "-" && !strings.Contains(path.Base(out.Text), ".") {
		out.Text += ".zip"
	}
	c.write(out)
	if a.has("d", "delete") {
		return
	}
	for _, w := range a.operands[1:] {
		c.add(File{Op: Read, Tree: a.has("r", "recurse-paths")}, w)
		if a.has("m", "move") {
			c.remove(a.has("r", "recurse-paths"), w)
		}
	}
}

func sevenZip(c *call) {
	if len(c.args) < 2 {
		return
	}
	verb, rest := c.args[0].Text, c.args[1:]
	if c.name == "jar" || c.name == "ar" {
		verb = strings.TrimLeft(verb, "-")
		switch {
		case strings.HasPrefix(verb, "x"):
			verb = "x"
		case strings.ContainsAny(verb, "cruq"):
			verb = "a"
		case strings.HasPrefix(verb, "d"):
			verb = "d"
		default:
			verb = "l"
		}
	}
	var dir Word
	var operands []Word
	given, packed := false, false
	for _, w := range rest {
		switch {
		case strings.HasPrefix(w.Text, "-o") && c.name[0] == '7':
			dir, given = Word{Text: w.Text[2:], Known: w.Known}, true
		case strings.HasPrefix(w.Text, "-"):
			packed = packed || w.Text == "-sdel"
		default:
			operands = append(operands, w)
		}
	}
	if len(operands) == 0 {
		return
	}
	switch verb {
	case "x", "e":
		c.read(operands[0])
		if c.name == "unrar" && len(operands) > 1 {
			dir, given = operands[len(operands)-1], true
		}
		c.unpack(dir, given)
	case "a", "u":
		c.write(operands[0])
		for _, w := range operands[1:] {
			c.add(File{Op: Read, Tree: true}, w)
			if packed {
				c.remove(true, w)
			}
		}
	case "d", "rn":
		c.write(operands[0])
	default:
		c.read(operands[0])
	}
}

func cpio(c *call) {
	a, ok := c.options(options{short: "C:D:E:F:H:I:M:O:R:", long: "extract create pass-through list directory= file= format= " +
		"make-directories unconditional pattern-file= owner= rsh-command= to-stdout help version"})
	if !ok {
		return
	}
	a.values(c.host.Command, "rsh-command")
	dir, given := a.value("D", "directory")
	switch {
	case a.has("t", "list"):
	case a.has("i", "extract"):
		a.values(func(w Word) { c.read(w) }, "F", "I", "file")
		c.unpack(dir, given)
	case a.has("p", "pass-through"):
		if len(a.operands) > 0 {
			c.unpack(a.operands[0], true)
		}
	case a.has("o", "create"):
		a.values(func(w Word) { c.write(w) }, "F", "O", "file")
	}
}

// compress is gzip and the like, which replace a file by another one.
func compress(c *call) {
	a, ok := c.options(options{short: "S:b:T:o:M:D:", long: "stdout to-stdout keep list test decompress uncompress recursive suffix= " +
		"threads= rm force help version"})
	if !ok {
		return
	}
	keeps := a.has("k", "keep") || strings.Contains(c.name, "zst") && !a.has("rm") || c.name == "lz4" && !a.has("rm")
	for _, w := range a.operands {
		if w.Text == "-" || a.has("c", "stdout", "to-stdout", "l", "list", "t", "test") {
			c.read(w)
			continue
		}
		to := w
		if strings.HasPrefix(c.name, "un") || strings.HasPrefix(c.name, "gun") || strings.HasPrefix(c.name, "bun") ||
			a.has("d", "decompress", "uncompress") {
			to.Text = strings.TrimSuffix(w.Text, path.Ext(w.Text))
		} else {
			to.Text += map[string]string{"bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lz4": ".lz4", "lzma": ".lzma", "compress": ".Z",
				"pbzip2": ".bz2"}[c.name]
			if to.Text == w.Text {
				to.Text += ".gz"
			}
		}
		if out, ok := a.value("o"); ok {
			to = out
		}
		c.transfer(w, to, !keeps, false, a.has("r", "recursive"))
	}
}
