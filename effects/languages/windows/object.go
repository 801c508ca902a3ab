package windows

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/model"
)

// methods says what methods do. Its head explains the format.
//
//go:embed methods.txt
var methods string

// rowOf finds what a method of a type does, "" if nothing is known about it.
func rowOf(kind, method string) string {
	if kind != "" {
		if row := calls.Row(methods, kind, method); row != "" {
			return row
		}
		if row := calls.Row(methods, kind[strings.LastIndexByte(kind, '.')+1:], method); row != "" {
			return row
		}
	}
	if method == "new" {
		return ""
	}
	return calls.Row(methods, "", method)
}

// kindOf is the name of a type in lower case, without brackets, what a generic is of,
// or the namespace of a class of WMI.
func kindOf(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if inner, ok := strings.CutPrefix(name, "["); ok {
		name, _, _ = strings.Cut(inner, "]")
	}
	name, _, _ = strings.Cut(name, ",") // a type with its assembly
	name = name[strings.LastIndexAny(name, `\/:`)+1:]
	return strings.TrimPrefix(strings.Trim(name, " '\""), "system.")
}

// make makes an object of a type with the arguments of its constructor, and with
// properties.
func (r *reader) make(name string, args []value, fields map[string]value) value {
	kind := kindOf(name)
	if len(args) > 0 && (kind == "wmiclass" || strings.HasPrefix(kind, "management.management")) {
		return r.cast("wmiclass", args[0])
	}
	r.connects(kind)
	r.made(kind, args)
	out := value{text: name, kind: kind, fields: fields}
	if len(args) > 0 {
		out.network = args[0].network // a reader of what an address sends
		r.field(&out, "", args[0])
	}
	if row := rowOf(kind, "new"); row != "" && !out.network {
		made := r.apply(row, out, args)
		for name, v := range made.fields {
			r.field(&out, name, v)
		}
		out.paths = made.paths
	}
	return out
}

// newObject is New-Object with a type or a COM object, arguments and properties.
func (r *reader) newObject(items []item) value {
	var kind string
	var args []value
	var fields map[string]value
	for n := 1; n < len(items); n++ {
		switch t := strings.ToLower(items[n].raw); {
		case items[n].bare && (t == "," || t == "-strict"):
		case items[n].bare && len(t) > 1 && t[0] == '-':
		case items[n].fields != nil && items[n].kind == "":
			fields = items[n].fields
		case kind == "" && items[n].kind != "": // its arguments stand in brackets right behind the type
			return items[n].value
		case kind == "":
			kind = items[n].text
		default:
			args = append(args, items[n].all()...)
		}
	}
	r.connects(kind)
	return r.make(kind, args, fields)
}

// field sets a property of an object, whose other copies stay as they are.
func (r *reader) field(v *value, name string, of value) {
	if v.fields = maps.Clone(v.fields); v.fields == nil {
		v.fields = map[string]value{}
	}
	if r.fits(len(v.fields), "properties") {
		v.fields[strings.ToLower(name)] = of
	}
}

// table evaluates what stands between @{ and }.
func (r *reader) table(text string) value {
	out := value{fields: map[string]value{}}
	if r.depth++; r.depth > maxDepth {
		r.h.Doubt("depth", text)
	} else {
		for s := (scanner{r: r, text: text}); !s.done(); {
			key, _, ok := strings.Cut(s.text[s.at:], "=")
			if !ok {
				break
			}
			s.at += len(key) + 1
			items, _ := s.command()
			v := value{}
			if len(items) == 1 && !items[0].block {
				v = items[0].value
			} else if len(items) > 0 {
				v = r.command(items, value{})
			}
			r.field(&out, strings.Trim(key, " \t\r\n;'\""), v)
			out.network = out.network || v.network
			if v.environ != "" {
				out.environ = v.environ
			}
		}
	}
	r.depth--
	return out
}

// splat puts the entries of a table, or the elements of a list, into the place of
// @name.
func (r *reader) splat(items []item) []item {
	for n := 1; n < len(items); n++ {
		if !items[n].bare || len(items[n].raw) < 2 || items[n].raw[0] != '@' {
			continue
		}
		given, ok := r.vars[strings.ToLower(items[n].raw[1:])]
		if !ok {
			continue
		}
		var out []item
		if given.fields == nil {
			for _, one := range given.all() {
				out = append(out, item{value: one, raw: one.text})
			}
		}
		for _, key := range slices.Sorted(maps.Keys(given.fields)) {
			out = append(out, item{value: known("-" + key), raw: "-" + key, bare: true})
			if v := given.fields[key]; !strings.EqualFold(v.text, "$true") {
				out = append(out, item{value: v, raw: v.text})
			}
		}
		items = slices.Concat(items[:n], out, items[n+1:])
		n += len(out) - 1
	}
	return items
}

// cast turns a value into another type: [char]105, [char[]]'ab', [adsi]'WinNT://x'.
func (r *reader) cast(kind string, v value) value {
	switch k := kindOf(kind); k {
	case "char", "char[":
		if len(v.list) == 0 && k == "char[" && v.known {
			return r.letters(v.text)
		}
		if len(v.list) > 0 {
			out := value{known: v.known}
			for _, one := range v.list {
				out.list = append(out.list, r.cast("char", one))
			}
			return out
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(v.text), 0, 32); err == nil && v.known {
			return known(string(rune(n)))
		}
	case "bool": // only whether there is one
		return value{text: v.text, network: v.network}
	case "scriptblock":
		v.code = true
	case "type":
		v.kind = kindOf(v.text)
	case "wmiclass", "wmi", "wmisearcher":
		path, filter, _ := strings.Cut(v.text, "=")
		v.kind, _, _ = strings.Cut(kindOf(path), ".") // \\.\root\cimv2:Win32_Service.Name="x"
		r.field(&v, "", known(strings.Trim(filter, `"'`)))
	case "string", "int", "int32", "byte", "byte[", "void", "object", "xml", "array", "string[", "object[", "int[", "uint32", "psobject",
		"pscustomobject", "ordered", "hashtable", "securestring", "datetime", "version", "regex", "ref", "double", "long", "uri", "ipaddress",
		"switch", "pscredential", "psobject[", "guid":
	default:
		if v.code || len(v.paths) > 0 || k == "" {
			break
		}
		if v.fields == nil {
			return r.make(k, []value{v}, nil)
		}
		return r.make(k, nil, v.fields)
	}
	return v
}

// letters are the letters of a text as a list.
func (r *reader) letters(text string) value {
	out := value{known: true, text: text}
	for _, c := range text {
		if out.known = r.fits(len(out.list), "letters"); !out.known {
			break
		}
		out.list = append(out.list, known(string(c)))
	}
	return out
}

// index is v[…] with numbers, ranges or a key. ok is false if that is unknown.
func (r *reader) index(v value, inner string) (out value, ok bool) {
	if len(v.fields) > 0 {
		out, ok = v.fields[strings.ToLower(strings.Trim(inner, ` '"`))]
		return out, ok
	}
	of := v.list
	if len(of) == 0 && v.known {
		of = r.letters(v.text).list
	}
	out.known = true
	for part := range strings.SplitSeq(inner, ",") {
		first, last, span := strings.Cut(part, "..")
		from, err := strconv.Atoi(strings.TrimSpace(first))
		to := from
		if err == nil && span {
			to, err = strconv.Atoi(strings.TrimSpace(strings.Trim(last, " ()")))
		}
		if err != nil || to-from > maxText || from-to > maxText {
			return value{}, false
		}
		step := 1
		if to < from {
			step = -1
		}
		for n := from; n != to+step && r.fits(len(out.list), "letters"); n += step {
			at := n
			if at < 0 {
				at += len(of)
			}
			if at >= 0 && at < len(of) {
				out.list = append(out.list, of[at])
			}
		}
	}
	if len(out.list) == 1 {
		return out.list[0], true
	}
	return out, len(of) > 0
}

// apply does what a row of methods.txt says, and returns the result.
func (r *reader) apply(row string, on value, args []value) value {
	out := value{network: on.network}
	get := func(operand string) value {
		number, name, _ := strings.Cut(operand, ":")
		if operand == "self" {
			name = ""
		} else if n, err := strconv.Atoi(number); err != nil {
			return known(operand)
		} else if n < len(args) {
			return args[n]
		} else if name == "" {
			return value{}
		}
		return on.fields[name]
	}
	places := func(operand string) []model.Word {
		v := get(operand)
		if operand == "self" && len(on.paths) > 0 {
			return on.paths
		} else if len(v.paths) > 0 { // $_.FullName
			return v.paths
		}
		return []model.Word{r.path(v.word())}
	}
	file := func(op model.Op, tree bool, operand string) {
		for _, w := range places(operand) {
			if w.Text != "" {
				r.h.File(model.File{Op: op, Tree: tree || w.Glob && op == model.Delete, Path: r.h.Resolve(w), Code: true})
			}
		}
	}
	for step := range strings.SplitSeq(row, ";") {
		words := strings.Fields(step)
		verb, operands := words[0], words[1:]
		first := ""
		if len(operands) > 0 {
			first = operands[0]
		}
		switch verb {
		case "read":
			if v := get(first); v.network {
				out.network = true
				break
			}
			file(model.Read, false, first)
		case "write", "add":
			if file(model.Write, false, first); len(operands) > 1 {
				c := contentOf(get(operands[1]))
				c.Added = verb == "add"
				for _, w := range places(first) {
					r.h.Wrote(r.h.Resolve(w), c)
				}
			}
		case "delete", "tree":
			file(model.Delete, verb == "tree", first)
		case "move", "copy":
			file(map[bool]model.Op{true: model.Move, false: model.Read}[verb == "move"], false, first)
			file(model.Write, false, operands[1])
		case "opened": // how, is said by a word or a number
			mode := strings.ToLower(get(operands[1]).text + " " + get(operands[2]).text)
			if strings.Contains(mode, "write") || strings.Contains(mode, "create") || strings.Contains(mode, "append") ||
				strings.Contains(mode, "truncate") || strings.ContainsAny(mode, "28") {
				file(model.Write, false, first)
			} else {
				file(model.Read, false, first)
			}
		case "path":
			out.paths = places(first)
		case "line":
			r.line(get(first))
		case "start":
			r.starts(get(first), get(operands[1]))
		case "code":
			r.code(get(first))
		case "block":
			out = get(first)
			out.code = true
		case "load":
			r.load(on, get(first))
		case "url", "send":
			v := get(first)
			r.h.URL(v.word(), verb == "send")
			r.fetched = r.fetched || verb == "url"
		case "object":
			kind := first
			if v := get(first); first == "0" {
				kind = v.text
			}
			out.kind, out.text = kindOf(kind), kind
			if len(args) > 0 {
				r.field(&out, "", args[0])
			}
		case "fields":
			for n := range min(len(args), len(operands)) {
				r.field(&out, operands[n], args[n])
			}
		case "variable": // of the process only, unless the third says otherwise
			if scope := get("2"); scope.text != "" && !strings.EqualFold(scope.text, "process") {
				r.h.Start(r.words([]string{"setx", "0", "1"}, on, get), languages.Start{})
			} else {
				r.exports(get("0").text, get("1"))
			}
		case "cmdlet":
			r.h.Start(r.words(operands, on, get), languages.Start{})
		}
	}
	return out
}

// words are the words of a program that does the same as a method.
func (r *reader) words(operands []string, on value, get func(string) value) (out []model.Word) {
	for _, operand := range operands {
		if operand != "*" {
			v := get(operand)
			if v.text != "" || len(v.list) > 0 || len(v.paths) > 0 {
				out = append(out, v.words()...)
			}
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(on.fields)) {
			if key != "" {
				v := on.fields[key]
				out = append(append(out, model.Word{Text: "-" + key, Known: true}), v.words()...)
			}
		}
	}
	return out
}

// starts starts a program with its arguments in one text, or as a ProcessStartInfo
// says.
func (r *reader) starts(program, arguments value) {
	if file, ok := program.fields["filename"]; ok {
		program, arguments = file, program.fields["arguments"]
	} else if program.kind != "" && len(program.fields) > 0 {
		program, arguments = program.fields[""], value{}
	}
	if program.text == "" {
		return
	}
	words := []model.Word{program.word()}
	if arguments.text != "" || len(arguments.list) > 0 {
		words = append(words, split(arguments)...)
	}
	r.h.Start(words, languages.Start{})
}

// load runs compiled code: from a host, or from a value or a file whose content is not
// known.
func (r *reader) load(on, v value) {
	if v.network || strings.Contains(v.text, "://") {
		if strings.Contains(v.text, "://") {
			r.h.URL(v.word(), false)
		}
		r.h.Code(model.Code{Language: PowerShell, Origin: model.Network})
		return
	}
	r.h.Code(model.Code{Language: PowerShell, Text: on.text, Origin: model.Inline})
	r.h.Doubt("code", on.text)
}
