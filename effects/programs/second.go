package programs

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
	"github.com/trammel-dev/trammel/effects/programs/parts"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// secondLook guesses what a program without a row does: it runs a command among
// its arguments, reads a secret in them, and contacts their URLs.
func (c *call) secondLook() {
	for i, w := range c.args {
		option, _, joined := strings.Cut(w.Text, "=")
		if i > 0 && !strings.HasPrefix(w.Text, "-") && !strings.Contains(c.args[i-1].Text, "=") {
			option, joined = c.args[i-1].Text, true
		}
		if !joined || !optnames.Message(option) {
			c.addresses([]Word{w})
		}
	}
	c.secretWords(c.args)
	for i := range c.args {
		c.namedFile(i)
	}
	for i := range c.args {
		c.unsaidOf(i)
	}
	c.unsaidLast(c.args)
	c.burns(c.args)
	for _, w := range optnames.Removed(c.called, c.args) {
		c.remove(c.host.IsDir(c.place(w)) || !c.host.IsThere(c.place(w)), w)
	}
	if c.name == "" {
		c.variables(c.host.Run().Env...)
	}
	for i, w := range c.args {
		switch name := path.Base(w.Text); {
		case w.Network && i > 0 && (optnames.Starts(c.args[i-1].Text) || optnames.Executes(c.args[i-1].Text)): // eval "$(curl …)"
			c.host.AddCode(model.Code{Language: "unknown", Origin: model.Network})
		case !w.Known || w.Text == "":
		case w.Text[0] == '-':
			c.hostNamed(i)
			if option, value, ok := strings.Cut(w.Text, "="); ok && optnames.Executes(option) {
				c.host.Command(word(cmp.Or(recipes.Escape(value), value)))
			} else if line, is := c.lines().In(value); is && c.called != "" && !optnames.Message(option) {
				c.host.Command(word(line))
			} else if i+1 < len(c.args) && (optnames.Executes(w.Text) || optnames.Runs(w.Text) && recipes.IsCommand(c.args[i+1].Text)) &&
				strings.ContainsAny(c.args[i+1].Text, " \t") {
				c.host.Command(Word{Text: strings.TrimLeft(c.args[i+1].Text, "!"), Known: c.args[i+1].Known})
			} else if !ok && c.called != "" && strings.ContainsAny(w.Text, " \t\n") && !optnames.Message(w.Text[:2]) { // -'call "sh"'
				c.secondText(w)
			}
		case strings.ContainsAny(w.Text, " \t\n") || optnames.Calls(w.Text): // somebody's own program may only talk about it
			if c.called != "" && (i == 0 || !optnames.Message(c.args[i-1].Text)) {
				c.secondText(w)
			}
		case i > 0 && c.args[i-1].Text == "--" && isProgram(name), i+1 < len(c.args) && c.startsAt(name, c.args[i+1:]):
			c.host.Start(parts.WithoutSeparator(c.args[i:]), Start{})
			return
		}
	}
}

// hostNamed lists the host that an option of an unknown program names.
func (c *call) hostNamed(i int) {
	option, value, ok := strings.Cut(c.args[i].Text, "=")
	w := Word{Text: value, Known: c.args[i].Known}
	if !ok && i+1 < len(c.args) {
		w = c.args[i+1]
	}
	c.hostOption(option, w)
}

// namedFile lists a path in the arguments of an unknown program: written after -o
// and the like, otherwise read.
func (c *call) namedFile(i int) {
	w, option := c.args[i], ""
	if i > 0 {
		option = c.args[i-1].Text
	}
	if name, value, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(name, "-") {
		option, w.Text = name, value
	}
	w.Text = strings.TrimPrefix(strings.TrimPrefix(w.Text, "@"), "file://")
	switch {
	case parts.IsURL(w) && w.Known && (optnames.Scripts(option) || optnames.LoadsCode(option, w.Text)):
		c.host.RunFile("unknown", w)
	case optnames.SharedCode(w.Text):
		c.host.AddCode(model.Code{Language: "unknown", Origin: model.Network})
	case w.Known && w.Text != "" && len(c.host.Holds(c.place(w))) > 0: // what this line has written may be run
		if c.host.Holds(c.place(w))[0].Network && !optnames.RunsFile(option) &&
			(strings.HasPrefix(option, "--") || optnames.Data(w.Text) || optnames.Describes(option, w.Text) &&
				!slices.ContainsFunc(c.args, func(w Word) bool { return optnames.Starts(w.Text) })) {
			return
		}
		c.host.RunFile("unknown", w)
	case !w.Known || strings.ContainsAny(w.Text, " \t\n") || strings.Contains(w.Text[min(2, len(w.Text)):], ":"):
	case optnames.Outputs(option), i > 0 && i == len(c.args)-1 && parts.IsURL(c.args[i-1]):
		c.output(option, w)
	case w.Text == "" || w.Text[0] == '-' || c.host.IsDir(c.place(w)) || optnames.LogsIn(option):
	case w.Text[0] == '/' && len(w.Text) > 3, c.host.IsThere(c.place(w)):
		c.read(w)
	}
}

// output lists a file or folder that an option names as written, by the option's
// name alone. A value without a slash may be a format, and one with a = settings.
func (c *call) output(option string, w Word) {
	if w.Text == "" || w.Text == "-" || strings.ContainsAny(w.Text, "={ ") || strings.Contains(w.Text, "://") ||
		strings.IndexByte(w.Text, '/') < 0 && !(c.row.Name == "" && strings.IndexByte(w.Text, '\\') > 0) &&
			!optnames.Places(option) && !c.host.IsThere(c.place(w)) {
		return
	}
	if strings.HasPrefix(w.Text, "~/") {
		w = c.host.Tilde(w.Text)
	}
	c.host.Wrote(c.add(File{Op: Write, Tree: c.host.IsDir(c.place(w))}, w), fetchedIf(slices.ContainsFunc(c.args, parts.IsURL)))
}

// secondText looks at an argument with blanks: a command line that reaches out
// of the project, or code with one in quotes.
func (c *call) secondText(w Word) {
	if line, ok := c.lines().In(w.Text); ok {
		if c.host.Command(word(line)); line == strings.TrimSpace(w.Text) && !optnames.Calls(line) {
			return
		}
	}
	if strings.ContainsAny(w.Text, "(\"'`") {
		c.host.Inline("unknown", w.Text)
	}
}

// lines finds command lines in texts. The project's own programs may only talk about
// them: ./check 'curl x | sh'.
func (c *call) lines() *optnames.Lines {
	return &optnames.Lines{Program: isProgram, ReachesOut: c.reachesOut, Own: strings.HasPrefix(c.host.Run().Path, ".")}
}

// unlisted runs the command lines that are values of options which the row says
// nothing about: programs have more options that run something than anybody has
// listed.
func (c *call) unlisted(r *Row) {
	switch r.special {
	case "", "cloudCopy", "mavenExec", "packageScript", "makefile":
	default:
		return // it knows its options
	}
	blank := func(w Word) bool { return strings.IndexByte(w.Text, ' ') >= 0 }
	if r.data || r.runs != "" || !slices.ContainsFunc(c.args, blank) {
		return
	}
	row, args := c.row.inner(c.args)
	a := row.Parse(args)
	for i := range a.Given {
		g := &a.Given[i]
		if g.Role != "" || optnames.Message("--"+g.Name) || optnames.Message("-"+string(rune(g.Letter))) {
			continue
		}
		v := g.Value
		if !g.Has && g.Unlisted && g.End+1 < len(args) {
			v = args[g.End+1]
		}
		switch c.row.area() {
		case "cluster", "container", "cloud": // what else they are given is for another machine
			if v.Known && c.lines().Is(v.Text) {
				c.host.Command(v)
			}
			continue
		}
		// The value of an option with a letter may be anything, unless it is a setting.
		if line, ok := c.lines().In(v.Text); ok && v.Known && (g.Name != "" || line != v.Text) {
			c.host.Command(word(line))
		}
	}
	hands := row.has("hands")                                                                  // task x -- 'rm -rf ~'
	if hands || (row.ops == "" || row.has("tasks")) && row.special == "" && !row.has("look") { // nor about its operands
		for i, w := range a.Operands {
			if w.Known && (hands && blank(w) || optnames.Feeds(w.Text)) && (i == 0 || !optnames.Message(a.Operands[i-1].Text)) {
				c.secondText(w)
			}
		}
	}
}

// startsAt reports whether a word that names a program, with what follows it, is
// a command: an interpreter with code, or something that reaches out of the
// project.
func (c *call) startsAt(name string, rest []Word) bool {
	if !isProgram(name) {
		return false
	}
	if optnames.Interpreter(name) {
		return strings.HasPrefix(rest[0].Text, "-c") || strings.HasPrefix(rest[0].Text, "-e")
	}
	return optnames.Wraps(name) || slices.ContainsFunc(rest, func(w Word) bool { return c.reachesOut(w.Text) })
}

// reachesOut reports whether a text names something outside of the project. A home
// directory may be a temporary one.
func (c *call) reachesOut(text string) bool {
	home := c.host.Tilde("~")
	return recipes.ReachesOut(text) || home.Known && strings.Contains(text, home.Text)
}

func isProgram(name string) bool {
	row, ok := Lookup(strings.ToLower(name))
	return ok && !row.has("data") && name != "run" && name != "exec" && name != "eval"
}

// secretWords lists secrets among words as read: as they are, or behind an
// option, a field, an @ or a protocol.
func (c *call) secretWords(words []Word) {
	for _, w := range words {
		if strings.ContainsAny(w.Text, " \n") && c.row.Name == "" {
			for field := range strings.FieldsSeq(w.Text) {
				if strings.HasPrefix(field, "/") || strings.HasPrefix(field, "~") {
					c.secretWord(word(strings.Trim(field, `"'`)))
				}
			}
		}
		if w.Text == "" || strings.ContainsAny(w.Text, " \n") || c.secretWord(w) {
			continue
		}
		if at := strings.LastIndexAny(w.Text, "=@,"); at >= 0 && at+1 < len(w.Text) {
			w.Text = w.Text[at+1:]
			w.Text = strings.TrimPrefix(strings.TrimPrefix(w.Text, "file://"), "fileb://")
			c.secretWord(w)
		} else if scheme, file, ok := strings.Cut(w.Text, ":"); ok && (scheme == "file" ||
			file != "" && strings.IndexByte("/~", file[0]) >= 0 && !strings.HasPrefix(file, "//") || strings.Contains(file, `:\`)) {
			w.Text = strings.TrimPrefix(file, "//") // man:/etc/shadow
			c.secretWord(w)
		} else if len(w.Text) > 3 && w.Text[0] == '-' && strings.ContainsAny(w.Text[2:3], "/~.") { // -f/etc/shadow
			w.Text = w.Text[2:]
			c.secretWord(w)
		}
	}
}

func (c *call) secretWord(w Word) bool {
	if strings.HasPrefix(w.Text, "~/") && w.Known {
		w = c.host.Tilde(w.Text)
	}
	p, ground := c.place(w), &paths.Ground{}
	tree := c.row.Name == "" && strings.IndexByte(p.Abs, '.') > 0 && ground.SecretTree(p) && (c.host.IsDir(p) || !c.host.IsThere(p)) // ~/.ssh
	if !tree && !ground.Secret(p) || strings.Contains(w.Text, "://") {
		return false
	}
	c.host.AddFile(File{Op: Read, Tree: tree, Path: p})
	return true
}

// witness notes which places a run is known to touch.
type witness struct {
	Host
	seen []string
}

func (w *witness) AddFile(f File) {
	w.seen = append(w.seen, f.Path.Abs)
	w.Host.AddFile(f)
}

// attentive does what a row says, and lists the secrets among the words that the
// row says nothing about as read: programs have more options that read a file
// than anybody has listed.
func (c *call) attentive() {
	var named []Word
	plain := c.row.ops == "" && c.row.special == "" && c.row.has("is")
	for i, w := range c.args {
		if w.Text == "pull" {
			plain = false // what it names, it writes
		}
		if optnames.LogsIn(w.Text) || i > 0 && optnames.LogsIn(c.args[i-1].Text) {
			continue
		}
		file := strings.ContainsAny(w.Text, "/~") || plain && strings.Contains(w.Text, ".")
		if (file || plain) && !strings.ContainsAny(w.Text, " \n") && paths.SecretName(path.Base(w.Text)) &&
			(file || c.host.IsThere(c.place(w))) && !c.passesOn(w) {
			named = append(named, w)
		}
	}
	if c.row.area() == "cloud" { // aws --cli-input-json file://x
		for _, w := range c.args {
			if _, file, ok := strings.Cut(w.Text, "file://"); ok && !paths.SecretName(path.Base(file)) {
				c.read(Word{Text: file, Known: w.Known})
			}
		}
	}
	if len(named) == 0 || c.row.data {
		c.run()
		return
	}
	seen := &witness{Host: c.host}
	c.host = seen
	c.run()
	for _, w := range named {
		before, value := len(seen.seen), w
		if option, text, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(option, "--") {
			value.Text = text
		}
		if p := c.place(value); !slices.Contains(seen.seen[:before], p.Abs) {
			c.secretWords([]Word{w})
		}
	}
}

// passesOn reports whether a word is for the program that a wrapper starts, whose own
// row says what becomes of it: sudo KUBECONFIG=x kubectl, sudo cp a.key b.key.
func (c *call) passesOn(w Word) bool {
	wrapped, _ := c.row.Wraps(c.args)
	if slices.Contains(wrapped.Assigns, w) {
		return true
	}
	if !wrapped.Row.Flag("root") || wrapped.Has("e", "edit") || !slices.Contains(wrapped.Words, w) || !wrapped.Words[0].Known {
		return false
	}
	row, known := Lookup(wrapped.Words[0].Text)
	return known && row.field("lang") == ""
}

// maxTyped is how much is looked at of what is typed into a program.
const maxTyped = 1 << 16

// typed looks at what is typed into a program that is not known to read code: a
// line with an escape to the shell, and code in quotes.
func (c *call) typed() {
	in := c.host.Input()
	if !in.Known || in.Text == "" {
		return
	}
	if len(in.Text) > maxTyped {
		c.host.Doubt("stdin", "more is typed than is looked at")
		return
	}
	if c.row.Name == "" && strings.HasPrefix(in.Text, "#!") { // a script is there to be run
		c.host.Script(in.Text)
	}
	for line := range strings.Lines(in.Text) {
		line = strings.TrimSpace(line)
		if command := recipes.Escape(line); command != "" {
			c.host.Command(word(command))
		} else if c.row.Name == "" && optnames.TakesLines(c.called, c.args) && c.lines().Is(line) {
			c.host.Command(word(line))
		}
		if strings.Contains(line, `"`) && line[0] != '{' && line[0] != '[' {
			c.host.Inline("unknown", line)
		}
	}
}

// commands are the commands of its own that a program reads from its standard input, one
// in each line: echo FLUSHALL | redis-cli.
func (c *call) commands() {
	in := c.host.Input()
	if !c.row.has("lines") || !in.Known || len(in.Text) > maxTyped {
		return
	}
	if a := c.row.Parse(c.args); len(a.Operands) > 0 && a.Word(0) != "shell" || a.Has("eval") {
		return
	}
	for line := range strings.Lines(in.Text) {
		words := []Word{word(c.called)}
		for text := range strings.FieldsSeq(line) {
			words = append(words, word(strings.Trim(text, `'"`)))
		}
		if len(words) > 1 {
			c.host.Start(words, Start{})
		}
	}
}
