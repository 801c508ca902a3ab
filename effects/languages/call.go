package languages

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// member is what a name behind a value stands for.
func (w *walker) member(v thing, name string) thing {
	switch v.kind {
	case nameThing:
		out := w.memberOf(v.ref, name)
		if out.kind == nameThing && v.recv != nil {
			out.recv = v.recv
		}
		return out
	case anyThing:
		if len(v.list) == 0 || len(v.list) > 16 {
			break
		}
		recv := v
		return thing{kind: nameThing, ref: "any#" + name, recv: &recv}
	case objectThing:
		if v.ref == "Path" {
			switch name {
			case "parent":
				if i := strings.LastIndexByte(strings.TrimRight(v.text, "/"), '/'); i > 0 {
					return pathObject(thing{kind: textThing, text: v.text[:i]})
				}
				return thing{}
			case "name", "stem", "suffix", "parts", "parents":
				return thing{}
			}
		}
		recv := v
		return thing{kind: nameThing, ref: v.ref + "#" + name, recv: &recv, net: v.net}
	}
	for _, f := range v.fields {
		if f.name == name {
			return f.value
		}
	}
	recv := v
	kind := map[thingKind]string{textThing: "text", numberThing: "text", listThing: "list", contentThing: "content"}[v.kind]
	return thing{kind: nameThing, ref: kind + "#" + name, recv: &recv, net: v.net}
}

// memberOf is a member of a module, a type or a function by name.
func (w *walker) memberOf(ref, name string) thing {
	switch w.language {
	case "python":
		if ref == "os" && name == "environ" {
			return w.environ("os.environ")
		}
		if ref == "sys" && name == "argv" {
			return w.argv
		}
		if name == "__dict__" {
			return named(ref)
		}
		if ref == "os" && name == "sep" {
			return known("/")
		}
	case "node":
		if ref == "process" && name == "argv" {
			return w.argv
		}
		if ref == "process" && name == "env" {
			return w.environ("process.env")
		}
		if ref == "process.env" || ref == "Bun.env" || ref == "import.meta.env" {
			return w.variable(name)
		}
		if (ref == "os" || ref == "path") && (name == "sep" || name == "EOL") {
			return known(map[string]string{"sep": "/", "EOL": "\n"}[name])
		}
		if ref == "globalThis" || ref == "global" || ref == "window" || ref == "self" {
			return w.lookup(name)
		}
	}
	if ref == "Dir" && w.language == "ruby" && !w.tok().is("(") {
		switch name {
		case "home":
			return w.homeDir()
		case "pwd", "getwd":
			return w.here()
		}
	}
	if ref == "ENV" {
		switch name {
		case "fetch", "to_h", "to_a", "each", "map", "inspect", "key", "keys", "values", "has_key", "delete", "key?", "include?":
			return named("ENV." + name)
		}
		return w.variable(name)
	}
	if ref == "os.environ" {
		switch name {
		case "get", "copy", "items", "keys", "values", "setdefault", "update", "pop", "__getitem__":
			return named("os.environ." + name)
		}
		return w.variable(name)
	}
	if ref == "__builtins__" || ref == "builtins" || ref == "globals()" || ref == "locals()" {
		return w.lookup(name)
	}
	if len(ref)+len(name) > maxName {
		return thing{}
	}
	return named(ref + "." + name)
}

// environ is the environment: as a whole, unless one variable of it is meant.
func (w *walker) environ(ref string) thing {
	if t := w.tok(); t.is(".") || t.is("[") || t.is("?.") || w.assignAhead() {
		return named(ref)
	}
	w.environment()
	return named(ref)
}

func (w *walker) assignAhead() bool { return w.tok().kind == markToken && isAssign(w.tok().text) }

// callbackParams is what a function given to a call is called with.
func (w *walker) callbackParams(v thing) []thing {
	if v.kind != nameThing {
		return nil
	}
	at := strings.LastIndexAny(v.ref, "#.")
	name := v.ref[at+1:]
	switch name {
	case "forEach", "map", "filter", "some", "every", "find", "flatMap", "each":
		if v.recv != nil {
			return []thing{v.recv.element()}
		}
	case "then":
		if v.recv != nil {
			return []thing{*v.recv}
		}
	}
	if v.ref == "https.get" || v.ref == "http.get" || v.ref == "https.request" || v.ref == "http.request" {
		return []thing{{net: true, src: "response"}}
	}
	if v.net {
		return []thing{{net: true}, {net: true}}
	}
	return nil
}

// invoke makes a call: it lists what the call does and returns its value.
func (w *walker) invoke(v thing, args callArgs) thing {
	if v.kind == textThing && w.language == "php" { // $f = 'system'; $f('ls')
		v = named(strings.ToLower(v.text))
	}
	if v.kind != nameThing {
		w.handedOn(&args)
		if v.net && len(args.list) > 0 {
			return thing{net: true}
		}
		return thing{net: args.net()}
	}
	if out, ok := w.onText(v, &args); ok {
		return out
	}
	if strings.HasPrefix(v.ref, "any#") {
		return w.onAny(v, args)
	}
	// a function that is handed on to what a host sends: .then(eval)
	for _, a := range args.list {
		if a.kind == nameThing && v.net && (a.ref == "eval" || a.ref == "exec" || a.ref == "execSync") {
			w.eval(w.language, thing{net: true})
		}
	}
	ref := applied(v.ref, &args)
	var out thing
	ok := false
	switch w.language {
	case "python":
		out, ok = pythonCall(w, ref, v.recv, &args)
	case "node":
		out, ok = nodeCall(w, ref, v.recv, &args)
	case "ruby":
		out, ok = rubyCall(w, ref, v.recv, &args)
	case "perl":
		out, ok = perlCall(w, ref, v.recv, &args)
	case "php":
		out, ok = phpCall(w, ref, v.recv, &args)
	case "lua":
		out, ok = luaCall(w, ref, &args)
	case "r":
		out, ok = rCall(w, ref, &args)
	}
	if ok {
		return out
	}
	w.handedOn(&args)
	if v.recv != nil && (v.recv.kind == contentThing || v.recv.kind == objectThing && v.recv.ref != "function" && v.recv.ref != "Path") {
		return *v.recv
	}
	return thing{net: v.net || v.recv != nil && v.recv.net || args.net()}
}

// handedOn is for functions that are arguments of a call that is not known: a
// pool or a thread that runs them. What they are called with is taken from
// what follows them.
func (w *walker) handedOn(args *callArgs) {
	for i, f := range args.list {
		if f.kind == nameThing && risky(f.ref) {
			w.handOver(f, args.list[i+1:])
		}
	}
	if f := args.at(-1, "target", "func", "fn", "callback"); f.kind == nameThing && risky(f.ref) {
		w.handOver(f, args.at(-1, "args").list)
	}
}

func (w *walker) handOver(f thing, list []thing) {
	if len(list) == 0 || w.depth >= maxNest/2 {
		w.doubtCode(f.ref)
		return
	}
	if len(list) == 1 && list[0].kind == listThing && strings.Contains(f.ref, ".r") {
		list = []thing{list[0].element()}
	}
	w.depth++
	w.invoke(f, callArgs{list: list})
	w.depth--
}

// risky reports whether a function does something that must not go unseen.
func risky(ref string) bool {
	switch ref {
	case "eval", "exec", "execSync", "system", "os.system", "os.popen", "os.remove", "os.unlink", "os.rmdir", "shutil.rmtree", "shutil.move",
		"os.rename", "os.execv", "os.execvp", "pty.spawn",
		"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen", "subprocess.getoutput":
		return true
	}
	return strings.HasPrefix(ref, "child_process.") || strings.HasPrefix(ref, "fs.rm") || strings.HasPrefix(ref, "fs.unlink")
}

// applied is the function that f.call(this, x) and f.apply(this, [x]) call.
func applied(ref string, args *callArgs) string {
	for _, how := range [...]string{".call", ".apply", ".__call__"} {
		base, ok := strings.CutSuffix(ref, how)
		if !ok || base == "" || base == "subprocess" { // subprocess.call is a function of its own
			continue
		}
		switch {
		case how == ".__call__" || !strings.Contains(base, ".") && how == ".call":
		case how == ".apply" && len(args.list) > 1 && args.list[1].kind == listThing:
			args.list = args.list[1].list
		case len(args.list) > 0:
			args.list = args.list[1:]
		}
		return base
	}
	return ref
}

// onAny makes a call on each of several objects.
func (w *walker) onAny(v thing, args callArgs) thing {
	var out thing
	name := strings.TrimPrefix(v.ref, "any#")
	for i, one := range v.recv.list {
		if one.kind == anyThing {
			continue
		}
		r := w.invoke(w.member(one, name), args)
		if i == 0 {
			out = r
		} else {
			out = either(out, r)
		}
	}
	return out
}

// onText works out the methods of strings and lists, whose names are much the
// same everywhere.
func (w *walker) onText(v thing, args *callArgs) (thing, bool) {
	recv := v.recv
	if recv == nil {
		return thing{}, false
	}
	kind, name, ok := strings.Cut(v.ref, "#")
	if !ok || kind != "text" && kind != "list" {
		return thing{}, false
	}
	text := recv.text
	if kind == "list" {
		switch name {
		case "join":
			sep := args.at(0)
			if sep.kind != textThing && args.given(0) {
				return thing{}, true
			}
			if !args.given(0) && w.language == "node" {
				sep.text = ","
			}
			return joinText(*recv, sep.text), true
		case "reverse", "reversed":
			out := *recv
			out.list = nil
			for i := len(recv.list) - 1; i >= 0; i-- {
				out.list = append(out.list, recv.list[i])
			}
			return out, true
		case "pack":
			return packed(args.at(0), recv.list), true
		case "each", "forEach", "map", "filter", "concat", "flat", "select", "to_a", "uniq", "sort", "compact", "copy", "slice":
			return *recv, true
		case "first", "last", "pop", "shift":
			if n := len(recv.list); n > 0 && name != "last" && name != "pop" {
				return recv.list[0], true
			} else if n > 0 {
				return recv.list[n-1], true
			}
			return thing{}, true
		case "append", "push", "extend", "add":
			return thing{}, true
		}
		return thing{}, false
	}
	switch name {
	case "decode", "encode", "toString", "to_s", "strip", "trim", "lstrip", "rstrip", "trimEnd", "trimStart", "chomp", "force_encoding",
		"freeze", "dup", "html_safe", "valueOf", "to_str", "chop":
		if name == "decode" && (args.at(0).text == "hex" || args.at(0).text == "base64" || args.at(0).text == "rot13") {
			return decoded(args.at(0).text, text), true
		}
		out := *recv
		if strings.Contains(name, "tri") || name == "chomp" {
			out.text = strings.TrimSpace(text)
		}
		return out, true
	case "lower", "toLowerCase", "downcase":
		return known(strings.ToLower(text)), true
	case "upper", "toUpperCase", "upcase":
		return known(strings.ToUpper(text)), true
	case "reverse":
		return known(reversed(text)), true
	case "join":
		if w.language == "python" {
			return joinText(args.at(0), text), true
		}
	case "concat":
		out := *recv
		for _, a := range args.list {
			out = concat(out, a)
		}
		return out, true
	case "replace", "replaceAll", "gsub", "sub", "tr":
		from, to := args.at(0), args.at(1)
		if from.kind == textThing && to.kind == textThing && from.text != "" && name != "tr" && len(text)*(len(to.text)+1) < maxString {
			return known(strings.ReplaceAll(text, from.text, to.text)), true
		}
		return thing{}, true
	case "split":
		sep := args.at(0)
		out := thing{kind: listThing}
		var pieces []string
		switch {
		case !args.given(0) && w.language != "node" || sep.text == " " && w.language != "python":
			pieces = strings.Fields(text)
		case sep.kind == textThing:
			pieces = strings.SplitN(text, sep.text, maxList)
		default:
			return thing{}, true
		}
		for _, one := range pieces {
			if len(out.list) < maxList {
				out.list = append(out.list, known(one))
			}
		}
		return out, true
	case "chars", "bytes", "each_char":
		out := thing{kind: listThing}
		for _, r := range text {
			if len(out.list) < maxList {
				out.list = append(out.list, known(string(r)))
			}
		}
		return out, true
	case "format":
		return formatBraces(*recv, args), true
	case "unpack1", "unpack":
		if strings.HasPrefix(args.at(0).text, "m") {
			return decoded("base64", text), true
		}
		return decoded("hex", text), true
	case "constantize", "to_sym", "intern":
		return named(text), true
	case "repeat":
		return thing{}, true
	case "startswith", "endswith", "startsWith", "endsWith", "includes", "find", "index", "indexOf", "count", "isdigit":
		return thing{}, true
	}
	return thing{}, false
}

// joinText joins a list of known texts.
func joinText(t thing, sep string) thing {
	if t.kind != listThing {
		return thing{net: t.net, src: t.src}
	}
	out := known("")
	for i, one := range t.list {
		if i > 0 {
			out = concat(out, known(sep))
		}
		out = concat(out, one)
	}
	return out
}

func reversed(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		b.WriteString(s[len(s)-n:])
		s = s[:len(s)-n]
	}
	return b.String()
}

// decoded undoes a simple encoding.
func decoded(how, s string) thing {
	switch strings.ToLower(how) {
	case "base64", "b64":
		s = strings.NewReplacer("-", "+", "_", "/", "\n", "", " ", "", "=", "").Replace(s)
		if b, err := base64.RawStdEncoding.DecodeString(s); err == nil {
			return known(string(b))
		}
	case "hex", "hex_codec":
		if b, err := hex.DecodeString(strings.Map(func(r rune) rune {
			if r == ' ' || r == '\n' || r == ':' {
				return -1
			}
			return r
		}, s)); err == nil {
			return known(string(b))
		}
	case "rot13", "rot_13":
		return known(strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z':
				return 'a' + (r-'a'+13)%26
			case r >= 'A' && r <= 'Z':
				return 'A' + (r-'A'+13)%26
			}
			return r
		}, s))
	case "percent":
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '%' && i+2 < len(s) {
				if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
					b.WriteByte(byte(n))
					i += 2
					continue
				}
			}
			b.WriteByte(s[i])
		}
		return known(b.String())
	}
	return thing{}
}

// numberOf is the value of a number.
func numberOf(t thing) int64 {
	n, err := strconv.ParseInt(strings.ReplaceAll(t.text, "_", ""), 0, 64)
	if err != nil {
		return -1
	}
	return n
}

// characters makes a text out of character codes.
func characters(list []thing) thing {
	var b strings.Builder
	for _, t := range list {
		if t.kind == listThing {
			one := characters(t.list)
			if one.kind != textThing {
				return thing{}
			}
			b.WriteString(one.text)
			continue
		}
		n := numberOf(t)
		if t.kind != numberThing || n < 0 || n > utf8.MaxRune {
			return thing{}
		}
		b.WriteRune(rune(n))
	}
	return known(b.String())
}

// packed is pack in Perl, Ruby and PHP, for the templates that matter.
func packed(template thing, list []thing) thing {
	switch {
	case strings.HasPrefix(template.text, "H") && len(list) > 0:
		return decoded("hex", list[0].text)
	case strings.HasPrefix(template.text, "C"), strings.HasPrefix(template.text, "c"), strings.HasPrefix(template.text, "U"):
		return characters(list)
	}
	return thing{}
}

// formatPercent is "%s" % x.
func formatPercent(format, values thing) thing {
	list := []thing{values}
	if values.kind == listThing {
		list = values.list
	}
	return sprintf(format, list)
}

// sprintf fills %s and %d with known values.
func sprintf(format thing, list []thing) thing {
	if format.kind != textThing {
		return thing{}
	}
	out := known("")
	rest := format.text
	for {
		at := strings.IndexByte(rest, '%')
		if at < 0 || at+1 >= len(rest) {
			return concat(out, known(rest))
		}
		out = concat(out, known(rest[:at]))
		verb := rest[at+1]
		rest = rest[at+2:]
		switch {
		case verb == '%':
			out = concat(out, known("%"))
		case (verb == 's' || verb == 'd') && len(list) > 0:
			out = concat(out, list[0])
			list = list[1:]
		case verb == 'c' && len(list) > 0:
			out = concat(out, characters(list[:1]))
			list = list[1:]
		default:
			return thing{src: format.text}
		}
	}
}

// formatBraces is "{}".format(x).
func formatBraces(format thing, args *callArgs) thing {
	out := known("")
	rest := format.text
	n := 0
	for {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return concat(out, known(rest))
		}
		end := strings.IndexByte(rest[at:], '}')
		if end < 0 {
			return thing{src: format.text}
		}
		out = concat(out, known(rest[:at]))
		name := rest[at+1 : at+end]
		rest = rest[at+end+1:]
		i, err := strconv.Atoi(name)
		if name == "" {
			i, err = n, nil
			n++
		}
		if err != nil {
			i = -1
		}
		out = concat(out, args.at(i, name))
	}
}
