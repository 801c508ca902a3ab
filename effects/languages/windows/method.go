package windows

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/trammel-dev/trammel/effects/languages"
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
			if len(v.list) >= maxList {
				r.h.Doubt("size", "a list")
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
		case "-f", "-replace", "-creplace", "-ireplace", "-join", "-split":
			rest := value{known: true}
			if n+1 < len(items) {
				rest = r.expression(items[n+1:], value{})
			}
			return r.combine(v, op, rest.all())
		default:
			v = value{text: joined(items), network: v.network, paths: v.paths}
		}
	}
	return v
}

// operandOf is the value of one item; a type in front of it ([char]105) is
// applied.
func (r *reader) operandOf(i *item) value {
	if i.block {
		return value{text: i.raw, known: true}
	}
	if number, ok := strings.CutPrefix(strings.ToLower(i.text), "[char]"); ok {
		if n, err := strconv.ParseInt(strings.TrimSpace(number), 0, 32); err == nil {
			return known(string(rune(n)))
		}
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
	isType := strings.HasPrefix(on.text, "[")
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
		case strings.Contains(lower, "win32_process") && len(args) > 0, strings.Contains(lower, "wmiclass") && len(args) > 0:
			r.line(args[0])
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
		r.connects(on.text)
		r.made(strings.Trim(on.text, "[]"), args)
		return value{text: on.text, network: len(args) > 0 && args[0].network} // a reader of what an address sends
	case "tcpclient", "udpclient", "smtpclient": // New-Object Net.Sockets.TcpClient(…)
		r.connects(name)
		r.dial(args)
	case "connect", "connectasync", "beginconnect":
		r.dial(args)
	case "start", "shellexecute", "exec", "run":
		if len(args) > 0 {
			words := []model.Word{args[0].word()}
			for _, a := range args[1:] {
				words = append(words, split(a)...)
			}
			if name == "exec" || name == "run" {
				r.line(args[0])
			} else {
				r.h.Start(words, languages.Start{})
			}
		}
	case "invoke", "invokescript", "invokereturnasis", "addscript", "begininvoke":
		if len(args) > 0 {
			r.code(args[0])
		} else if !isType {
			r.code(on)
		}
	case "open": // of WinHttpRequest and its like: the method, the address
		if len(args) > 1 && strings.Contains(args[1].text, "://") {
			r.h.URL(args[1].word(), strings.EqualFold(args[0].text, "post") || strings.EqualFold(args[0].text, "put"))
			r.fetched = true
		}
	case "load", "loadfrom", "loadfile", "virtualalloc", "getdelegateforfunctionpointer":
		if len(args) > 0 && (args[0].network || strings.Contains(args[0].text, "://")) {
			if strings.Contains(args[0].text, "://") {
				r.h.URL(args[0].word(), false)
			}
			r.h.Code(model.Code{Language: PowerShell, Origin: model.Network})
			break
		}
		r.h.Code(model.Code{Language: PowerShell, Text: on.text, Origin: model.Inline})
		r.h.Doubt("code", on.text)
	case "getenvironmentvariable":
		if len(args) > 0 && args[0].known {
			return r.environment(args[0].text, args[0].text)
		}
	case "getenvironmentvariables":
		r.h.Env("*")
		r.h.Start([]model.Word{{Text: "get-childitem", Known: true}, {Text: "env:", Known: true}}, languages.Start{})
		return value{environ: "*", piped: true}
	case "getfiles", "getdirectories", "getfilesystementries", "enumeratefiles", "enumeratedirectories", "enumeratefilesystementries":
		if len(args) > 0 {
			return value{paths: r.listing("get-childitem", []model.Word{arg(0)})}
		}
	case "executeshellcommand": // of MMC20.Application: the program, its directory, its arguments
		if len(args) > 2 {
			r.h.Start(append([]model.Word{args[0].word()}, split(args[2])...), languages.Start{})
		}
	case "createshortcut":
		if len(args) > 0 {
			file(model.Write, arg(0), false)
		}
	case "createfromdirectory", "extracttodirectory":
		if len(args) > 1 {
			file(model.Read, arg(0), name == "createfromdirectory")
			file(model.Write, arg(1), name == "extracttodirectory")
		}
	default:
		r.connects(name) // New-Object Net.Sockets.TCPClient('host', 1)
		if words := asCmdlet(name, strings.ToLower(on.text), args); words != nil {
			r.h.Start(words, languages.Start{})
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

// asCmdlet returns the cmdlet that does the same as a method of .NET, if there is
// one whose row says more than that code runs.
func asCmdlet(name, on string, args []value) []model.Word {
	words := func(texts ...string) (out []model.Word) {
		for _, text := range texts {
			out = append(out, model.Word{Text: text, Known: true})
		}
		return out
	}
	switch name {
	case "securestringtobstr", "securestringtoglobalallocunicode", "securestringtoglobalallocansi", "securestringtocotaskmemunicode",
		"securestringtocotaskmemansi", "getnetworkcredential", "unprotect", "retrievepassword":
		return words("convertfrom-securestring", "-asplaintext")
	case "copyfromscreen":
		return words("get-timedscreenshot")
	case "getasynckeystate", "getkeyboardstate", "setwindowshookex", "setwindowshookexa", "setwindowshookexw":
		return words("get-keystrokes")
	case "gettext", "getdata", "getdataobject", "getimage", "getfiledroplist":
		if strings.Contains(on, "clipboard") {
			return words("get-clipboard")
		}
	case "clear", "clearlog":
		if strings.Contains(on, "eventlog") {
			return words("clear-eventlog")
		}
	case "setvalue":
		if strings.Contains(on, "registry") && len(args) > 0 {
			return append(words("set-itemproperty"), args[0].word())
		}
	case "gettype":
		if len(args) > 0 && strings.Contains(strings.ToLower(args[0].text), "amsi") {
			return words("set-mppreference", "-disablescriptscanning")
		}
	}
	return nil
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
	unknown := value{text: on.text, network: on.network, paths: on.paths}
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
	case name == "format" && len(args) > 0:
		return r.combine(args[0], "-f", args[1:])
	}
	return unknown
}

// wide decodes text of two bytes a letter.
func wide(data string) string {
	var units []uint16
	for i := 0; i+1 < len(data); i += 2 {
		units = append(units, uint16(data[i])|uint16(data[i+1])<<8)
	}
	return string(utf16.Decode(units))
}
