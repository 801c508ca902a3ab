package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// phpCall lists what a call in PHP does.
func phpCall(w *walker, ref string, recv *thing, a *callArgs) (thing, bool) {
	if strings.Contains(ref, "#") {
		return thing{}, false
	}
	ref = strings.TrimPrefix(ref, "\\")
	switch ref {
	case "unlink", "rmdir":
		w.file(model.File{Op: model.Delete}, a.at(0))
	case "file_put_contents":
		if strings.Contains(strings.ToUpper(a.at(2).src), "APPEND") {
			w.file(model.File{Op: model.Write, Append: true}, a.at(0))
		} else {
			w.filled(a.at(0), a.at(1))
		}
	case "fopen", "gzopen", "splfileobject":
		if u := a.at(0); u.kind == textThing && strings.Contains(u.text, "://") && !strings.HasPrefix(u.text, "file://") &&
			!strings.HasPrefix(u.text, "php://") {
			return w.visit(u, false), true
		}
		return pythonOpen(w, a.at(0), a.at(1), a.given(1)), true
	case "file_get_contents", "readfile", "file", "parse_ini_file", "highlight_file", "show_source", "simplexml_load_file", "copy",
		"hash_file", "md5_file":
		u := a.at(0)
		if (u.kind == textThing || u.kind == partThing) && strings.Contains(u.text, "://") && !strings.HasPrefix(u.text, "file://") {
			if strings.HasPrefix(u.text, "php://") {
				return thing{}, true
			}
			out := w.visit(u, a.given(2))
			if ref == "copy" {
				w.filled(a.at(1), thing{net: true})
			}
			return out, true
		}
		if ref == "copy" {
			w.two(model.Read, u, a.at(1), false)
			break
		}
		w.file(model.File{Op: model.Read}, u)
		if u.plain() {
			return thing{kind: contentThing, text: u.text}, true
		}
	case "rename", "move_uploaded_file":
		w.two(model.Move, a.at(0), a.at(1), true)
	case "symlink", "link":
		w.two(model.Link, a.at(0), a.at(1), false)
	case "chmod", "chown", "chgrp", "lchown":
		w.file(model.File{Op: model.Mode}, a.at(0))
	case "touch", "mkdir", "tempnam":
		w.file(model.File{Op: model.Write, Append: true}, a.at(0))
	case "scandir", "opendir":
		w.file(model.File{Op: model.Search}, a.at(0))
		return thing{kind: textThing, text: "*", glob: true}, true
	case "glob":
		p := a.at(0)
		p.glob = true
		return p, true
	case "chdir":
		w.chdir(a.at(0))
	case "getcwd":
		return w.here(), true
	case "getenv", "env":
		if key := a.at(0); key.kind == textThing {
			return w.variable(key.text), true
		}
		return w.environment(), true
	case "exec", "shell_exec", "system", "passthru", "popen", "proc_open", "pcntl_exec":
		if w.socket {
			served(w)
		}
		if ref == "pcntl_exec" && a.at(1).kind == listThing {
			w.spawn(append([]thing{a.at(0)}, a.at(1).list...), *a)
			break
		}
		w.shell(a.at(0))
		return thing{}, true
	case "eval", "assert", "create_function":
		code := a.at(0)
		if ref == "create_function" {
			code = a.at(1)
		}
		if ref == "assert" && code.kind != textThing {
			break
		}
		w.eval("php", code)
	case "include", "require", "include_once", "require_once":
		if u := a.at(0); u.kind == textThing && strings.Contains(u.text, "://") {
			w.visit(u, false)
			w.Code(model.Code{Language: "php", Origin: model.Network})
			break
		}
		for _, word := range w.words(a.at(0)) {
			w.RunFile("php", word)
		}
	case "call_user_func", "call_user_func_array", "array_map", "array_walk", "array_filter", "usort", "register_shutdown_function",
		"iterator_apply":
		f, rest := a.at(0), a.list[min(1, len(a.list)):]
		if ref == "array_walk" || ref == "array_filter" {
			f, rest = a.at(1), a.list[:min(1, len(a.list))]
		}
		if f.kind == textThing {
			if (ref == "call_user_func_array" || ref == "array_map" || ref == "array_walk" || ref == "array_filter") && len(rest) > 0 {
				if ref == "call_user_func_array" && rest[0].kind == listThing {
					rest = rest[0].list
				} else {
					rest = []thing{rest[0].element()}
				}
			}
			return w.invoke(named(strings.ToLower(f.text)), callArgs{list: rest}), true
		}
	case "base64_decode":
		return decodeArg("base64", a.at(0)), true
	case "hex2bin":
		return decodeArg("hex", a.at(0)), true
	case "str_rot13":
		return decodeArg("rot13", a.at(0)), true
	case "urldecode", "rawurldecode":
		return decodeArg("percent", a.at(0)), true
	case "strrev":
		if t := a.at(0); t.kind == textThing {
			return known(reversed(t.text)), true
		}
	case "chr":
		return characters(a.list), true
	case "implode", "join":
		if sep := a.at(0); sep.kind == textThing {
			return joinText(a.at(1), sep.text), true
		}
	case "sprintf":
		if len(a.list) > 0 {
			return sprintf(a.list[0], a.list[1:]), true
		}
	case "str_replace":
		from, to, in := a.at(0), a.at(1), a.at(2)
		if from.kind == textThing && to.kind == textThing && in.kind == textThing && from.text != "" && len(in.text)*(len(to.text)+
			1) < maxString {
			return known(strings.ReplaceAll(in.text, from.text, to.text)), true
		}
	case "trim", "strval", "escapeshellarg", "escapeshellcmd", "realpath", "array":
		if ref == "array" {
			return thing{kind: listThing, list: a.list}, true
		}
		return a.at(0), true
	case "strtolower":
		if t := a.at(0); t.kind == textThing {
			return known(strings.ToLower(t.text)), true
		}
	case "fsockopen", "pfsockopen", "stream_socket_client":
		host := a.at(0)
		if _, rest, ok := strings.Cut(host.text, "://"); ok {
			host.text = rest
		}
		if ref == "stream_socket_client" {
			h, port, _ := strings.Cut(host.text, ":")
			host.text = h
			return w.dial(host, known(port), false), true
		}
		return w.dial(host, a.at(1), false), true
	case "curl_init":
		if a.given(0) {
			return w.visit(a.at(0), false), true
		}
	case "curl_setopt":
		switch opt := strings.ToUpper(a.at(1).src); {
		case strings.Contains(opt, "CURLOPT_URL"):
			w.visit(a.at(2), false)
		case strings.Contains(opt, "POSTFIELDS"):
			w.Net(model.Net{Sends: true})
		}
	default:
		return thing{}, false
	}
	return thing{}, true
}
