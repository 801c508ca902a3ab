package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Read lists what a text does that is executed as code of a language.
func Read(language, text string, h Host) {
	if len(text) > maxCode || !h.Spend(len(text)) {
		h.Doubt("size", language)
		return
	}
	switch language {
	case "python", "node", "perl", "ruby", "php", "lua", "r":
		left := maxSteps
		w := walker{Host: h, language: language, src: text, tokens: tokenize(language, text), vars: map[string]thing{}, left: &left}
		w.given(text)
		w.program()
		prints(w.tokens, h)
		if strings.Contains(text, "fork") && forks(w.tokens) {
			h.Bomb(text[:min(len(text), 200)])
		}
		if left <= 0 || cutOff(w.tokens, text) {
			h.Doubt("size", language)
		}
	case "awk":
		awkProgram(h, text)
	case "applescript":
		appleScript(h, text)
	case "tcl":
		tclScript(h, text)
	case "vim":
		vimExpression(h, text)
	case "fish", "elvish", "xonsh", "nu": // close enough to a shell to find what is run
		h.Shell(text, nil)
		h.Doubt("code", language)
	default:
		opaque(h, language, word(text))
	}
}

// opaque lists code that cannot be read here.
func opaque(h Host, language string, w model.Word) {
	h.Code(model.Code{Language: language, Text: w.Text, Origin: model.Inline})
	h.Doubt("code", w.Text)
}

// add lists what happens to the file that a word names.
func add(h Host, f model.File, w model.Word) model.Path {
	if w.Known && w.Text == "" {
		return model.Path{}
	}
	f.Path = h.Resolve(w)
	h.File(f)
	return f.Path
}

// served notes that a host is given a program's standard input.
func served(h Host) { h.Code(model.Code{Language: "shell", Origin: model.Network}) }

// command runs a word as a line of shell.
func command(h Host, w model.Word) {
	if !w.Known {
		h.Doubt("code", w.Text)
	}
	h.Shell(w.Text, nil)
}

// word is a word that is known.
func word(text string) model.Word { return model.Word{Text: text, Known: true} }

// given makes the arguments known that the program is given: what follows the
// code, or the - that stands for it.
func (w *walker) given(text string) {
	args, more := w.Args()
	at := -1
	for i, arg := range args {
		if arg.Text == text || arg.Text == "-" {
			at = i + 1
		}
	}
	if at < 0 || more || len(args)-at > maxList {
		return
	}
	list := []thing{{}}
	for _, arg := range args[at:] {
		switch {
		case arg.Known && arg.Text == "--" && len(list) == 1:
		case arg.Known:
			list = append(list, thing{kind: textThing, text: arg.Text, glob: arg.Glob})
		default:
			list = append(list, thing{src: arg.Text})
		}
	}
	all := thing{kind: listThing, list: list}
	rest := thing{kind: listThing, list: list[1:]}
	switch w.language {
	case "python":
		w.argv = all
	case "node":
		w.argv = all
	case "perl":
		w.vars["@ARGV"] = rest
	case "ruby":
		w.vars["ARGV"] = rest
	case "php":
		w.vars["$argv"] = all
	}
}

// unknownVariable stands for what is not known where a shell is given a text.
const unknownVariable = "$__unknown__"

// words are the texts that a value may have.
func (w *walker) words(t thing) []model.Word {
	switch t.kind {
	case textThing, numberThing:
		return []model.Word{{Text: t.text, Known: true, Glob: t.glob}}
	case objectThing:
		if t.ref == "Path" || t.ref == "file" || t.ref == "url" {
			return []model.Word{{Text: t.text, Known: true, Glob: t.glob}}
		}
	case partThing:
		return []model.Word{{Text: strings.ReplaceAll(t.text, Hole, "…")}}
	case anyThing, listThing:
		var out []model.Word
		unknown := false
		for _, one := range t.list {
			if len(out) >= 16 {
				unknown = true
				break
			}
			if one.kind == anyThing || one.kind == listThing {
				unknown = true
				continue
			}
			out = append(out, w.words(one)...)
		}
		if unknown || len(out) == 0 {
			out = append(out, model.Word{Text: t.src})
		}
		return out
	}
	return []model.Word{{Text: t.src}}
}

// file lists what happens to the files that a value names.
func (w *walker) file(f model.File, t thing) {
	f.Code = true
	for _, word := range w.words(t) {
		p := add(w, f, word)
		if f.Op == model.Write {
			w.Wrote(p, Content{Network: t.net})
		}
	}
}

// filled notes what a file that is written holds.
func (w *walker) filled(name, content thing) {
	f := model.File{Op: model.Write, Code: true}
	for _, word := range w.words(name) {
		c := Content{Network: content.tainted()}
		if content.kind == textThing {
			c.Text, c.Known = content.text, true
		}
		w.Wrote(add(w, f, word), c)
	}
}

// two lists a move, a copy or a link.
func (w *walker) two(op model.Op, from, to thing, tree bool) {
	for _, a := range w.words(from) {
		for _, b := range w.words(to) {
			source, target := w.Resolve(a), w.Resolve(b)
			w.File(model.File{Op: op, Path: source, To: map[bool]model.Path{true: target}[op != model.Read], Tree: tree || op == model.Move, Code: true})
			w.File(model.File{Op: model.Write, Path: target, Tree: tree, Code: true})
			w.Copied(source, target)
		}
	}
}

// shell runs a value as a line of shell.
func (w *walker) shell(t thing) {
	switch {
	case t.kind == listThing && len(t.list) > 0:
		w.spawn(t.list, callArgs{})
	case t.kind == anyThing:
		for i, one := range t.list {
			if i < 8 {
				w.shell(one)
			}
		}
	case t.kind == textThing && !t.glob:
		w.Shell(t.text, nil)
	case t.kind == partThing && !t.tainted() && strings.TrimSpace(t.text) != Hole:
		w.Shell(strings.ReplaceAll(t.text, Hole, unknownVariable), nil)
		w.Doubt("code", strings.ReplaceAll(t.text, Hole, "…"))
	case t.tainted():
		w.Code(model.Code{Language: "shell", Origin: model.Network})
	case t.kind == contentThing && (t.text == "/dev/stdin" || t.text == "-") && w.Input() != "":
		w.Shell(w.Input(), nil)
	case t.kind == contentThing && len(w.Holds(w.Resolve(word(t.text)))) > 0:
		for _, held := range w.Holds(w.Resolve(word(t.text))) {
			w.Shell(held, nil)
		}
	default:
		w.doubtCode(t.src)
	}
}

// spawn starts a program with its arguments.
func (w *walker) spawn(list []thing, args callArgs) {
	var words []model.Word
	var o Start
	for _, t := range list {
		switch {
		case t.spread && t.kind == unknownThing:
			o.More = true
		case len(words) < 1024:
			words = append(words, w.words(t)...)
		}
	}
	if len(words) == 0 {
		return
	}
	if dir, ok := args.option("cwd"); ok {
		for _, word := range w.words(dir) {
			p := w.Resolve(word)
			o.Dir = &p
		}
	}
	if in, ok := args.option("input"); ok && in.kind == textThing {
		o.Input = &Content{Text: in.text, Known: true}
	}
	if w.socket {
		o.Input = &Content{Network: true}
	}
	w.Start(words, o)
}

// eval runs a value as code of a language.
func (w *walker) eval(language string, t thing) {
	switch {
	case t.kind == textThing:
		if w.depth > 16 || language != w.language {
			w.Run(language, t.text)
			return
		}
		in := *w
		in.calls = nil
		in.src, in.tokens, in.i, in.nest = t.text, tokenize(language, t.text), 0, 0
		in.depth += 8
		in.program()
	case t.kind == contentThing:
		w.RunFile(language, word(t.text))
	case t.kind == anyThing && len(t.list) <= 8:
		for _, one := range t.list {
			w.eval(language, one)
		}
	case t.tainted():
		w.Code(model.Code{Language: language, Origin: model.Network})
	case t.kind == objectThing && t.ref == "function" || t.kind == numberThing:
	case w.fetched: // most likely that
		w.Code(model.Code{Language: language, Origin: model.Network})
	default:
		w.doubtCode(t.src)
	}
}

// signal lists the kill that sending a signal from code amounts to. Signal 0
// only asks whether somebody is there.
func (w *walker) signal(to, which thing) {
	if which.plain() && which.text == "0" {
		return
	}
	target := model.Word{Text: to.src}
	switch {
	case to.plain():
		target = word(to.text)
	case strings.Contains(to.src, "ppid"):
		target.Text = "$PPID"
	}
	w.Start([]model.Word{word("kill"), word("-9"), target}, Start{})
}

// chmod lists a change of permissions. Where the new ones are known it is the
// same as running chmod.
func (w *walker) chmod(mode, of thing) {
	bits, octal := strings.CutPrefix(strings.ToLower(mode.text), "0o")
	if mode.kind != numberThing || !octal || strings.Trim(bits, "01234567") != "" {
		w.file(model.File{Op: model.Mode}, of)
		return
	}
	for _, file := range w.words(of) {
		w.Start([]model.Word{word("chmod"), word(bits), file}, Start{})
	}
}

// doubtCode notes that something is run that cannot be told.
func (w *walker) doubtCode(what string) {
	w.Code(model.Code{Language: w.language, Text: what, Origin: model.Inline})
	w.Doubt("code", what)
}

// visit lists the host of a URL. What comes back is the host's.
func (w *walker) visit(t thing, sends bool) thing {
	w.fetched = true
	for _, word := range w.words(t) {
		if t.kind == partThing {
			sends = true // in the URL
			word.Text = strings.ReplaceAll(t.text, Hole, "$")
		}
		w.URL(word, sends)
	}
	return thing{net: true, src: t.src}
}

// dial lists a host and a port that a socket is connected to.
func (w *walker) dial(host, port thing, listens bool) thing {
	n := model.Net{Sends: !listens, Listens: listens}
	if host.kind == textThing {
		n.Host = strings.ToLower(host.text)
	}
	if port.plain() {
		n.Port = port.text
	}
	w.Net(n)
	w.socket = true
	if w.piped {
		served(w)
	}
	return thing{kind: objectThing, ref: "socket", net: true}
}

// shellOnSocket notes that a host gets a program's input and output.
func (w *walker) shellOnSocket() {
	if w.socket {
		served(w)
	}
}

// variable is a variable of the environment. One whose value is not known here
// counts as a read of the environment, with its name in Text.
func (w *walker) variable(name string) thing {
	switch name {
	case "HOME", "USERPROFILE":
		return w.homeDir()
	case "PWD":
		return w.here()
	case "USER", "LOGNAME":
		if user := w.User(); user != "" {
			return known(user)
		}
	}
	w.Env(name)
	w.File(model.File{Op: model.Read, Path: model.Path{Text: "$" + name, Abs: "/proc/self/environ", Real: "/proc/self/environ"}, Code: true})
	return thing{src: "$" + name}
}

// environment is the environment as a whole.
func (w *walker) environment() thing {
	w.Env("*")
	w.File(model.File{Op: model.Read, Path: model.Path{Text: "environment", Abs: "/proc/self/environ", Real: "/proc/self/environ"}, Code: true})
	return thing{src: "environment"}
}

func (w *walker) homeDir() thing {
	if w.Home() == "" {
		return thing{src: "~"}
	}
	return known(w.Home())
}

func (w *walker) here() thing {
	if w.Dir().Abs == "" {
		return thing{src: "."}
	}
	return known(w.Dir().Abs)
}

// chdir changes the directory for what follows.
func (w *walker) chdir(t thing) {
	words := w.words(t)
	if len(words) > 1 {
		w.Chdir(model.Path{Text: t.src})
		return
	}
	w.Chdir(w.Resolve(words[0]))
}

// expandUser replaces a ~ in front.
func (w *walker) expandUser(t thing) thing {
	if t.plain() && (t.text == "~" || strings.HasPrefix(t.text, "~/")) {
		home := w.homeDir()
		if home.kind != textThing {
			return thing{src: t.text}
		}
		t.text = home.text + t.text[1:]
		return t
	}
	if t.plain() && strings.HasPrefix(t.text, "~") {
		return thing{src: t.text}
	}
	return t
}

func pathObject(t thing) thing {
	if t.kind == textThing || t.kind == objectThing {
		return thing{kind: objectThing, ref: "Path", text: t.text, glob: t.glob}
	}
	if t.kind == anyThing {
		for i := range t.list {
			t.list[i] = pathObject(t.list[i])
		}
	}
	return t
}
