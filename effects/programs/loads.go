package programs

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// loads reads the files of the project that a program runs by itself: a
// configuration that is code, a recipe, the scripts of a package.
func (c *call) loads() {
	names := c.row.field("loads")
	if names == "" || c.host.Run().Remote {
		return
	}
	for name := range strings.FieldsSeq(names) {
		p := c.place(word(name))
		if !p.Known() || len(c.host.Holds(p)) > 0 {
			continue
		}
		if name == "package.json" {
			c.packageScripts(p)
			continue
		}
		if language := languageOf(name); language == "make" {
			if text, ok := c.host.Text(p.Abs); ok {
				c.makeOnDisk(text)
			}
		} else if text, ok := c.host.Text(p.Abs); ok {
			c.host.OnDisk(language, text)
		}
	}
}

// languageOf is the language of a file that a program runs, by its name.
func languageOf(name string) string {
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts":
		return "node"
	case ".py":
		return "python"
	case ".rb":
		return "ruby"
	case ".sh", ".envrc":
		return "shell"
	case ".pl", ".PL":
		return "perl"
	case ".php":
		return "php"
	case ".lua":
		return "lua"
	}
	switch strings.ToLower(name) {
	case "rakefile", "gemfile", "guardfile", "fastfile", "vagrantfile", "brewfile", "podfile":
		return "ruby"
	case "makefile", "gnumakefile", "justfile":
		return "make"
	case "sconstruct":
		return "python"
	}
	return "unknown"
}

// packageScripts reads the scripts of package.json that a run starts: the one it
// names, with what comes before and after it, or those of an installation.
func (c *call) packageScripts(p Path) {
	text, ok := c.host.Text(p.Abs)
	if !ok {
		return
	}
	a := c.row.Parse(c.args)
	word := a.Word(0)
	switch word {
	case "run", "run-script", "rum", "urn":
		word = a.Word(1)
	case "t", "tst":
		word = "test"
	case "", "install", "i", "ci", "add", "in", "ins", "clean-install":
		word = "install"
	}
	for _, name := range []string{"pre" + word, word, "post" + word, "prepare"} {
		if name == "prepare" && word != "install" && word != "publish" && word != "pack" {
			continue
		}
		if script, ok := scriptOf(text, name); ok {
			c.host.OnDisk("shell", script)
		}
	}
}

// scriptOf finds a script in the text of a package.json.
func scriptOf(text, name string) (string, bool) {
	_, rest, ok := strings.Cut(text, `"scripts"`)
	if !ok {
		return "", false
	}
	rest, _, _ = strings.Cut(rest, "}")
	_, rest, ok = strings.Cut(rest, `"`+name+`"`)
	if !ok {
		return "", false
	}
	rest = strings.TrimLeft(rest, ": \t\n")
	if rest == "" || rest[0] != '"' {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '"':
			return b.String(), true
		case '\\':
			if i++; i < len(rest) {
				if rest[i] == 'n' {
					b.WriteByte('\n')
				} else {
					b.WriteByte(rest[i])
				}
			}
		default:
			b.WriteByte(rest[i])
		}
	}
	return "", false
}

// variable reads what a variable makes an interpreter run before anything else.
func (c *call) variable(e model.Assign) {
	switch e.Name {
	case "PYTHONSTARTUP":
		c.host.RunFile("python", e.Value)
	case "PERL5OPT":
		if _, code, ok := strings.Cut(e.Value.Text, ";"); ok {
			c.host.Inline("perl", code)
		}
	case "NODE_OPTIONS", "RUBYOPT":
		language := "node"
		if e.Name == "RUBYOPT" {
			language = "ruby"
		}
		next := false
		for field := range strings.FieldsSeq(e.Value.Text) {
			option, value, _ := strings.Cut(field, "=")
			loads := option == "-r" || option == "--require" || option == "--import"
			switch {
			case next:
				c.host.RunFile(language, Word{Text: field, Known: e.Value.Known})
			case loads && value != "":
				c.host.RunFile(language, Word{Text: value, Known: e.Value.Known})
			case strings.HasPrefix(field, "-r") && len(field) > 2:
				c.host.RunFile(language, Word{Text: field[2:], Known: e.Value.Known})
			}
			next = loads && value == ""
		}
	}
}
