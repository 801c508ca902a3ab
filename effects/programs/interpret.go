package programs

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/parts"
)

// interpreter is a run of a program that runs code: given in an option, in a
// file, on standard input.
type interpreter struct {
	*call
	options.Parser
	language string
	i        int      // the argument that is being read
	script   []string // what several -e are together
	coded    bool     // the code is an argument
	checks   bool     // the code is only checked
	loops    bool     // the code is run over files
	inPlace  bool     // and changes these
	done     bool     // nothing else matters
}

func interpret(c *call) {
	if c.name == "bun" && bun(c) {
		return
	}
	in := interpreter{call: c, Parser: options.Parser{Spec: c.row.opt}, language: c.language()}
	if a := c.row.Parse(c.args); c.name == "node" && a.Has("run") { // a script of package.json
		script, _ := a.Value("run")
		c.host.Start([]Word{word("npm"), word("run"), script}, Start{})
		return
	}
	operands := in.options()
	if in.done || in.checks && !in.coded {
		return
	}
	if len(in.script) > 0 {
		script := strings.Join(in.script, "\n")
		in.loops = in.loops || in.language == "perl" && strings.Contains(script, "<>") || in.language == "ruby" &&
			strings.Contains(script, "ARGF")
		c.host.Inline(in.language, script)
	}
	if !in.coded {
		if c.name == "bun" && len(operands) > 0 && operands[0].Text == "run" {
			if operands = operands[1:]; len(operands) > 0 && !strings.ContainsAny(operands[0].Text, "./") {
				return // a script of package.json
			}
		}
		for len(operands) > 1 && in.language == "ocaml" && strings.HasPrefix(path.Ext(operands[0].Text), ".cm") { // a library
			operands = operands[1:]
		}
		if len(operands) == 0 || operands[0].Text == "-" || operands[0].Text == "/dev/stdin" {
			c.host.RunInput(in.language)
			return
		}
		if c.host.IsThere(c.place(operands[0])) { // what a program does that nobody knows
			(&call{host: c.host, row: &noRow, name: "script", args: operands[1:], dir: c.dir}).secondLook()
		}
		c.host.RunFile(in.language, operands[0])
		if name := strings.ToLower(path.Base(operands[0].Text)); isScript(name, operands[0].Text) {
			c.host.Start(append([]Word{word(name)}, operands[1:]...), Start{})
		}
		operands = operands[1:]
	}
	if in.loops || in.inPlace {
		c.read(in.opened(operands)...)
	}
	if in.inPlace {
		c.write(operands...)
	}
}

// opened are the operands that are files. Perl opens what it loops over by a name that may also
// be a command, perl -ne print 'id |', or a file that is written.
func (in *interpreter) opened(operands []Word) (files []Word) {
	if in.language != "perl" {
		return operands
	}
	for _, w := range operands {
		role, name := parts.Opened(w.Text)
		if w.Text = name; role == 'R' {
			files = append(files, w)
		} else {
			in.plain(&roles{}, parts.Part{Role: role}, w)
		}
	}
	return files
}

// isScript reports whether a file is a program that has a row by its own name:
// python manage.py, php artisan, ruby bin/rails, php bin/console.
func isScript(name, file string) bool {
	row, ok := lookup(name)
	return ok && (strings.Contains(name, ".") || row.area() != "" || name == "artisan" || paths.Programs(file))
}

// options reads up to the first operand and returns the operands.
func (in *interpreter) options() []Word {
	for ; in.i < len(in.args) && !in.done; in.i++ {
		w := in.args[in.i]
		switch t := w.Text; {
		case t == "--":
			return in.args[in.i+1:]
		case t == "--help" || t == "--version" || t == "-V":
			in.done = true
		case strings.HasPrefix(t, "--"), len(t) > 2 && t[0] == '-' && in.row.style.Dash:
			in.long(w)
		case len(t) > 1 && t[0] == '-':
			in.letters(w)
		default:
			return in.args[in.i:]
		}
	}
	return nil
}

// next is the value of an option: what is left of its word, or the next one.
func (in *interpreter) next(rest string, known bool) Word {
	if rest != "" || in.i+1 >= len(in.args) {
		return Word{Text: rest, Known: known}
	}
	in.i++
	return in.args[in.i]
}

func (in *interpreter) long(w Word) {
	name, value, has := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
	e, _ := in.Named(name)
	switch v := (Word{Text: value, Known: w.Known}); {
	case e.Values > 0 && !has:
		in.value(e, in.next("", true))
	case has:
		in.value(e, v)
	case name == "check" || name == "test" || name == "syntax-check":
		in.checks = true
	}
}

func (in *interpreter) letters(w Word) {
	for n := 1; n < len(w.Text); n++ {
		rest := w.Text[n+1:]
		e := in.Letter(w.Text[n])
		switch {
		case e.Action == "-":
			in.done = len(w.Text) == 2
		case in.language == "node" && e.Role == "Z" && strings.HasPrefix(rest, "e"): // -pe is -p -e
		case in.language == "node" && e.Role == "Z" && rest == "p":
			in.value(e, in.next("", true))
			return
		case e.Values > 0:
			in.value(e, in.next(rest, w.Known))
			return
		case e.Optional:
			in.inPlace = in.inPlace || e.Letter == 'i'
			if e.Letter == 'M' || e.Letter == 'm' { // -Mmodule; is code as well
				if _, code, ok := strings.Cut(rest, ";"); ok {
					in.host.Inline("perl", code)
				}
			}
			if strings.IndexByte("0laT", e.Letter) < 0 {
				return
			}
		case e.Letter == 'n' || e.Letter == 'p':
			in.loops = true
		case e.Letter == 'c', e.Letter == 'l' && in.language == "php":
			in.checks = true
		}
	}
}

// value reads an option with its value.
func (in *interpreter) value(e options.Entry, v Word) {
	switch {
	case e.Role == "Z":
		in.coded = true
		if (in.language == "perl" || in.language == "ruby" || in.language == "applescript") && v.Known { // several -e are one program
			in.script = append(in.script, v.Text)
			return
		}
		in.host.RunText(in.language, v)
		in.done = in.language == "python"
	case e.Letter == 'm' && in.language == "python":
		in.done = true
		in.module(v, in.args[min(in.i+1, len(in.args)):])
	case e.Role == "R":
		in.call.read(v)
	case e.Role == "X" && (e.Letter == 'f' || e.Name == "file") && v.Text != "-":
		in.coded = true
		in.host.RunFile(in.language, v)
	case e.Letter == 'd' && in.language == "php":
		if name, file, _ := strings.Cut(v.Text, "="); name == "auto_prepend_file" || name == "auto_append_file" {
			in.host.RunFile("php", Word{Text: file, Known: v.Known})
		}
	case e.Letter == 'S' && in.language == "php":
		n := model.Net{Listens: true}
		n.Host, n.Port = paths.HostOf(v.Text)
		in.host.AddNet(n)
		in.coded = true
	case e.Letter == 'l' && in.language == "applescript" && strings.EqualFold(v.Text, "javascript"):
		in.language = "node"
	case e.Letter == 'r' && in.language == "ruby" && v.Text == "un": // ruby -run -e httpd
		in.host.AddNet(model.Net{Listens: true})
	case e.Role == "X": // it is run first
		if strings.HasPrefix(v.Text, ".") || strings.HasPrefix(v.Text, "/") || strings.HasPrefix(v.Text, "data:") ||
			strings.Contains(v.Text, "://") {
			in.host.RunFile(in.language, v)
		} else if strings.HasPrefix(v.Text, "dotenv/") {
			in.call.read(word(".env"))
		}
	}
}

// subcommand is deno eval and deno run.
func subcommand(c *call) {
	if len(c.args) == 0 {
		return
	}
	row, ok := c.row.Sub(c.args[0].Text)
	if !ok {
		if strings.ContainsAny(c.args[0].Text, "./") && !strings.HasPrefix(c.args[0].Text, "-") {
			c.host.RunFile(c.language(), c.args[0])
		}
		return
	}
	a := row.Parse(c.args[1:])
	inner := *c
	inner.row = row
	inner.listed(&a)
	switch {
	case a.Help() || len(a.Operands) == 0:
	case strings.Contains(row.ops, "W"):
		inner.args = c.args[1:]
		inner.generic()
	case c.args[0].Text == "eval":
		c.host.RunText(c.language(), a.Operands[0])
	default:
		c.host.RunFile(c.language(), a.Operands[0])
	}
}

// environmentRun is hatch run: a command, with the environment before a colon.
func environmentRun(c *call) {
	a, ok := c.options()
	if !ok || len(a.Operands) == 0 {
		return
	}
	words := slices.Clone(a.Operands)
	if env, command, ok := strings.Cut(words[0].Text, ":"); ok && !strings.ContainsAny(env, "/ ") {
		words[0].Text = command
	}
	c.host.Start(words, Start{})
}

// pythonFile is uv run: a script, or a program of the environment.
func pythonFile(c *call) {
	switch a, ok := c.options(); {
	case !ok || len(a.Operands) == 0:
	case strings.HasSuffix(a.Operands[0].Text, ".py"):
		c.host.RunFile("python", a.Operands[0])
	default:
		c.host.Start(a.Operands, Start{})
	}
}

// bun does what package managers do, too. It reports whether that was it.
func bun(c *call) bool {
	if len(c.args) == 0 {
		return false
	}
	switch c.args[0].Text {
	case "install", "i", "add", "remove", "rm", "update", "create", "init", "test", "link", "unlink", "pm", "build", "upgrade", "outdated",
		"publish":
		return true
	case "x":
		if a := c.row.Parse(c.args[1:]); !a.Help() {
			c.host.Start(a.Operands, Start{})
		}
		return true
	}
	return false
}

// module is python -m.
func (c *call) module(w Word, args []Word) {
	p := options.Parser{Spec: "c,create= e,extract= l,list= s= b,bind= d,directory= p= json-lines sort-keys indent="}
	a := p.Read(args)
	switch w.Text {
	case "json.tool":
		if len(a.Operands) > 0 {
			c.read(a.Operands[0])
		}
		if len(a.Operands) > 1 {
			c.write(a.Operands[1])
		}
	case "http.server", "SimpleHTTPServer":
		n := model.Net{Listens: true, Port: "8000"}
		if len(a.Operands) > 0 {
			n.Port = a.Operands[0].Text
		}
		c.host.AddNet(n)
	case "zipfile", "tarfile":
		if a.Has("e", "extract") {
			c.add(File{Op: Write, Tree: true}, append(a.Operands, word("."))[0])
		}
		a.Values(func(w Word) {
			if !a.Has("c", "create") {
				c.read(w)
				return
			}
			c.write(w)
			for _, packed := range a.Operands {
				c.add(File{Op: Read, Tree: true}, packed)
			}
		}, "c", "create", "e", "extract", "l", "list")
	case "venv", "virtualenv":
		for _, w := range a.Operands {
			c.add(File{Op: Write, Tree: true}, w)
		}
	case "timeit", "pyperf":
		for _, w := range append(a.Operands, Word{}) {
			if w.Text != "" {
				c.host.RunText("python", w)
			}
		}
		a.Values(func(w Word) { c.host.RunText("python", w) }, "s")
	case "cProfile", "profile", "pdb", "trace", "runpy":
		for _, w := range a.All("c") { // pdb -c command
			c.host.RunText("python", Word{Text: strings.TrimPrefix(w.Text, "!"), Known: w.Known})
		}
		for _, w := range a.Operands {
			if strings.HasSuffix(w.Text, ".py") {
				c.host.RunFile("python", w)
				return
			}
		}
	default: // most modules are programs of the same name: pip, pytest
		for _, file := range [...]string{".py", "/__main__.py"} {
			if file = strings.ReplaceAll(w.Text, ".", "/") + file; c.host.IsThere(c.place(word(file))) {
				c.host.RunFile("python", word(file))
				return
			}
		}
		if first, _, dotted := strings.Cut(w.Text, "."); dotted && first != "pip" {
			w.Text = strings.ReplaceAll(w.Text, ".", "_") // script.release is not the program script
		}
		w.Text = cmp.Or(map[string]string{"build": "pyproject-build"}[w.Text], w.Text)
		c.host.Start(append([]Word{w}, args...), Start{})
	}
}
