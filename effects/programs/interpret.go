package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// interpreter says how a program takes the code that it runs.
type interpreter struct {
	language string
	code     string // letters of options whose value is code
	value    string // letters of other options with a value, in the same word or the next
	attached string // letters whose value is in the same word
	long     string // long options whose value is code
	valued   string // other long options with a value
	loops    bool   // -n and -p run the code over files, -i changes these
}

func interpreterOf(name string) (interpreter, bool) {
	switch name {
	case "python", "pypy", "ipython", "py", "micropython":
		return interpreter{language: "python", code: "c", value: "mWXQ", valued: " check-hash-based-pycs "}, true
	case "node", "nodejs", "tsx", "ts-node", "bun", "qjs", "d8", "jsc", "coffee", "esbuild-runner":
		return interpreter{language: "node", code: "ep", value: "rC", long: " eval print ",
			valued: " require import loader experimental-loader input-type conditions env-file title inspect-port preload cwd config port "}, true
	case "perl", "raku":
		return interpreter{language: "perl", code: "eE", value: "I", attached: "i0lFMmxCDdVaT", loops: true}, true
	case "ruby", "jruby", "crystal":
		return interpreter{language: "ruby", code: "e", value: "rICE", attached: "i0FKTWx",
			valued: " encoding external-encoding internal-encoding ", loops: true}, true
	case "php", "php-cgi":
		return interpreter{language: "php", code: "rBRE", value: "dfcSFtz", long: " run process-begin process-code process-end ",
			valued: " define file php-ini "}, true
	case "osascript":
		return interpreter{language: "applescript", code: "e", value: "ls"}, true
	case "lua", "luajit":
		return interpreter{language: "lua", code: "e", value: "l"}, true
	case "rscript", "r":
		return interpreter{language: "r", code: "e", value: "f", valued: " file "}, true
	case "julia":
		return interpreter{language: "julia", code: "eE", value: "LptJHC", long: " eval print ", valued: " load project "}, true
	case "tclsh", "wish", "expect":
		return interpreter{language: "tcl", code: "c", value: "f"}, true
	case "groovy", "scala", "elixir", "swift", "kotlin", "clojure", "bb", "guile", "racket", "sbcl", "octave", "jshell", "gst", "erl":
		return interpreter{language: name, code: "ec", value: "l", long: " eval ", valued: " load script "}, true
	case "nu", "fish", "xonsh", "elvish":
		return interpreter{language: name, code: "c", value: "Ci", long: " command commands ", valued: " init-command config env-config "}, true
	}
	return interpreter{}, false
}

// interpret is what runs code: given in an option, in a file, on standard input.
func interpret(c *call) {
	switch c.name {
	case "deno", "uv", "bun":
		if subcommand(c) {
			return
		}
	}
	in, ok := interpreterOf(c.name)
	if !ok {
		if in, ok = interpreterOf(unversioned(c.name)); !ok {
			return
		}
	}
	loops, inPlace, coded, checks := false, false, false, false
	var script []string
	i := 0
scan:
	for ; i < len(c.args); i++ {
		w := c.args[i]
		t := w.Text
		next := func() (v Word) {
			if i+1 < len(c.args) {
				i++
				v = c.args[i]
			}
			return v
		}
		run := func(v Word) {
			coded = true
			if in.loops && v.Known {
				script = append(script, v.Text) // several -e are one program
				return
			}
			c.host.RunText(in.language, v)
		}
		switch {
		case t == "--":
			i++
			break scan
		case t == "--help" || t == "--version" || t == "-h" && in.language != "perl" || t == "-V" || t == "-v" && in.language == "node":
			return
		case strings.HasPrefix(t, "--"):
			name, value, has := strings.Cut(t[2:], "=")
			isCode := strings.Contains(in.long, " "+name+" ")
			switch {
			case isCode && has:
				run(Word{Text: value, Known: w.Known})
			case isCode:
				run(next())
			case !has && strings.Contains(in.valued, " "+name+" "):
				c.preloads(in.language, name, next())
			case has:
				c.preloads(in.language, name, Word{Text: value, Known: w.Known})
			case name == "check" || name == "test" || name == "syntax-check":
				checks = true
			}
		case len(t) > 1 && t[0] == '-':
			for n := 1; n < len(t); n++ {
				rest := t[n+1:]
				letter := t[n : n+1]
				switch {
				case in.language == "node" && letter == "p" && rest == "" && n == 1 && c.name != "node" && c.name != "nodejs":
				case in.language == "node" && letter == "p" && strings.HasPrefix(rest, "e"): // -pe is -p -e
				case strings.Contains(in.code, letter):
					v := Word{Text: rest, Known: w.Known}
					if rest == "" || in.language == "node" && rest == "p" {
						v = next()
					}
					run(v)
					if in.language == "python" {
						return
					}
					n = len(t)
				case letter == "m" && in.language == "python":
					v := Word{Text: rest, Known: w.Known}
					if rest == "" {
						v = next()
					}
					c.module(v, c.args[i+1:])
					return
				case strings.Contains(in.value, letter):
					v := Word{Text: rest, Known: w.Known}
					if rest == "" {
						v = next()
					}
					if in.language == "php" && letter == "f" || in.language == "r" && letter == "f" || in.language == "tcl" && letter == "f" {
						coded = true
						c.host.RunFile(in.language, v)
					}
					if in.language == "php" && letter == "S" {
						n := Net{Listens: true}
						n.Host, n.Port = paths.HostOf(v.Text)
						c.host.AddNet(n)
						coded = true
					}
					if in.language == "applescript" && letter == "l" && strings.EqualFold(v.Text, "javascript") {
						in.language = "node"
					}
					c.preloads(in.language, letter, v)
					n = len(t)
				case strings.Contains(in.attached, letter):
					inPlace = inPlace || letter == "i" && in.loops
					if letter == "M" || letter == "m" {
						c.perlModule(rest)
					}
					if letter != "0" && letter != "l" && letter != "a" && letter != "T" || letter == "M" {
						n = len(t)
					}
				case letter == "n" || letter == "p":
					loops = true
				case letter == "c" && in.language != "python", letter == "l" && in.language == "php":
					checks = true
				case letter == "i" && in.language == "python":
				}
			}
		default:
			break scan
		}
	}
	operands := c.args[min(i, len(c.args)):]
	if checks && !coded {
		return
	}
	if len(script) > 0 {
		c.host.Inline(in.language, strings.Join(script, "\n"))
	}
	if !coded {
		if c.name == "bun" && len(operands) > 0 && operands[0].Text == "run" {
			if operands = operands[1:]; len(operands) > 0 && !strings.ContainsAny(operands[0].Text, "./") {
				return // a script of package.json
			}
		}
		if len(operands) == 0 || operands[0].Text == "-" || operands[0].Text == "/dev/stdin" {
			c.host.RunInput(in.language)
			return
		}
		c.host.RunFile(in.language, operands[0])
		operands = operands[1:]
	}
	if loops || inPlace {
		c.read(operands...)
	}
	if inPlace {
		c.write(operands...)
	}
}

// perlModule reads perl -Mmodule=..., which is code as well.
func (c *call) perlModule(text string) {
	if _, rest, ok := strings.Cut(text, ";"); ok {
		c.host.Inline("perl", rest)
	}
}

// preloads notes files that an option makes an interpreter run first.
func (c *call) preloads(language, name string, w Word) {
	switch name {
	case "r", "require", "import", "loader", "experimental-loader", "preload", "init-command", "load", "L":
		if strings.HasPrefix(w.Text, ".") || strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "data:") ||
			strings.Contains(w.Text, "://") {
			c.host.RunFile(language, w)
		}
	}
}

// subcommand is deno eval, deno run, uv run. It reports whether that was it.
func subcommand(c *call) bool {
	if len(c.args) == 0 {
		return c.name != "bun"
	}
	verb := c.args[0].Text
	a := (&options{short: "c:A::", strict: true, long: "config= import-map= ext= allow-read? allow-write? allow-net? allow-env? allow-run? " +
		"allow-all env-file= cert= location= lock= seed= v8-flags= reload? with= python= extra= group= project= package= directory= help " +
		"version"}).read(c.args[1:])
	switch {
	case a.has("help", "version"):
		return true
	case c.name == "deno" && verb == "eval" && len(a.operands) > 0:
		c.host.RunText("node", a.operands[0])
	case c.name == "deno" && (verb == "run" || verb == "test" || verb == "bench" || verb == "serve") && len(a.operands) > 0:
		c.host.RunFile("node", a.operands[0])
	case c.name == "uv" && verb == "run" && len(a.operands) > 0:
		if strings.HasSuffix(a.operands[0].Text, ".py") {
			c.host.RunFile("python", a.operands[0])
		} else {
			c.host.Start(a.operands, Start{})
		}
	case c.name == "bun":
		switch verb {
		case "install", "i", "add", "remove", "rm", "update", "create", "init", "test", "link", "unlink", "pm", "build", "upgrade", "outdated",
			"publish":
			return true
		case "x":
			c.host.Start(a.operands, Start{})
			return true
		}
		return false
	}
	return true
}

// module is python -m.
func (c *call) module(w Word, args []Word) {
	a := (&options{short: "c:e:l:s:b:d:p:", long: "create= extract= list= bind= directory= json-lines sort-keys indent= help"}).read(args)
	switch w.Text {
	case "json.tool":
		if len(a.operands) > 0 {
			c.read(a.operands[0])
		}
		if len(a.operands) > 1 {
			c.write(a.operands[1])
		}
	case "http.server", "SimpleHTTPServer":
		n := Net{Listens: true, Port: "8000"}
		if len(a.operands) > 0 {
			n.Port = a.operands[0].Text
		}
		c.host.AddNet(n)
	case "zipfile", "tarfile":
		if a.has("e", "extract") {
			dir := word(".")
			if len(a.operands) > 0 {
				dir = a.operands[0]
			}
			c.add(File{Op: Write, Tree: true}, dir)
		}
		a.values(func(w Word) {
			if a.has("c", "create") {
				c.write(w)
			} else {
				c.read(w)
			}
		}, "c", "create", "e", "extract", "l", "list")
	case "venv", "virtualenv":
		for _, w := range a.operands {
			c.add(File{Op: Write, Tree: true}, w)
		}
	case "timeit", "pyperf":
		for _, w := range append(a.operands, Word{}) {
			if w.Text != "" {
				c.host.RunText("python", w)
			}
		}
		a.values(func(w Word) { c.host.RunText("python", w) }, "s")
	case "cProfile", "profile", "pdb", "trace", "runpy", "coverage":
		for _, w := range a.operands {
			if strings.HasSuffix(w.Text, ".py") {
				c.host.RunFile("python", w)
				return
			}
		}
	}
}
