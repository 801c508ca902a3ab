package effects

import "strings"

// inline lists what the code of another language does, as far as it can be
// told from the calls with simple arguments in it. Strings and comments are
// data. What is called under a name that cannot be told is a doubt.
func (d *deriver) inline(language, text string, run int, st *state) {
	c := &call{d: d, run: run, st: st}
	if run >= 0 && run < len(d.set.Runs) {
		c.name, c.dir = d.set.Runs[run].Program, d.set.Runs[run].Dir
	}
	if st.depth >= maxNested {
		d.doubt("depth", language, run)
		return
	}
	if len(text) > maxCode || !d.spend(len(text)) {
		d.doubt("size", language, run)
		return
	}
	inner := *st
	inner.depth++
	st, c.st = &inner, &inner
	switch language {
	case "python", "node", "perl", "ruby", "php", "lua", "r":
		left := maxSteps
		w := walker{call: c, language: language, src: text, tokens: tokenize(language, text), vars: map[string]thing{}, left: &left}
		w.given(text)
		w.program()
		d.prints(w.tokens, run, st)
		if strings.Contains(text, "fork") && forks(w.tokens) {
			d.bomb(text[:min(len(text), 200)])
		}
		if left <= 0 || cutOff(w.tokens, text) {
			d.doubt("size", language, run)
		}
	case "awk":
		awkProgram(c, text)
	case "applescript":
		appleScript(c, text)
	case "tcl":
		tclScript(c, text)
	case "vim":
		vimExpression(c, text)
	case "fish", "elvish", "xonsh", "nu":
		// close enough to a shell to find what is run
		d.script(text, run, st)
		d.doubt("code", language, run)
	default:
		c.opaque(language, word(text))
	}
}

// given makes the arguments known that the program is given: what follows the
// code, or the - that stands for it.
func (w *walker) given(text string) {
	if w.run < 0 || w.run >= len(w.d.set.Runs) {
		return
	}
	r := &w.d.set.Runs[w.run]
	at := -1
	for i, arg := range r.Args {
		if arg.Text == text || arg.Text == "-" {
			at = i + 1
		}
	}
	if at < 0 || r.More || len(r.Args)-at > maxList {
		return
	}
	list := []thing{{}}
	for _, arg := range r.Args[at:] {
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
func (w *walker) words(t thing) []Word {
	switch t.kind {
	case textThing, numberThing:
		return []Word{{Text: t.text, Known: true, Glob: t.glob}}
	case objectThing:
		if t.ref == "Path" || t.ref == "file" || t.ref == "url" {
			return []Word{{Text: t.text, Known: true, Glob: t.glob}}
		}
	case partThing:
		return []Word{{Text: strings.ReplaceAll(t.text, hole, "…")}}
	case anyThing, listThing:
		var out []Word
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
			out = append(out, Word{Text: t.src})
		}
		return out
	}
	return []Word{{Text: t.src}}
}

// file lists what happens to the files that a value names.
func (w *walker) file(f File, t thing) {
	f.Code = true
	for _, word := range w.words(t) {
		p := w.add(f, word)
		if f.Op == Write {
			s := stream{run: w.run}
			s.network = t.net
			w.d.wrote(p, s, w.st)
		}
	}
}

// filled notes what a file that is written holds.
func (w *walker) filled(name, content thing) {
	f := File{Op: Write, Code: true}
	for _, word := range w.words(name) {
		s := stream{run: w.run, network: content.tainted()}
		if content.kind == textThing {
			s.text, s.known = content.text, true
		}
		w.d.wrote(w.add(f, word), s, w.st)
	}
}

// two lists a move, a copy or a link.
func (w *walker) two(op Op, from, to thing, tree bool) {
	for _, a := range w.words(from) {
		for _, b := range w.words(to) {
			source, target := w.place(a), w.place(b)
			w.list(File{Op: op, Path: source, To: map[bool]Path{true: target}[op != Read], Tree: tree || op == Move, Code: true})
			w.list(File{Op: Write, Path: target, Tree: tree, Code: true})
			w.copied(source, target)
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
		w.d.script(t.text, w.run, w.st)
	case t.kind == partThing && !t.tainted() && strings.TrimSpace(t.text) != hole:
		w.d.script(strings.ReplaceAll(t.text, hole, unknownVariable), w.run, w.st)
		w.d.doubt("code", strings.ReplaceAll(t.text, hole, "…"), w.run)
	case t.tainted():
		w.code(Code{Language: "shell", Origin: Network})
	case t.kind == contentThing && (t.text == "/dev/stdin" || t.text == "-") && w.input().text != "":
		w.d.script(w.input().text, w.run, w.st)
	case t.kind == contentThing && len(w.d.holds(w.place(word(t.text)))) > 0:
		for _, held := range w.d.holds(w.place(word(t.text))) {
			w.d.script(held.text, w.run, w.st)
		}
	default:
		w.doubtCode(t.src)
	}
}

// spawn starts a program with its arguments.
func (w *walker) spawn(list []thing, args callArgs) {
	var words []Word
	o := started{}
	for _, t := range list {
		switch {
		case t.spread && t.kind == unknownThing:
			o.more = true
		case len(words) < 1024:
			words = append(words, w.words(t)...)
		}
	}
	if len(words) == 0 {
		return
	}
	if dir, ok := args.option("cwd"); ok {
		for _, word := range w.words(dir) {
			p := w.place(word)
			o.dir = &p
		}
	}
	if in, ok := args.option("input"); ok && in.kind == textThing {
		o.in = &stream{text: in.text, known: true, run: -1}
	}
	if w.socket {
		o.in = &stream{network: true, run: w.run}
	}
	w.d.start(words, w.run, w.st, o)
}

// eval runs a value as code of a language.
func (w *walker) eval(language string, t thing) {
	switch {
	case t.kind == textThing:
		if w.depth > 16 || language != w.language {
			w.d.inline(language, t.text, w.run, w.st)
			return
		}
		in := *w
		in.calls = nil
		in.src, in.tokens, in.i, in.nest = t.text, tokenize(language, t.text), 0, 0
		in.depth += 8
		in.program()
	case t.kind == contentThing:
		w.runFile(language, word(t.text))
	case t.kind == anyThing && len(t.list) <= 8:
		for _, one := range t.list {
			w.eval(language, one)
		}
	case t.tainted():
		w.code(Code{Language: language, Origin: Network})
	case t.kind == objectThing && t.ref == "function" || t.kind == numberThing:
	case w.fetched: // most likely that
		w.code(Code{Language: language, Origin: Network})
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
	target := Word{Text: to.src}
	switch {
	case to.plain():
		target = word(to.text)
	case strings.Contains(to.src, "ppid"):
		target.Text = "$PPID"
	}
	w.d.start([]Word{word("kill"), word("-9"), target}, w.run, w.st, started{})
}

// chmod lists a change of permissions. Where the new ones are known it is the
// same as running chmod.
func (w *walker) chmod(mode, of thing) {
	bits, octal := strings.CutPrefix(strings.ToLower(mode.text), "0o")
	if mode.kind != numberThing || !octal || strings.Trim(bits, "01234567") != "" {
		w.file(File{Op: Mode}, of)
		return
	}
	for _, file := range w.words(of) {
		w.d.start([]Word{word("chmod"), word(bits), file}, w.run, w.st, started{})
	}
}

// doubtCode notes that something is run that cannot be told.
func (w *walker) doubtCode(what string) {
	w.code(Code{Language: w.language, Text: what, Origin: Inline})
	w.d.doubt("code", what, w.run)
}

// visit lists the host of a URL. What comes back is the host's.
func (w *walker) visit(t thing, sends bool) thing {
	w.fetched = true
	for _, word := range w.words(t) {
		if t.kind == partThing {
			sends = true // in the URL
			word.Text = strings.ReplaceAll(t.text, hole, "$")
		}
		w.url(word, sends)
	}
	return thing{net: true, src: t.src}
}

// dial lists a host and a port that a socket is connected to.
func (w *walker) dial(host, port thing, listens bool) thing {
	n := Net{Sends: !listens, Listens: listens}
	if host.kind == textThing {
		n.Host = strings.ToLower(host.text)
	}
	if port.plain() {
		n.Port = port.text
	}
	w.net(n)
	w.socket = true
	if w.piped {
		w.served()
	}
	return thing{kind: objectThing, ref: "socket", net: true}
}

// shellOnSocket notes that a host gets a program's input and output.
func (w *walker) shellOnSocket() {
	if w.socket {
		w.served()
	}
}

// variable is a variable of the environment. One whose value is not known here
// counts as a read of the environment, with its name in Text.
func (w *walker) variable(name string) thing {
	switch name {
	case "HOME", "USERPROFILE":
		return w.home()
	case "PWD":
		return w.here()
	case "USER", "LOGNAME":
		if w.d.world != nil && w.d.world.User != "" {
			return known(w.d.world.User)
		}
	}
	w.d.reads(name)
	w.list(File{Op: Read, Path: Path{Text: "$" + name, Abs: "/proc/self/environ", Real: "/proc/self/environ"}, Code: true})
	return thing{src: "$" + name}
}

// environment is the environment as a whole.
func (w *walker) environment() thing {
	w.d.reads("*")
	w.list(File{Op: Read, Path: Path{Text: "environment", Abs: "/proc/self/environ", Real: "/proc/self/environ"}, Code: true})
	return thing{src: "environment"}
}

func (w *walker) home() thing {
	if w.d.world == nil || w.d.world.Home == "" {
		return thing{src: "~"}
	}
	return known(w.d.world.Home)
}

func (w *walker) here() thing {
	if w.dir.Abs == "" {
		return thing{src: "."}
	}
	return known(w.dir.Abs)
}

// chdir changes the directory for what follows.
func (w *walker) chdir(t thing) {
	words := w.words(t)
	w.dir = w.place(words[0])
	if len(words) > 1 {
		w.dir = Path{Text: t.src}
	}
}

// expandUser replaces a ~ in front.
func (w *walker) expandUser(t thing) thing {
	if t.plain() && (t.text == "~" || strings.HasPrefix(t.text, "~/")) {
		home := w.home()
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
