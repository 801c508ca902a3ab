package programs

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// makefile lists what a makefile of this line runs: one on standard input, one
// that was just written, or --eval.
func makefile(c *call) {
	a, ok := c.options()
	if !ok || shows(&a) {
		return
	}
	if dir, ok := a.Value("C", "directory"); ok {
		c.enter(c.place(dir))
	}
	file, given := a.Value("f", "file", "makefile", "justfile")
	switch {
	case given && file.Text == "-" && !c.host.Input().Known:
		c.host.RunInput("make")
	case given && file.Text == "-":
		c.recipes(c.host.Input().Text)
	case given:
		c.read(file)
		c.made(file, a.Operands)
	}
	a.Values(func(w Word) { c.recipes(w.Text); c.functions(w.Text) }, "eval")
	for _, w := range a.Operands {
		name, value, _ := strings.Cut(w.Text, "=")
		shell := Word{Text: strings.ReplaceAll(value, "$$", "$"), Known: w.Known}
		if row, _ := Lookup(path.Base(value)); name == "SHELL" && row.runs != "shell" || model.RunsValue(name) { // it runs every line
			c.host.Command(shell)
		} else if name == ".SHELLFLAGS" {
			shell.Text = "sh " + shell.Text
			c.host.Command(shell)
		} else if !w.Known && !strings.Contains(w.Text, "=") && !strings.HasPrefix(w.Text, "…") && !paths.PlainValue(w.Text) {
			c.host.Doubt("argument", w.Text) // which target it is
		}
	}
	if c.name == "just" {
		for i, w := range c.args {
			if w.Text == "--command" || w.Text == "-c" {
				c.host.Start(c.args[i+1:], Start{})
				break
			}
		}
		shell, _ := a.Value("shell")
		if arg, ok := a.Value("shell-arg"); ok {
			c.host.Start([]Word{shell, arg}, Start{})
		}
	}
}

// shows reports whether make only prints what it would run.
func shows(a *Args) bool { return a.Has("n", "dry-run", "just-print", "recon", "q", "question") }

// mavenExec is mvn exec:exec, which runs a program that properties name.
func mavenExec(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	var program, rest Word
	for _, w := range a.All("D") {
		switch name, value, _ := strings.Cut(w.Text, "="); name {
		case "exec.executable":
			program = Word{Text: value, Known: w.Known}
		case "exec.args", "exec.commandlineArgs":
			rest = Word{Text: value, Known: w.Known}
		}
	}
	if program.Text != "" {
		c.host.Command(Word{Text: program.Text + " " + rest.Text, Known: program.Known && (rest.Known || rest.Text == "")})
	}
	c.generic()
}

// functions does what make itself does while it reads: $(shell …), $(file …).
func (c *call) functions(text string) {
	scripts, reads, writes := recipes.MakeFunctions(text)
	for _, script := range scripts {
		c.host.Script(script)
	}
	for _, file := range reads {
		c.read(word(file))
	}
	for _, file := range writes {
		c.write(word(file))
	}
}

// made reads a makefile of any name: all of one that this line has written, the
// targets of one that is there.
func (c *call) made(file Word, targets []Word) {
	p := c.place(file)
	held := c.host.Holds(p)
	if text, ok := c.host.Text(p.Real); ok && len(held) == 0 {
		words := make([]string, len(targets))
		for i, w := range targets {
			words[i] = w.Text
		}
		for _, step := range recipes.Of(c.name+"file", text, words) { // makefile, justfile
			c.host.OnDisk(step.Language, step.Text)
		}
	}
	for _, held := range held {
		switch {
		case held.Network:
			c.host.AddCode(model.Code{Language: "make", Origin: model.Network, File: c.place(file)})
		case held.Known:
			c.recipes(held.Text)
		}
	}
}

// recipes runs the lines of a makefile that begin with a tab, or stand behind a
// semicolon.
func (c *call) recipes(text string) {
	for _, line := range recipes.Lines(text, c.name == "just") {
		c.host.Script(line)
	}
}

// packageScript is npm run. The script itself is read as what the program loads;
// which one it is may be known only to the running shell.
func packageScript(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	c.listed(&a)
	if c.name == "npm run" && len(a.Operands) > 0 && !a.Operands[0].Known {
		c.host.Doubt("argument", a.Operands[0].Text)
	}
}
