package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/within"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// do carries out one step of a row, the verbs with an effect first:
//
//	delete x ?all   a file is removed, with all below if the condition holds; tree x: with all below
//	read x          a file is read; the value is what it holds
//	write x         overwritten; append x: created or added to; extract x: written, with all below
//	fill x y        overwritten with y; fetched x: with what a host has sent
//	open x y        opened in mode y
//	search x ?all   names are listed; list x: and they are the value
//	move x y, copy x y ?all, link x y, mode x ?all, chmod bits x
//	shell x         a line of shell; run x: that, or the list of a program and its arguments
//	start x y       a program with arguments; exec x y: the first of these is its name again
//	byname x        the program that the function is named after, with arguments
//	verb x y        the program x with the name of the function as its verb, and arguments
//	system x        one text is a line of shell, several are a program and its arguments
//	eval x, load x  code of the language, in a text or in a file; sql x
//	visit x ?sends  a URL; through x: one that others are visited with, if it is given; dial host port, dialpair x, listen port
//	env x y         a variable of the environment, y if it is not set; environ: all of them; show: arguments are printed
//	cd x, signal process number, tie, doubt x
//
// compute does those that only have a value. A language may have verbs of its
// own. The second result is false if the step does not apply.
func (w *walker) do(c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	f := model.File{Tree: c.on(w)}
	switch verb {
	case "delete", "tree":
		f.Op, f.Tree = model.Delete, f.Tree || verb == "tree"
		w.each(c, f)
	case "read":
		if strings.HasSuffix(c.ops[0], "*") {
			w.each(c, model.File{Op: model.Read})
			break
		}
		return w.readFile(x(0)), true
	case "write", "append", "extract":
		f.Op, f.Append, f.Tree = model.Write, verb == "append", verb == "extract"
		w.each(c, f)
	case "fill":
		w.fill(x(0), x(1))
	case "fetched":
		if v := x(0); v.kind != unknownValue || v.src != "" {
			w.fill(v, value{net: true})
		}
	case "open":
		mode, given := value{}, false
		if c.has(1) {
			mode, given = w.resolve(c, c.ops[1])
		}
		return w.open(x(0), mode, given), true
	case "search", "list":
		f.Op = model.Search
		w.each(c, f)
		if verb == "list" {
			return everyName, true
		}
	case "mode":
		f.Op = model.Mode
		w.each(c, f)
	case "chmod":
		for _, v := range w.list(c, 1).list {
			w.chmod(x(0), v)
		}
	case "move", "copy", "link":
		op := map[string]model.Op{"move": model.Move, "copy": model.Read, "link": model.Link}[verb]
		w.two(op, x(0), x(1), f.Tree || verb == "move")
	case "shell", "run":
		if !c.given() {
			break
		}
		w.tie()
		w.run(x(0), &c.arguments)
		return process(x(0)), true
	case "start":
		return w.startWith(c, x(0)), true
	case "byname": // sh.git.push("-f")
		_, name, _ := strings.Cut(c.ref, ".")
		list := value{kind: listValue}
		for word := range strings.SplitSeq(strings.TrimPrefix(name, "cmd."), ".") {
			list.add(known(word))
		}
		w.start(concat(list, w.list(c, 0)), &c.arguments)
	case "verb": // repo.git.commit("-n")
		name := strings.ReplaceAll(c.ref[strings.LastIndexAny(c.ref, "#.")+1:], "_", "-")
		w.start(concat(listOf([]value{x(0), known(name)}), c.words()), &c.arguments)
	case "exec":
		list := listOf([]value{x(0)})
		if argv := x(1); argv.kind == listValue && len(argv.list) > 0 {
			list.add(argv.list[1:]...)
			list.more = argv.more
		} else {
			list.more = true
		}
		w.start(list, &c.arguments)
	case "system":
		list := w.list(c, 0)
		if len(list.list) > 0 && len(list.list[0].fields) > 0 {
			list.list = list.list[1:] // the environment
		}
		w.tie()
		switch {
		case len(list.list) == 1 && !list.more:
			w.shell(list.list[0])
		case len(list.list) > 0:
			w.start(list, &c.arguments)
		case c.given():
			w.doubtCode(c.ref)
			w.letGo(value{param: list.more})
		}
		return process(list), true
	case "eval":
		w.eval(x(0))
	case "load":
		for _, text := range w.texts(x(0)) {
			if code, ok := recipes.DataURL(text.Text); ok {
				w.eval(known(strings.TrimPrefix(code, "<?php")))
			} else if v := x(0); v.net {
				w.eval(v)
			} else {
				w.RunFile(w.lang.name, text)
			}
		}
	case "sql":
		if v := x(0); v.kind == textValue {
			w.Code(model.Code{Language: "sql", Text: v.text, Origin: model.Inline})
		}
	case "visit":
		sends := f.Tree || has(" post put patch delete ", strings.ToLower(c.text("method")))
		return w.visit(x(0), sends), true
	case "through":
		w.through(x(0), c.ops[0] == ":host")
	case "dial":
		return w.dial(x(0), x(1), false), true
	case "dialpair":
		if to := x(0); to.kind == listValue && len(to.list) > 1 {
			return w.dial(to.list[0], to.list[1], false), true
		}
		return w.dial(value{}, value{}, false), true
	case "listen":
		port := x(0)
		if port.kind == listValue && len(port.list) > 1 {
			port = port.list[1]
		}
		return w.dial(value{}, port, true), true
	case "env":
		v := value{}
		if key := x(0); key.kind == textValue {
			v = w.variable(key.text)
		} else {
			v = w.environment()
		}
		if other := x(1); v.kind == unknownValue && other.kind != unknownValue {
			return either(v, other), true
		}
		return v, true
	case "environ":
		return w.environment(), true
	case "show":
		for _, v := range c.list {
			w.show(v)
		}
		w.printed(c.ref[strings.LastIndexAny(c.ref, "#.:")+1:], c.list)
	case "cd":
		w.chdir(x(0))
	case "signal":
		w.signal(x(0), x(1))
	case "tie":
		w.tie()
	case "doubt":
		w.doubtCode(strings.TrimSpace(c.ref + " " + x(0).src))
	default:
		return w.compute(c, verb)
	}
	return value{}, true
}

// process is what has been started. What a program prints that fetches something
// is a host's.
func process(command value) value {
	v := object("process")
	v.net = recipes.Fetches(implode(listOf(append([]value{command}, command.list...)), " ").text)
	return v
}

// given reports whether the call has arguments.
func (c *call) given() bool { return len(c.arguments.list) > 0 || len(c.named) > 0 || c.more }

// words are the arguments of a call as those of a program: lists as their elements,
// names as options.
func (c *call) words() value {
	out := value{kind: listValue, more: c.more}
	option := func(f field) {
		dashes := "--"
		if len(f.name) == 1 {
			dashes = "-"
		}
		if name := strings.TrimLeft(f.name, "-"); !f.value.off() || f.name[0] == '-' {
			out.add(known(dashes + strings.ReplaceAll(name, "_", "-")))
		}
		if f.value.kind == textValue {
			out.add(f.value)
		}
	}
	for _, v := range c.arguments.list {
		switch {
		case len(v.fields) > 0:
			for _, f := range v.fields {
				option(f)
			}
		case v.kind == listValue:
			out.add(v.list...)
			out.more = out.more || v.more
		case v.kind == textValue, v.kind == anyValue, v.kind == unknownValue && v.src != "":
			out.add(v)
		}
	}
	for _, f := range c.named {
		option(f)
	}
	return out
}

// each lists what happens to each of the files that the first operand names.
func (w *walker) each(c *call, f model.File) {
	if !strings.HasSuffix(c.ops[0], "*") {
		w.file(f, w.value(c, 0))
		return
	}
	list := w.list(c, 0)
	if list.more {
		list.list = append(list.list, value{src: c.ref})
	}
	for _, v := range list.list {
		if v.kind != numberValue && len(v.fields) == 0 && !v.off() { // an option
			w.file(f, v)
		}
	}
}

// startWith starts a program whose arguments are the second operand.
func (w *walker) startWith(c *call, program value) value {
	list := listOf([]value{program})
	if c.has(1) {
		argv := w.list(c, 1)
		for _, v := range argv.list {
			switch {
			case len(v.fields) > 0 || v.kind == objectValue: // options, a callback
			case v.kind == unknownValue && v.src != "":
				v.spread = true
				list.add(v)
			case v.kind != unknownValue:
				list.add(v)
			}
		}
		list.more = argv.more
	}
	w.tie()
	if c.arguments.on("shell") {
		list.src = program.src
		w.shell(implode(list, " "))
	} else {
		w.start(list, &c.arguments)
	}
	return object("process")
}

// compute does the steps that only have a value:
//
//	same x, array x, text x, path x  as it is, as a list, as a text, as an object of a path
//	glob x                          the names that match a pattern
//	join x, relative x              path parts; an absolute one starts over, or not
//	below x y                       what matches a pattern in a directory, as objects of paths
//	expand x, dirname x             ~ in front of a path; its directory
//	object name                     an object of a type
//	nothing, pass                   nothing that is known; the object of the method, if there is one
//	hex x, base64 x, percent x, rot13 x, codec x how, chars x, pack template x, reverse x
//	lower x, upper x, trim x, split x sep, characters x, implode x sep, concat x y, joined list list, unpack x template
//	sprintf x y, format x, replace x from to
//	first x, last x                 of a list
//	module x                        what the name stands for; member object name: that of an object
//	scope x, members x              all names there are, those of x; any member of a module may be used
//	grow x y, lead x y              adds to the list in a variable, behind it or in front
//	each x f                        calls a function with each element of a list, and is the list
//	apply f x, map f x              calls a function with arguments, with each element of a list
func (w *walker) compute(c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	switch verb {
	case "same":
		return x(0), true
	case "array":
		return w.list(c, 0), true
	case "text":
		v := x(0)
		if v.isPath() || v.kind == objectValue && v.ref == "url" {
			v = value{kind: textValue, text: v.text, glob: v.glob}
		}
		return v, true
	case "path":
		return pathOf(joinPath(w.list(c, 0).list)), true
	case "glob", "globs":
		v := x(0)
		if patterns := strings.Fields(v.text); verb == "globs" && v.kind == textValue && len(patterns) > 1 {
			out := value{kind: anyValue}
			for _, pattern := range patterns {
				one := w.expandUser(value{kind: textValue, text: pattern})
				one.glob = true
				out.add(one)
			}
			return out, true
		}
		v = w.expandUser(v)
		v.glob = true
		return v, true
	case "join":
		list := w.list(c, 0).list
		if c.has(1) {
			list = append(append([]value(nil), list...), w.list(c, 1).list...)
		}
		out := joinPath(list)
		if len(list) > 0 && list[0].isPath() {
			out = pathOf(out)
		}
		return out, true
	case "below":
		parts := []value{x(0), x(1)}
		if c.has(2) {
			parts = append(parts, x(2))
		}
		out := joinPath(parts)
		out.glob = true
		return pathOf(out), true
	case "relative":
		return joinRelative(w.list(c, 0).list), true
	case "expand":
		return w.expandUser(x(0)), true
	case "dirname":
		return dirname(x(0)), true
	case "object":
		return object(c.ops[0]), true
	case "nothing":
		return value{}, true
	case "scope":
		if of := x(0); of.kind == nameValue {
			return of, true
		}
		return named(strings.Fields(w.lang.scopes)[0]), true
	case "members":
		for _, v := range w.list(c, 0).list {
			if v.kind == nameValue && w.lang.reflects(v.ref) && within.Setting(w.lang.values, v.ref) != "env" {
				w.doubtCode(c.ref + " " + v.ref)
			}
		}
	case "grow", "lead":
		if list := x(0); list.held != "" && verb == "grow" {
			w.set(list.held, concat(list, w.list(c, 1)))
		} else if list.held != "" {
			w.set(list.held, concat(w.list(c, 1), list))
		}
	case "each":
		one := x(0).element()
		switch f := x(1); f.kind {
		case nameValue:
			w.invoke(f, arguments{list: []value{one}})
		case textValue: // each(&:delete)
			w.invoke(w.member(one, f.text), arguments{})
		}
		return x(0), true
	case "pass":
		if c.recv == nil {
			return value{}, false
		}
		return *c.recv, true
	case "hex", "base64", "percent", "rot13":
		return decoded(verb, x(0)), true
	case "codec":
		switch how, given := w.resolve(c, c.ops[1]); {
		case x(0).kind == listValue:
			return characters(x(0).list), true
		case how.kind == textValue:
			return decoded(how.text, x(0)), true
		case given:
			return value{net: x(0).net}, true
		}
		return x(0), true
	case "chars":
		return characters(w.list(c, 0).list), true
	case "pack":
		return packed(x(0), w.list(c, 1).list), true
	case "reverse":
		return reversed(x(0)), true
	case "lower", "upper", "trim":
		v := x(0)
		if v.kind == textValue {
			v.text = map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper, "trim": strings.TrimSpace}[verb](v.text)
		}
		return v, true
	case "split":
		v, sep := x(0), x(1)
		switch {
		case v.kind != textValue:
			return value{net: v.net}, true
		case sep.kind != textValue && c.given():
			return value{}, true
		case sep.kind != textValue || sep.text == " ":
			return pieces(strings.Fields(v.text)), true
		}
		return pieces(strings.Split(v.text, sep.text)), true
	case "implode":
		sep := x(1)
		if sep.kind != textValue && c.given() {
			return value{}, true
		}
		return implode(x(0), sep.text), true
	case "characters":
		return pieces(strings.Split(x(0).text, "")), true
	case "unpack":
		if strings.HasPrefix(x(1).text, "m") {
			return decoded("base64", x(0)), true
		}
		return decoded("hex", x(0)), true
	case "joined":
		return concat(x(0), w.list(c, 1)), true
	case "concat":
		out := x(0)
		for _, v := range w.list(c, 1).list {
			out = concat(out, v)
		}
		return out, true
	case "sprintf":
		return sprintf(x(0), w.list(c, 1).list), true
	case "format":
		return formatBraces(x(0), &c.arguments), true
	case "replace":
		return replaced(x(0), x(1), x(2)), true
	case "first", "last":
		if list := w.list(c, 0).list; len(list) > 0 {
			return list[map[bool]int{true: len(list) - 1}[verb == "last"]], true
		}
		return value{}, true
	case "module", "package":
		if v := x(0); v.kind == textValue {
			if verb == "package" && x(1).src == "" { // __import__("a.b") is a
				v.text, _, _ = strings.Cut(v.text, ".")
			}
			return w.memberOrName(v.text), true
		}
		w.doubtCode(c.ref + " " + x(0).src)
	case "member":
		return w.reflect(c, x(0), x(1)), true
	case "apply":
		return w.applyTo(c, x(0), w.list(c, 1).list), true
	case "map":
		over := x(1)
		if over.kind != listValue || over.more {
			return w.applyTo(c, x(0), []value{over.element()}), true
		}
		out := value{kind: listValue}
		for _, one := range over.list {
			out.add(w.applyTo(c, x(0), []value{one}))
		}
		return out, true
	default:
		if w.lang.verb != nil {
			return w.lang.verb(w, c, verb)
		}
		return value{}, false
	}
	return value{}, true
}

// applyTo calls a function that is a value.
func (w *walker) applyTo(c *call, f value, args []value) value {
	if f.kind == unknownValue {
		w.doubtCode(c.ref + " " + f.src)
		return value{}
	}
	return w.invoke(f, arguments{list: args, named: c.named})
}

// memberOrName returns the value of a name, which may contain dots.
func (w *walker) memberOrName(name string) value {
	if w.lang.canonical != nil {
		name = w.lang.canonical(name)
	}
	if strings.Contains(name, ".") {
		return named(name)
	}
	return w.valueOf(name)
}

// reflect is a member by a name that is worked out.
func (w *walker) reflect(c *call, object, name value) value {
	if name.kind == textValue {
		return w.member(object, name.text)
	}
	if object.kind == nameValue && w.lang.reflects(object.ref) {
		w.letGo(value{param: true})
		w.doubtCode(c.ref + " " + object.ref + " " + name.src)
		return value{}
	}
	return value{kind: nameValue, ref: reflected, src: c.ref + " " + object.src + " " + name.src}
}
