package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// unknownVariable replaces an unknown part in a text for a shell.
const unknownVariable = "$__unknown__"

// texts are the texts that a value may have.
func (w *walker) texts(v value) []model.Word {
	switch v.kind {
	case textValue, numberValue:
		return []model.Word{{Text: v.text, Known: true, Glob: v.glob}}
	case objectValue:
		if has(" Path file url ", v.ref) {
			return []model.Word{{Text: v.text, Known: true, Glob: v.glob}}
		}
	case partValue:
		return []model.Word{{Text: strings.ReplaceAll(v.text, Hole, "…")}}
	case anyValue, listValue:
		var out []model.Word
		unknown := v.more
		for _, one := range v.list {
			if one.kind == anyValue || one.kind == listValue || len(out) >= maxChoice {
				unknown = true
				continue
			}
			out = append(out, w.texts(one)...)
		}
		if unknown || len(out) == 0 {
			out = append(out, model.Word{Text: v.src})
		}
		return out
	}
	return []model.Word{{Text: v.src}}
}

// files are the names of files that a value may be.
func (w *walker) files(v value) []model.Word {
	out := w.texts(v)
	for i := range out {
		if w.lang.tilde && out[i].Known {
			one := w.expandUser(known(out[i].Text))
			out[i].Known, out[i].Text = one.kind == textValue, one.text+one.src
		}
	}
	return out
}

// file lists what happens to the files that a value names.
func (w *walker) file(f model.File, v value) {
	f.Code = true
	for _, text := range w.files(v) {
		p := add(w, f, text)
		if f.Op == model.Write {
			w.Wrote(p, Content{Network: v.net})
		}
	}
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

// fill lists that a file is written, and what it holds then.
func (w *walker) fill(name, content value) {
	for _, text := range w.files(name) {
		w.Wrote(add(w, model.File{Op: model.Write, Code: true}, text), contentOf(content))
	}
}

func contentOf(v value) Content {
	return Content{Text: v.text, Known: v.kind == textValue, Network: v.tainted()}
}

// open lists an open by its mode.
func (w *walker) open(name, mode value, given bool) value {
	if name.kind == numberValue {
		return value{}
	}
	how := "r"
	if given {
		if how = mode.text; mode.kind != textValue {
			how = "r+"
		}
	}
	switch {
	case strings.ContainsAny(how, "wx"):
		w.file(model.File{Op: model.Write}, name)
	case strings.ContainsAny(how, "a+"):
		w.file(model.File{Op: model.Write, Append: true}, name)
	default:
		return w.readFile(name)
	}
	if name.plain() {
		return value{kind: objectValue, ref: "file", text: name.text, glob: name.glob}
	}
	return object("output")
}

// readFile lists a read; the value is what the file holds.
func (w *walker) readFile(name value) value {
	if name.kind == textValue && (strings.HasPrefix(name.text, "http://") || strings.HasPrefix(name.text, "https://")) {
		return w.visit(name, false) // pd.read_csv
	}
	if has(w.lang.stdin, name.text) && (name.kind == numberValue || name.kind == textValue) {
		name = value{kind: textValue, text: "/dev/stdin"}
	}
	w.file(model.File{Op: model.Read}, name)
	if name.plain() {
		return value{kind: contentValue, text: name.text}
	}
	return value{}
}

// two lists a move, a copy or a link.
func (w *walker) two(op model.Op, from, to value, tree bool) {
	for _, a := range w.files(from) {
		for _, b := range w.files(to) {
			f := model.File{Op: op, Path: w.Resolve(a), Tree: tree || op == model.Move, Code: true}
			target := w.Resolve(b)
			f.To = target
			w.File(f)
			w.File(model.File{Op: model.Write, Path: target, Tree: tree, Code: true})
			w.Copied(f.Path, target)
		}
	}
}

// shell runs a value as a line of shell.
func (w *walker) shell(v value) {
	switch {
	case v.kind == listValue && len(v.list) > 0:
		w.start(v, &arguments{})
	case v.kind == anyValue && len(v.list) > 0:
		for i, one := range v.list {
			if i == maxChoice || v.more {
				w.doubtCode(v.src)
				break
			}
			w.shell(one)
		}
	case v.kind == textValue && !v.glob:
		if len(w.ran) < maxString {
			w.ran += "\x00" + v.text
		}
		w.Shell(v.text, nil)
	case v.kind == partValue && !v.tainted() && strings.TrimSpace(v.text) != Hole:
		w.Shell(strings.ReplaceAll(v.text, Hole, unknownVariable), nil)
		w.Doubt("code", strings.ReplaceAll(v.text, Hole, "…"))
	case v.tainted():
		served(w)
	case v.kind == contentValue && (v.text == "/dev/stdin" || v.text == "-") && w.Input() != "":
		w.Shell(w.Input(), nil)
	case v.kind == contentValue && len(w.Holds(w.Resolve(word(v.text)))) > 0:
		for _, held := range w.Holds(w.Resolve(word(v.text))) {
			w.Shell(held, nil)
		}
	case v.kind == contentValue: // commands that stand in a file
		w.RunFile("shell", word(v.text))
		w.doubtCode(v.src)
	default:
		w.tie()
		w.doubtCode(v.src)
		w.letGo(v)
	}
}

// start starts a program with its arguments.
func (w *walker) start(list value, args *arguments) {
	s := Start{More: list.more}
	var words []model.Word
	for _, v := range list.list {
		if v.spread && v.kind == unknownValue {
			s.More = true
		} else {
			words = append(words, w.texts(v)...)
		}
	}
	if len(words) == 0 {
		return
	}
	if dir, ok := args.at(-1, "cwd", "chdir"); ok {
		for _, text := range w.texts(dir) {
			p := w.Resolve(text)
			s.Dir = &p
		}
	}
	if in, ok := args.at(-1, "input"); ok && in.kind == textValue {
		s.Input = &Content{Text: in.text, Known: true}
	}
	if w.socket {
		s.Input = &Content{Network: true}
	}
	w.Start(words, s)
}

// run starts a program from a list, or a shell from a text.
func (w *walker) run(command value, args *arguments) {
	switch {
	case command.kind == listValue && args.on("shell"):
		if len(command.list) > 0 {
			w.shell(command.list[0])
		}
	case command.kind == listValue:
		w.start(command, args)
	default:
		w.shell(command)
	}
}

// eval runs a value as code of the language.
func (w *walker) eval(v value) {
	switch {
	case v.kind == textValue && (v.text == "" && w.fetched || strings.HasPrefix(v.text, "https://") || strings.HasPrefix(v.text, "http://")):
		if v.text != "" {
			w.visit(v, false)
		}
		w.Code(model.Code{Language: w.lang.name, Origin: model.Network})
	case v.kind == textValue:
		if w.depth > 16 {
			w.Run(w.lang.name, v.text)
			return
		}
		in := *w
		in.calls = nil
		in.src, in.tokens, in.i, in.nest = v.text, lex.Tokenize(w.lang.Syntax, v.text), 0, 0
		in.depth += 8
		w.cut = w.cut || lex.CutOff(in.tokens, in.src)
		in.program()
		w.socket, w.fetched = in.socket, in.fetched
	case v.kind == contentValue && (v.text == "/dev/stdin" || v.text == "-") && w.Input() != "":
		w.Run(w.lang.name, w.Input())
	case v.kind == contentValue:
		w.RunFile(w.lang.name, word(v.text))
	case v.kind == anyValue && len(v.list) > 0 && len(v.list) <= maxChoice && !v.more:
		for _, one := range v.list {
			w.eval(one)
		}
	case v.tainted():
		w.Code(model.Code{Language: w.lang.name, Origin: model.Network})
	case v.kind == objectValue && v.ref == "function" || v.kind == numberValue:
	case w.fetched: // most likely that
		w.Code(model.Code{Language: w.lang.name, Origin: model.Network})
	default:
		w.doubtCode(v.src)
	}
}

// doubtCode notes that something is run that is unknown.
func (w *walker) doubtCode(what string) { opaque(w, w.lang.name, what) }

// signal lists sending a signal as a run of kill. Signal 0 only asks whether a
// process exists.
func (w *walker) signal(to, which value) {
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
func (w *walker) chmod(mode, of value) {
	bits := strings.TrimLeft(strings.ToLower(mode.text), "0o")
	if mode.kind == numberValue && len(bits) < len(mode.text) && bits != "" && strings.Trim(bits, "01234567") == "" {
		for _, file := range w.texts(of) {
			w.Start([]model.Word{word("chmod"), word(bits), file}, Start{})
		}
		return
	}
	w.file(model.File{Op: model.Mode}, of)
}

// visit lists the host of a URL. What comes back is the host's.
func (w *walker) visit(v value, sends bool) value {
	w.fetched = true
	for _, text := range w.texts(v) {
		if v.kind != partValue {
			w.URL(text, sends)
			continue
		}
		n := model.Net{URL: strings.ReplaceAll(v.text, Hole, "$"), Sends: true, InURL: !sends}
		n.Host, n.Port = paths.HostOfWord(model.Word{Text: n.URL})
		w.Net(n)
	}
	return value{net: true, src: v.src}
}

// through lists the hosts that others are visited with: a proxy, the base of a client.
func (w *walker) through(v value, bare bool) {
	for _, f := range v.fields {
		w.through(f.value, bare)
	}
	switch {
	case v.kind != textValue:
	case bare || strings.Contains(v.text, "://"):
		w.visit(v, true)
	default:
		if host := guess.HostOf(v.text); host != "" {
			w.visit(known(host), true)
		}
	}
}

// dial lists a host and a port that a socket is connected to.
func (w *walker) dial(host, port value, listens bool) value {
	n := model.Net{Sends: !listens, Listens: listens}
	if host.kind == textValue {
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
	return value{kind: objectValue, ref: "socket", net: true}
}

// tie notes that a stream is tied to another one: a host may get a program's
// input and output.
func (w *walker) tie() {
	if w.socket {
		served(w)
	}
}

// environFile is where the environment is, as a file.
const environFile = "/proc/self/environ"

// variable is a variable of the environment. One whose value is not known here
// counts as a read of the environment, with its name in Text.
func (w *walker) variable(name string) value {
	switch name {
	case "HOME", "USERPROFILE":
		return w.homeDir()
	case "PWD":
		return w.workDir()
	case "USER", "LOGNAME":
		if user := w.User(); user != "" {
			return known(user)
		}
	}
	w.Env(name)
	if text, ok := w.RunnerFile(name); ok && w.readsOnly(name) {
		return known(text)
	}
	return w.environ("$"+name, false)
}

// readsOnly reports whether the code has a variable of the environment in one place,
// and nothing else of the environment: to change it first would take a second one.
func (w *walker) readsOnly(name string) bool {
	return strings.Count(w.src, name) == 1 && strings.Count(strings.ToLower(strings.Replace(w.src, name, "", 1)), "env") == 1
}

// environment is the environment as a whole.
func (w *walker) environment() value {
	w.Env("*")
	return w.environ("environment", false)
}

// environ lists one or all variables as a file that is read, and shown if the code
// prints what it has read.
func (w *walker) environ(what string, shown bool) value {
	w.File(model.File{Op: model.Read, Path: model.Path{Text: what, Abs: environFile, Real: environFile}, Code: true, Shown: shown})
	return value{src: what, environ: what}
}

// show notes that a value is printed.
func (w *walker) show(v value) {
	if v.environ != "" {
		w.environ(v.environ, true)
	}
}

func (w *walker) homeDir() value {
	if home := w.Home(); home != "" {
		return known(home)
	}
	return value{src: "~"}
}

func (w *walker) workDir() value {
	if dir := w.Dir(); dir.Abs != "" {
		return known(dir.Abs)
	}
	return value{src: "."}
}

// chdir changes the directory for what follows.
func (w *walker) chdir(v value) {
	texts := w.texts(v)
	if len(texts) > 1 {
		w.Chdir(model.Path{Text: v.src})
		return
	}
	w.Chdir(w.Resolve(texts[0]))
}

// expandUser replaces a ~ in front.
func (w *walker) expandUser(v value) value {
	if !v.plain() || !strings.HasPrefix(v.text, "~") {
		return v
	}
	home := w.homeDir()
	if home.kind != textValue || len(v.text) > 1 && v.text[1] != '/' {
		return value{src: v.text}
	}
	v.text = home.text + v.text[1:]
	return v
}
