package windows

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/model"
)

// expression evaluates values with operators between them.
func (r *reader) expression(items []item, in value) value {
	if len(items) == 0 {
		return in
	}
	v := r.operandOf(&items[0])
	for n := 1; n < len(items); n++ {
		op := strings.ToLower(items[n].raw)
		if items[n].block { // 1 { … } of switch
			r.script(items[n].raw, in)
			continue
		}
		if !items[n].bare || n+1 >= len(items) && op != "-join" {
			v = r.combine(v, "", nil)
			continue
		}
		switch op {
		case ",":
			n++
			one := r.operandOf(&items[n])
			if len(v.list) == 0 {
				v = value{known: v.known, list: []value{v}}
			}
			if !r.fits(len(v.list), "a list") {
				break
			}
			v.list = append(v.list, one)
			v.known = v.known && one.known
		case "+":
			n++
			o := r.operandOf(&items[n])
			if len(v.text)+len(o.text) > maxText {
				return value{}
			}
			v.join(o)
		case "-f", "-replace", "-creplace", "-ireplace", "-join", "-split", "-csplit", "-isplit":
			rest, end := value{known: true}, n+1
			for end < len(items) && !isOperator(&items[end]) {
				end++
			}
			if n+1 < end {
				rest = r.expression(items[n+1:end], value{})
			}
			v = r.combine(v, op, rest.all())
			n = end - 1
		default:
			v = value{text: joined(items), network: v.network, paths: v.paths}
		}
	}
	return v
}

// isOperator reports whether an item stands between two values.
func isOperator(i *item) bool {
	return i.bare && (i.raw == "+" || len(i.raw) > 1 && i.raw[0] == '-' && i.raw[1] > '9')
}

// operandOf is the value of one item.
func (r *reader) operandOf(i *item) value {
	if i.block {
		return value{text: i.raw, known: true}
	}
	if from, to, ok := strings.Cut(i.raw, ".."); ok && isNumber(i.raw) {
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		out := value{known: err == nil && err2 == nil && last-first < maxList}
		for n := first; n <= last && out.known; n++ {
			out.list = append(out.list, known(strconv.Itoa(n)))
		}
		return out
	}
	return i.value
}

// combine applies an operator on texts. An unknown one makes an unknown value.
func (r *reader) combine(v value, op string, args []value) value {
	for _, a := range args {
		if !a.known {
			return value{text: v.text, network: v.network, environ: cmp.Or(v.environ, a.environ)}
		}
	}
	switch {
	case op == "-join":
		separator := ""
		if len(args) > 0 {
			separator = args[0].text
		}
		var texts []string
		for _, one := range v.all() {
			texts = append(texts, one.text)
		}
		return value{text: strings.Join(texts, separator), known: v.known, network: v.network}
	case !v.known:
	case op == "-f":
		out := v.text
		for n, a := range args {
			if out = strings.ReplaceAll(out, "{"+strconv.Itoa(n)+"}", a.text); len(out) > maxText {
				return value{}
			}
		}
		return known(out)
	case strings.HasSuffix(op, "split") && len(args) > 0 && args[0].text != "":
		out := value{known: true}
		for part := range strings.SplitSeq(v.text, args[0].text) {
			if !r.fits(len(out.list), "a text in parts") {
				break
			}
			out.list = append(out.list, known(part))
		}
		return out
	case strings.HasSuffix(op, "replace") && len(args) > 0:
		to := ""
		if len(args) > 1 {
			to = args[1].text
		}
		if !strings.ContainsAny(args[0].text, `.*+?^$[]()|\{}`) {
			return known(replaceFold(v.text, args[0].text, to))
		}
	}
	return value{text: v.text, network: v.network, paths: v.paths}
}

// method interprets a method call. on is the value or type before its name.
func (r *reader) method(name string, on value, args []value) value {
	arg := func(n int) model.Word {
		switch {
		case n >= len(args):
			return model.Word{}
		case len(args[n].paths) > 0: // $_.FullName
			return args[n].paths[0]
		}
		return r.path(args[n].word())
	}
	file := func(op model.Op, w model.Word, tree bool) {
		r.h.File(model.File{Op: op, Tree: tree, Path: r.h.Resolve(w), Code: true})
	}
	isType := strings.HasPrefix(on.text, "[") && on.kind == ""
	kind := on.kind
	if isType {
		kind = kindOf(on.text)
	}
	if row := rowOf(kind, name); row != "" {
		return r.apply(row, on, args)
	}
	switch name {
	case "delete":
		if isType && len(args) > 0 && len(args[0].paths) == 0 {
			file(model.Delete, arg(0), len(args) > 1)
		} else if isType && len(args) > 0 { // $_.FullName
			on.paths = args[0].paths
		}
		for _, w := range on.paths {
			file(model.Delete, w, true)
		}
	case "readalltext", "readalllines", "readallbytes", "openread", "opentext", "readlines":
		if isType && len(args) > 0 {
			file(model.Read, arg(0), false)
			return value{}
		}
		r.h.URL(arg(0), false)
		return value{network: true}
	case "writealltext", "writeallbytes", "writealllines", "appendalltext", "create", "openwrite", "createtext":
		switch lower := strings.ToLower(on.text); {
		case strings.Contains(lower, "scriptblock") && len(args) > 0:
			out := args[0]
			out.code = true
			return out
		case strings.Contains(lower, "webrequest") && len(args) > 0: // its response is what the address sends
			r.h.URL(arg(0), false)
			return value{network: true}
		case isType && len(args) > 0:
			file(model.Write, arg(0), false)
		}
	case "move", "copy":
		if len(args) > 1 {
			file(map[bool]model.Op{true: model.Move, false: model.Read}[name == "move"], arg(0), false)
			file(model.Write, arg(1), false)
		}
	case "downloadstring", "downloaddata", "getstringasync", "getasync", "downloadstringtaskasync", "getbytearrayasync":
		r.h.URL(arg(0), false)
		return value{network: true}
	case "downloadfile", "downloadfileasync", "downloadfiletaskasync":
		r.h.URL(arg(0), false)
		p := r.h.Resolve(arg(1))
		r.h.File(model.File{Op: model.Write, Path: p, Code: true})
		r.h.Wrote(p, languages.Content{Network: true})
	case "uploadfile", "uploadstring", "uploaddata", "postasync", "putasync", "uploadvalues":
		r.h.URL(arg(0), true)
		if name == "uploadfile" && len(args) > 1 {
			file(model.Read, arg(len(args)-1), false)
		}
	case "new":
		return r.make(on.text, args, nil)
	case "connect", "connectasync", "beginconnect":
		r.dial(args)
	case "start", "shellexecute", "exec", "run":
		if name == "exec" || name == "run" {
			r.line(first(args))
		} else if len(args) > 0 || strings.HasSuffix(on.kind, "process") {
			var rest value
			if len(args) > 1 {
				rest = args[1]
			} else if len(args) == 0 {
				args = []value{on.fields["startinfo"]}
			}
			r.starts(args[0], rest)
		}
	case "invoke", "invokescript", "invokereturnasis", "addscript", "begininvoke":
		if len(args) > 0 {
			r.code(args[0])
		} else if len(on.list) > 0 && on.kind == "powershell" { // AddCommand and what follows
			r.run(asItems(on.list), value{})
		} else if !isType || on.code {
			r.code(on)
		}
	case "addcommand", "addparameter", "addargument":
		if name == "addparameter" && len(args) > 0 {
			args[0].text = "-" + args[0].text
		}
		if name == "addcommand" {
			on.list = nil
		}
		on.kind, on.list = "powershell", slices.Concat(on.list, args)
		return on
	case "open": // of WinHttpRequest and its like: the method, the address
		if len(args) > 1 && strings.Contains(args[1].text, "://") {
			r.h.URL(args[1].word(), strings.EqualFold(args[0].text, "post") || strings.EqualFold(args[0].text, "put"))
			r.fetched = true
		}
	case "getenvironmentvariable":
		if len(args) > 0 && args[0].known {
			return r.environment(args[0].text, args[0].text)
		}
	case "getfolderpath":
		if len(args) > 0 && args[0].known {
			return r.folder(args[0].text)
		}
	case "getenvironmentvariables":
		r.h.Env("*")
		r.h.Start([]model.Word{{Text: "get-childitem", Known: true}, {Text: "env:", Known: true}}, languages.Start{})
		return value{environ: "*", piped: true}
	case "getfiles", "getdirectories", "getfilesystementries", "enumeratefiles", "enumeratedirectories", "enumeratefilesystementries":
		if len(args) > 0 {
			return value{paths: r.listing("get-childitem", []model.Word{arg(0)})}
		}
	case "gettype":
		if len(args) > 0 && strings.Contains(strings.ToLower(args[0].text), "amsi") {
			r.h.Start([]model.Word{{Text: "set-mppreference", Known: true}, {Text: "-disablescriptscanning", Known: true}}, languages.Start{})
		}
		return r.text(name, on, args)
	case "getmethod": // what is found by its name is for being called
		if row := calls.Row(methods, "", strings.ToLower(first(args).text)); row != "" {
			r.apply(row, on, nil)
		}
	case "createinstance":
		if len(args) > 0 {
			return r.make(args[0].text, args[1:], nil)
		}
	case "createfromdirectory", "extracttodirectory":
		if len(args) > 1 {
			file(model.Read, arg(0), name == "createfromdirectory")
			file(model.Write, arg(1), name == "extracttodirectory")
		}
	default:
		for _, a := range args {
			if isLine(a) {
				r.line(a)
			}
		}
		return r.text(name, on, args)
	}
	return value{network: on.network}
}

// made lists the host that a new object connects to.
func (r *reader) made(kind string, args []value) {
	switch kind = strings.ToLower(kind); kind[strings.LastIndexByte(kind, '.')+1:] {
	case "tcpclient", "udpclient", "smtpclient":
		r.dial(args)
	}
}

// dial lists a connection to a host and a port, through which anything may be sent.
func (r *reader) dial(to []value) {
	if len(to) == 0 || to[0].text == "" {
		return
	}
	n := model.Net{Sends: true}
	if to[0].known {
		n.Host = strings.ToLower(to[0].text)
	}
	if len(to) > 1 && to[1].known {
		n.Port = to[1].text
	}
	r.h.Net(n)
}

// isLine reports whether a text is a command line of a shell: what a method that
// has no row is given.
func isLine(v value) bool {
	name, _, more := strings.Cut(v.text, " ")
	name = strings.TrimSuffix(strings.ToLower(name[strings.LastIndexAny(name, `\/`)+1:]), ".exe")
	return v.known && more && (name == "cmd" || name == "powershell" || name == "pwsh" || name == "mshta" || name == "rundll32")
}

// asItems are values as the words of a command.
func asItems(values []value) (out []item) {
	for _, v := range values {
		out = append(out, item{value: v, raw: v.text, bare: strings.HasPrefix(v.text, "-")})
	}
	return out
}

// first is the first argument, or nothing.
func first(args []value) value {
	if len(args) == 0 {
		return value{}
	}
	return args[0]
}

// connects notes an object that talks to a host: what is read from it comes from
// there.
func (r *reader) connects(kind string) {
	kind = strings.ToLower(kind)
	r.fetched = r.fetched || strings.Contains(kind, "tcpclient") || strings.Contains(kind, "udpclient") || strings.HasSuffix(kind, "socket") ||
		strings.Contains(kind, "sockets.socket") || strings.Contains(kind, "clientwebsocket") || strings.Contains(kind, "tcplistener")
}

// line runs a text as a command line.
func (r *reader) line(v value) {
	if words := split(v); len(words) > 0 {
		r.h.Start(words, languages.Start{})
	}
}

// text are the methods that make texts of texts.
func (r *reader) text(name string, on value, args []value) value {
	unknown := value{text: on.text, network: on.network, paths: on.paths, kind: on.kind, fields: on.fields}
	for _, a := range args {
		unknown.network = unknown.network || a.network
		if !a.known {
			return unknown
		}
	}
	switch {
	case name == "frombase64string" && len(args) == 1:
		if data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(args[0].text)); err == nil {
			return known(string(data))
		}
	case name == "tobase64string" && len(args) == 1:
		return known(base64.StdEncoding.EncodeToString([]byte(args[0].text)))
	case name == "getbytes" && len(args) == 1:
		if strings.Contains(strings.ToLower(on.text), "unicode") {
			return known(strings.Join(strings.SplitAfter(args[0].text, ""), "\x00") + "\x00")
		}
		return args[0]
	case name == "getstring" && len(args) > 0:
		if strings.Contains(strings.ToLower(on.text), "unicode") {
			return known(wide(args[0].text))
		}
		return args[0]
	case name == "replace" && len(args) == 2 && on.known && len(on.text)*(1+len(args[1].text)) <= maxText:
		return known(strings.ReplaceAll(on.text, args[0].text, args[1].text))
	case (name == "tolower" || name == "toupper" || name == "trim" || name == "tostring") && on.known:
		return known(on.text)
	case name == "concat":
		out := known("")
		for _, a := range args {
			out.join(a)
		}
		return out
	case name == "join" && len(args) > 1:
		all := value{known: true}
		for _, a := range args[1:] {
			all.list = append(all.list, a.all()...)
		}
		return r.combine(all, "-join", args[:1])
	case name == "tochararray" && on.known:
		return r.letters(on.text)
	case name == "split" && on.known && len(args) > 0:
		return r.combine(on, "-split", args[:1])
	case (name == "substring" || name == "remove") && on.known:
		return cut(name, on.text, args)
	case name == "insert" && on.known && len(args) == 2:
		if n, err := strconv.Atoi(args[0].text); err == nil && n >= 0 && n <= len(on.text) {
			return known(on.text[:n] + args[1].text + on.text[n:])
		}
	case name == "format" && len(args) > 0:
		return r.combine(args[0], "-f", args[1:])
	}
	return unknown
}

// cut is Substring(from, length), or what Remove leaves.
func cut(name, text string, args []value) value {
	from, to := 0, len(text)
	for n := range args {
		number, err := strconv.Atoi(args[n].text)
		if err != nil || number < 0 || n > 1 {
			return value{text: text}
		}
		if n == 0 {
			from = min(number, len(text))
		} else {
			to = min(from+number, len(text))
		}
	}
	if name == "remove" {
		return known(text[:from] + text[to:])
	}
	return known(text[from:to])
}

// wide decodes text of two bytes a letter.
func wide(data string) string {
	var units []uint16
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, uint16(data[i])|uint16(data[i+1])<<8)
	}
	return string(utf16.Decode(units))
}
