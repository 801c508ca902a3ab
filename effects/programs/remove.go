package programs

import "strings"

// remove is rm and its relatives.
func remove(c *call) {
	o := options{short: "", long: "recursive force interactive? one-file-system no-preserve-root preserve-root? dir verbose help version"}
	switch c.name {
	case "shred", "wipe":
		o = options{short: "n:s:", long: "force iterations= random-source= size= remove? verbose exact zero help version"}
	case "rmdir":
		o.long = "ignore-fail-on-non-empty parents verbose help version"
	case "rimraf":
		o.long = "glob no-glob preserve-root no-preserve-root max-retries= retry-delay= backoff= impl= tmp= help version"
	case "del", "erase", "rd":
		c.args = slashOptions(c.args)
	case "remove-item", "ri":
		o = options{dash: true, long: "path= literalpath= recurse force filter= include= exclude= erroraction="}
		c.args = lowerOptions(c.args)
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	a.values(func(w Word) { a.operands = append(a.operands, w) }, "path", "literalpath")
	switch c.name {
	case "shred", "wipe":
		for _, w := range a.operands {
			c.add(File{Op: Write}, w)
		}
		if a.has("u", "remove") || c.name == "wipe" {
			c.remove(a.has("r"), a.operands...)
		}
		return
	case "rmdir", "unlink":
		c.remove(false, a.operands...)
		return
	}
	tree := a.has("r", "R", "recursive", "recurse", "s", "S")
	switch c.name {
	case "trash", "trash-put", "rimraf":
		tree = true
	}
	c.remove(tree, a.operands...)
}

// lowerOptions is for PowerShell, where options may be written in any case.
func lowerOptions(args []Word) []Word {
	out := append([]Word(nil), args...)
	for i := range out {
		if strings.HasPrefix(out[i].Text, "-") {
			out[i].Text = strings.ToLower(out[i].Text)
		}
	}
	return out
}

// slashOptions turns the options of cmd.exe (/s /q) into ours.
func slashOptions(args []Word) []Word {
	out := make([]Word, len(args))
	for i, w := range args {
		if w.Known && len(w.Text) == 2 && w.Text[0] == '/' {
			w.Text = "-" + strings.ToLower(w.Text[1:])
		}
		out[i] = w
	}
	return out
}

// gio is the file tool of GNOME.
func gio(c *call) {
	if len(c.args) < 2 {
		return
	}
	name := c.args[0].Text
	c.args = c.args[1:]
	switch name {
	case "trash", "remove":
		a, _ := c.options(options{})
		c.remove(true, a.operands...)
	case "copy", "move":
		c.name = map[bool]string{true: "mv", false: "cp"}[name == "move"]
		transfer(c)
	case "cat":
		c.read(c.args...)
	}
}

// fd is find with other words.
func fd(c *call) {
	end := len(c.args)
	for i, w := range c.args {
		if w.Text == "-x" || w.Text == "-X" || w.Text == "--exec" || w.Text == "--exec-batch" {
			end = i
		}
	}
	rest := c.args[end:]
	c.args = c.args[:end]
	a, ok := c.options(options{short: "d:t:e:E:S:o:c:j:", long: "max-depth= min-depth= exact-depth= type= extension= exclude= size= owner= " +
		"color= threads= base-directory= search-path= changed-within= changed-before= max-results= glob hidden no-ignore help version"})
	if !ok {
		return
	}
	roots := []Word{word(".")}
	if len(a.operands) > 1 {
		roots = a.operands[1:]
	}
	a.values(func(w Word) { roots = append(roots, w) }, "search-path", "base-directory")
	for _, w := range roots {
		c.add(File{Op: Search, Tree: true}, w)
	}
	if len(rest) < 2 {
		return
	}
	var words []Word
	found := false
	put := func(w Word) {
		for _, root := range roots {
			below := Word{Text: strings.TrimRight(root.Text, "/") + "/**", Known: root.Known, Glob: true}
			if len(a.operands) > 0 && a.operands[0].Known && a.operands[0].Text != "." && a.operands[0].Text != "" {
				below.Text += "/*" + a.operands[0].Text + "*"
			}
			words = append(words, below)
		}
		found = true
	}
	for _, w := range rest[1:] {
		switch w.Text {
		case ";":
		case "{}", "{/}", "{//}", "{.}", "{/.}":
			put(w)
		default:
			words = append(words, w)
		}
	}
	if !found {
		put(Word{})
	}
	c.host.Start(words, Start{More: true})
}
