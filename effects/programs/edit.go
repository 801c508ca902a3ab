package programs

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/parts"
	"github.com/trammel-dev/trammel/effects/programs/sedscript"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// sed reads files, changes them with -i, and its script can read, write and
// even run what it likes.
func sed(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	files, scripted := a.Operands, a.Has("e", "expression", "f", "file")
	var script []Word
	a.Values(func(w Word) { script = append(script, w) }, "e", "expression")
	a.Values(func(w Word) { c.read(w); c.host.Doubt("code", w.Text) }, "f", "file")
	if !scripted && len(files) > 0 {
		// BSD's sed takes the suffix of -i as a word of its own
		if a.Has("i", "I") && files[0].Known && files[0].Text == "" {
			files = files[1:]
		}
		if len(files) > 0 {
			script, files = files[:1], files[1:]
		}
	}
	for _, w := range script {
		if w.Known {
			c.sedScript(w.Text)
		} else if strings.ContainsAny(w.Text, "wWe") {
			c.host.Doubt("code", w.Text)
		}
	}
	c.read(files...)
	if a.Has("i", "I", "in-place") {
		c.write(files...)
		if suffix, ok := a.Value("i", "I", "in-place"); ok && strings.Contains(suffix.Text, "/") {
			c.write(sedscript.Backups(files, suffix)...)
		}
	}
}

// sedScript lists what a script reads, writes and runs.
func (c *call) sedScript(text string) {
	sedscript.Read(text, sedscript.Host{
		Reads:  func(name string) { c.read(word(name)) },
		Writes: func(name string) { c.write(word(name)) },
		Runs:   c.host.Script,
		RunsInput: func() {
			c.host.AddCode(model.Code{Language: "shell", Origin: model.Piped}) // each line is a command
			c.host.RunInput("shell")
		},
		Doubt: func(what string) { c.host.Doubt("code", what) },
	})
}

// awk runs a program over files.
func awk(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	files := a.Operands
	var script []Word
	a.Values(func(w Word) { script = append(script, w) }, "e", "source")
	from := false
	a.Values(func(w Word) { from = true; c.host.RunFile("awk", w) }, "f", "file", "E", "exec")
	if len(script) == 0 && !from && len(files) > 0 {
		script, files = files[:1], files[1:]
	}
	for _, w := range script {
		c.host.RunText("awk", w)
	}
	inPlace := false
	a.Values(func(w Word) { inPlace = inPlace || strings.HasPrefix(w.Text, "inplace") }, "i", "include")
	for _, w := range files {
		if name, _, ok := strings.Cut(w.Text, "="); ok && !strings.Contains(name, "/") {
			continue
		}
		c.read(w)
		if inPlace {
			c.write(w)
		}
	}
}

// editor is ed, ex and vi: the files they open are written if they are given
// commands, and the commands can do anything.
func editor(c *call) {
	var files, commands []Word
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		switch t := w.Text; {
		case t == "--help" || t == "--version" || t == "-h":
			return
		case t == "-c" || t == "--cmd" || strings.HasPrefix(t, "-") && strings.HasSuffix(t, "c") && !strings.HasPrefix(t, "--") && len(t) < 5:
			if i++; i < len(c.args) {
				commands = append(commands, c.args[i])
			}
		case (t == "-S" || t == "-u" || t == "-l") && i+1 < len(c.args) && strings.HasSuffix(c.args[i+1].Text, ".lua"):
			i++
			c.host.RunFile("lua", c.args[i])
		case t == "-S" || t == "-u" || t == "-s" && c.name != "ed" && c.name != "ex" && (i == 0 || c.args[i-1].Text != "-e") ||
			t == "-w" || t == "-W":
			if i++; i < len(c.args) {
				if t == "-w" || t == "-W" {
					c.write(c.args[i])
				} else {
					c.read(c.args[i])
				}
				if t == "-S" || t == "-u" && c.args[i].Text != "NONE" {
					commands = append(commands, c.sourced(c.args[i]))
				} else if t != "-u" {
					c.host.Doubt("code", c.args[i].Text)
				}
			}
		case strings.HasPrefix(t, "+"):
			commands = append(commands, Word{Text: t[1:], Known: w.Known})
		case strings.HasPrefix(t, "-"):
		default:
			files = append(files, w)
		}
	}
	if in := c.host.Input(); in.Known {
		commands = append(commands, word(in.Text))
	} else if text, ok := c.host.Given(); ok {
		commands = append(commands, word(text))
	}
	for _, w := range files {
		c.do(&roles{}, parts.Part{Role: 'R'}, w) // vim scp://host/x
	}
	if len(commands) > 0 || c.host.Run().From >= 0 {
		c.write(files...)
	}
	for _, w := range commands {
		if !w.Known {
			c.host.Doubt("code", w.Text)
			continue
		}
		for _, line := range strings.Split(w.Text, "\n") {
			c.editorCommand(strings.TrimLeft(line, ": \t"))
		}
	}
}

// sourced is what a file of commands holds: as this line has written it, or as it
// is there.
func (c *call) sourced(w Word) Word {
	p := c.place(w)
	for _, held := range c.host.Holds(p) {
		return Word{Text: held.Text, Known: held.Known && !held.Network}
	}
	if text, ok := c.host.Text(p.Real); ok {
		return word(text)
	}
	return Word{Text: w.Text}
}

// editorCommand reads one line of ex.
func (c *call) editorCommand(line string) {
	for line != "" {
		whole := recipes.BehindRange(line)
		one, behind, _ := strings.Cut(whole, "|")
		name, rest, _ := strings.Cut(strings.TrimSpace(one), " ")
		switch strings.TrimRight(name, "!") {
		case "luafile", "pyfile", "py3file", "rubyfile":
			c.host.RunFile(recipes.EditorLanguage(name), word(rest))
		case "call", "cal", "echo", "let", "exe", "execute", "eval", "cex", "cexpr", "cgetexpr", "lexpr", "lgetexpr": // a bar in quotes is text
			one, behind = recipes.CutBar(whole)
			_, rest, _ = strings.Cut(strings.TrimSpace(one), " ")
		}
		line, rest = behind, strings.TrimSpace(rest)
		if before, command, ok := strings.Cut(whole, "!"); ok {
			switch before { // w! x writes a file
			case "", "r", "r ", "re ", "rea ", "read", "read ", "w ", "wr ", "wri ", "writ ", "write ":
				c.host.Script(command) // a bar is part of it
				return
			}
		}
		switch strings.TrimRight(name, "!") {
		case "w", "write", "wq", "x", "sav", "saveas", "W", "up", "update":
			if rest != "" {
				c.write(word(strings.TrimPrefix(strings.TrimSpace(rest), ">>")))
			}
		case "r", "read", "e", "edit", "so", "source":
			if rest != "" {
				c.read(word(rest))
			}
			if name[0] == 's' && strings.Contains(rest, "://") {
				c.host.AddCode(model.Code{Language: "vim", Text: rest, Origin: model.Network})
			} else if name[0] == 's' && slices.ContainsFunc(c.held(word(rest)), func(s Stream) bool { return s.Network }) {
				c.host.RunFile("vim", word(rest))
			}
		case "exe", "execute":
			c.host.Inline("vim", "execute("+rest+")")
		case "call", "cal", "echo", "let", "eval", "cex", "cexpr", "cgetexpr", "lexpr", "lgetexpr":
			c.host.Inline("vim", rest)
		case "lua", "py", "py3", "python", "python3", "pyx", "rub", "ruby", "perl", "pe":
			language := recipes.EditorLanguage(name)
			_, rest, _ = strings.Cut(whole, " ") // a bar belongs to the code
			rest, line = strings.TrimSpace(rest), ""
			c.host.AddCode(model.Code{Language: language, Text: rest, Origin: model.Inline})
			c.host.Inline(language, rest)
		case "sh", "she", "shel", "shell", "stop", "suspend":
			c.host.Start([]Word{word("sh")}, Start{})
		case "set", "se":
			if option, command, _ := strings.Cut(rest, "="); option == "shell" || option == "sh" || strings.HasSuffix(option, "prg") {
				c.host.Script(strings.ReplaceAll(command, `\ `, " "))
			}
		case "redir", "redi":
			if rest = strings.TrimLeft(rest, "> "); rest != "END" {
				c.write(word(rest))
			}
		case "te", "term", "terminal":
			c.host.Script(cmp.Or(rest, "sh"))
		}
	}
}

// patch changes the files that its input names.
func patch(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	if dir, ok := a.Value("d", "directory"); ok {
		c.dir = c.place(dir)
	}
	in, given := a.Value("i", "input")
	if given {
		c.read(in)
	}
	if a.Has("dry-run", "C") {
		return
	}
	if out, ok := a.Value("o", "output"); ok {
		c.write(out)
		return
	}
	if len(a.Operands) > 0 {
		c.write(a.Operands[0])
		c.read(a.Operands[1:]...)
		return
	}
	strip, _ := a.Value("p", "strip")
	c.patched(in, strip.Text)
}

// patched lists the files of a patch: those it names, if its text is known or
// on disk, else some of the directory.
func (c *call) patched(file Word, strip string) {
	text, known := "", false
	if in := c.host.Input(); file.Text == "" || file.Text == "-" {
		if text, known = in.Text, in.Known; !known {
			text, known = c.host.Given()
		}
	} else if held := c.host.Holds(c.place(file)); len(held) == 1 {
		text, known = held[0].Text, held[0].Known
	} else if at := c.place(file); len(held) == 0 && at.Known() && !at.Glob {
		text, known = c.host.Text(at.Abs)
		known = known && strings.Contains(text, "\n+++ ") // else it is no patch that can be read
	}
	if !known {
		c.add(File{Op: Write, Tree: true}, Word{Text: ".", Known: true, Some: true})
		return
	}
	c.changed(recipes.Patch(text, strip))
}

// changed lists files that are written or removed.
func (c *call) changed(files iter.Seq2[string, bool]) {
	for name, removed := range files {
		if removed {
			c.remove(false, word(name))
		} else {
			c.write(word(name))
		}
	}
}

// applyPatch is the patch program of agents, which takes its own format.
func applyPatch(c *call) {
	text, known := c.host.Input().Text, c.host.Input().Known
	if len(c.args) > 0 {
		text, known = c.args[0].Text, c.args[0].Known
	}
	if !known {
		c.add(File{Op: Write, Tree: true}, word("."))
		c.host.Doubt("argument", c.name)
	}
	c.changed(recipes.AgentPatch(text))
}

// debugger is gdb and lldb, which run programs on the side: gdb -ex '!x'.
func debugger(c *call) {
	for i, w := range c.args {
		if w.Text == "--args" || w.Text == "--" {
			c.host.Start(c.args[i+1:], Start{})
			return
		}
		if _, value, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(w.Text, "-") { // --eval-command=shell x
			w.Text = value
		} else if i == 0 || !strings.HasPrefix(c.args[i-1].Text, "-") {
			continue
		}
		for _, name := range [...]string{"!", "shell ", "platform shell "} {
			if command, ok := strings.CutPrefix(w.Text, name); ok {
				c.host.Command(Word{Text: command, Known: w.Known})
			}
		}
		if _, call, ok := strings.Cut(w.Text, "system("); ok { // call (int)system("x")
			if parts := strings.SplitN(strings.ReplaceAll(call, `\"`, "'"), `"`, 3); len(parts) > 1 {
				c.host.Command(Word{Text: parts[1], Known: w.Known})
			}
		}
		c.debugged(w)
	}
}

// debugged lists the files of one command: dump value FILE x, source FILE.
func (c *call) debugged(w Word) {
	words := strings.Fields(w.Text)
	if len(words) < 2 {
		return
	}
	switch words[0] {
	case "dump", "append", "save", "generate-core-file", "gcore":
		for _, file := range words[1:] {
			if strings.ContainsAny(file, "/~.") {
				c.write(c.host.Tilde(file))
			}
		}
	case "source", "restore", "file", "add-symbol-file", "list":
		c.read(c.host.Tilde(words[1]))
	case "python", "py", "python-interactive", "script":
		c.host.Inline("python", strings.TrimSpace(w.Text[len(words[0]):]))
	}
}

// pager is less and more: +!command runs a command first.
func pager(c *call) {
	c.args = slices.DeleteFunc(slices.Clone(c.args), func(w Word) bool {
		command, first := strings.CutPrefix(w.Text, "+")
		if line, ok := strings.CutPrefix(strings.TrimLeft(command, "+"), "!"); first && ok {
			c.host.Command(Word{Text: line, Known: w.Known})
		}
		return first
	})
	c.generic()
}

// position is gopls rename: file:line:column, and a name.
func position(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) == 0 || !a.Has("w", "write") {
		return
	}
	w := a.Operands[0]
	w.Text, _, _ = strings.Cut(w.Text, ":")
	c.write(w)
}
