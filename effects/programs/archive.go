package programs

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/parts"
)

// tar packs, lists and unpacks.
func tar(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	c.listed(&a)
	a.Values(func(w Word) {
		if command, ok := strings.CutPrefix(w.Text, "exec="); ok {
			c.host.Command(Word{Text: command, Known: w.Known})
		}
	}, "checkpoint-action")
	archive, _ := a.Value("f", "file")
	if host := paths.RemoteHost(archive); host != "" && archive.Known && !a.Has("force-local") {
		c.host.AddNet(model.Net{Host: host, Sends: !a.Has("x", "extract", "get", "t", "list")})
		archive = Word{Text: "-", Known: true}
	}
	here := c.dir
	a.Values(func(w Word) { here = c.host.Resolve(w, here) }, "C", "directory")
	inside := *c
	inside.dir = here
	switch {
	case a.Has("x", "extract", "get"):
		if archive.Text != "" { // otherwise standard input
			c.read(archive)
		}
		if a.Has("O", "to-stdout", "to-command") {
			return
		}
		if a.Has("P", "absolute-names") {
			c.host.Doubt("path", "tar --absolute-names")
		}
		if top, ok := a.Value("one-top-level"); ok && top.Text != "" {
			inside.add(File{Op: Write, Tree: true}, top)
			return
		}
		if len(a.Operands) == 0 || a.Has("strip-components", "transform", "xform", "s") {
			a.Operands = []Word{word(".")}
		}
		for _, w := range a.Operands {
			inside.add(File{Op: Write, Tree: true}, w)
		}
	case a.Has("t", "list", "d", "diff", "compare"):
		c.read(archive)
	case a.Has("c", "create", "r", "append", "u", "update", "A", "concatenate", "catenate", "delete"):
		if archive.Text != "" && archive.Text != "-" {
			c.add(File{Op: Write, Append: !a.Has("c", "create")}, archive)
		}
		a.Values(func(w Word) { a.Operands = append(a.Operands, c.host.Listed(w)...) }, "T", "files-from")
		for _, w := range a.Operands {
			inside.add(File{Op: Read, Tree: true}, w)
			if a.Has("remove-files") {
				inside.add(File{Op: Delete, Tree: true}, w)
			}
		}
	}
}

func unzip(c *call) {
	a, ok := c.options()
	archive, named := a.Value("path", "literalpath") // of Expand-Archive
	if !ok || !named && len(a.Operands) == 0 {
		return
	}
	if !named {
		archive, a.Operands = a.Operands[0], a.Operands[1:]
	}
	c.read(archive)
	if a.Has("l", "t", "p", "v", "z", "Z", "c") {
		return
	}
	dir, given := a.Value("d", "destinationpath")
	if !given && c.name == "expand-archive" && len(a.Operands) > 0 {
		dir, given = a.Operands[0], true
	}
	c.unpack(dir, given)
}

// launch gives files to the programs that they are for. Some are programs themselves.
func launch(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	for _, w := range a.Operands {
		switch strings.ToLower(path.Ext(strings.TrimRight(w.Text, `/\`))) {
		case ".command", ".tool", ".sh":
			c.host.RunFile("shell", w)
		case ".app", ".terminal", ".workflow", ".scpt", ".pkg", ".mpkg", ".mobileconfig", ".jar", ".desktop", ".appimage", ".run", ".exe", ".com",
			".scr", ".msi", ".bat", ".cmd", ".vbs", ".vbe", ".jse", ".wsf", ".hta", ".lnk", ".cpl", ".reg", ".appinstaller":
			c.host.RunFile("unknown", w)
		default:
			c.do(&roles{}, parts.Part{Role: 'R'}, w)
		}
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
	a, ok := c.options()
	if !ok || len(a.Operands) == 0 {
		return
	}
	if at := parts.Index(c.args, "-TT") + 1; at < len(c.args) {
		c.host.Command(c.args[at])
	}
	c.listed(&a)
	out := a.Operands[0]
	if w, ok := a.Value("O", "out"); ok {
		out = w
	}
	if out.Known && out.Text != "-" && !strings.Contains(path.Base(out.Text), ".") {
		out.Text += ".zip"
	}
	c.write(out)
	if a.Has("d", "delete") {
		return
	}
	if a.Has("@", "names-stdin") {
		a.Operands = append(a.Operands, c.host.Listed(word("-"))...)
	}
	for _, w := range a.Operands[1:] {
		c.add(File{Op: Read, Tree: a.Has("r", "recurse-paths")}, w)
		if a.Has("m", "move") {
			c.remove(a.Has("r", "recurse-paths"), w)
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
		case w.Text == "-an": // it has no name
			operands = append(operands, word("-"))
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
	a, ok := c.options()
	if !ok {
		return
	}
	c.listed(&a)
	dir, given := a.Value("D", "directory")
	switch {
	case a.Has("t", "list"):
	case a.Has("i", "extract"):
		a.Values(func(w Word) { c.read(w) }, "F", "I", "file")
		c.unpack(dir, given)
	case a.Has("p", "pass-through"):
		c.read(c.host.Listed(word("-"))...)
		if len(a.Operands) > 0 {
			c.unpack(a.Operands[0], true)
		}
	case a.Has("o", "create"):
		c.read(c.host.Listed(word("-"))...)
		a.Values(func(w Word) { c.write(w) }, "F", "O", "file")
	}
}

// compress is gzip and the like, which replace a file by another one.
func compress(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	keeps := a.Has("k", "keep") || strings.Contains(c.called, "zst") && !a.Has("rm") || c.called == "lz4" && !a.Has("rm")
	for _, w := range a.Operands {
		if w.Text == "-" || a.Has("c", "stdout", "to-stdout", "l", "list", "t", "test") {
			c.read(w)
			continue
		}
		to := w
		if strings.HasPrefix(c.called, "un") || strings.HasPrefix(c.called, "gun") || strings.HasPrefix(c.called, "bun") ||
			a.Has("d", "decompress", "uncompress") {
			to.Text = strings.TrimSuffix(w.Text, path.Ext(w.Text))
		} else {
			to.Text += map[string]string{"bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lz4": ".lz4", "lzma": ".lzma", "compress": ".Z",
				"pbzip2": ".bz2"}[c.called]
			if to.Text == w.Text {
				to.Text += ".gz"
			}
		}
		if out, ok := a.Value("o"); ok {
			to = out
		}
		c.transfer(w, to, !keeps, false, a.Has("r", "recursive"))
	}
}
