package programs

import "strings"

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
	a, ok := c.options()
	if !ok {
		return
	}
	roots := []Word{word(".")}
	if len(a.Operands) > 1 {
		roots = a.Operands[1:]
	}
	a.Values(func(w Word) { roots = append(roots, w) }, "search-path", "base-directory")
	for _, w := range roots {
		c.add(File{Op: Search, Tree: true}, w)
	}
	if len(rest) < 2 {
		return
	}
	var words []Word
	found := false
	name := "/*"
	plain := strings.NewReplacer("^", "", "$", "", `\.`, ".", ".*", "*").Replace(a.Word(0)) // of a regular expression
	if len(a.Operands) > 0 && a.Operands[0].Known && strings.Trim(plain, ".*") != "" {
		name += plain + "*"
	}
	ends := append(a.All("extension"), Word{})
	put := func(w Word) {
		for _, root := range roots {
			for _, end := range ends[:max(1, len(ends)-1)] {
				below := Word{Text: strings.TrimRight(root.Text, "/") + "/**", Known: root.Known, Glob: true}
				if end.Known {
					below.Text += name + "." + end.Text
				} else if name != "/*" {
					below.Text += name
				}
				words = append(words, below)
			}
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
