package programs

import "strings"

// makefile lists what a makefile of this line runs: one on standard input, one
// that was just written, or --eval.
func makefile(c *call) {
	a, ok := c.options(options{short: "C:f:I:j::l::o:W:O::", long: "directory= file= makefile= include-dir= jobs? load-average? old-file= " +
		"what-if= new-file= assume-new= eval= dry-run just-print recon question touch keep-going silent quiet always-make print-data-base help " +
		"version"})
	if !ok || a.has("n", "dry-run", "just-print", "recon", "q", "question") {
		return
	}
	if dir, ok := a.value("C", "directory"); ok {
		c.dir = c.place(dir)
	}
	file, given := a.value("f", "file", "makefile")
	switch {
	case given && file.Text == "-":
		if in := c.host.Input(); in.Known {
			c.recipes(in.Text)
		} else {
			c.host.RunInput("make")
		}
	case given:
		c.made(file)
	default:
		for _, name := range [...]string{"GNUmakefile", "makefile", "Makefile"} {
			c.made(word(name))
		}
	}
	a.values(func(w Word) { c.recipes(w.Text) }, "eval")
}

// made reads a makefile if this line has written it.
func (c *call) made(file Word) {
	for _, held := range c.host.Holds(c.place(file)) {
		switch {
		case held.Network:
			c.host.AddCode(Code{Language: "make", Origin: Network, File: c.place(file)})
		case held.Known:
			c.recipes(held.Text)
		}
	}
}

// recipes runs the lines of a makefile that begin with a tab, or stand behind a
// semicolon.
func (c *call) recipes(text string) {
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "\t")
		if !ok {
			if _, command, ok = strings.Cut(line, ";"); !ok {
				continue
			}
		}
		c.host.Script(strings.TrimLeft(strings.ReplaceAll(command, "$$", "$"), "@-+ \t"))
	}
}
