package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// perlCall lists what a call in Perl does.
func perlCall(w *walker, ref string, recv *thing, a *callArgs) (thing, bool) {
	if at := strings.LastIndexByte(ref, '#'); at >= 0 {
		return perlMethod(w, ref[at+1:], recv, a)
	}
	args := flat(a.list)
	switch ref {
	case "unlink", "rmdir", "CORE.unlink", "CORE.rmdir":
		if len(args) == 0 && !a.given(0) {
			args = []thing{w.self}
		}
		for _, t := range args {
			w.file(model.File{Op: model.Delete}, t)
		}
	case "rmtree", "remove_tree", "File.Path.rmtree", "File.Path.remove_tree", "File.Remove.remove":
		for _, t := range args {
			if t.kind != numberThing && len(t.fields) == 0 {
				w.file(model.File{Op: model.Delete, Tree: true}, t)
			}
		}
	case "rename", "move", "File.Copy.move", "CORE.rename":
		w.two(model.Move, a.at(0), a.at(1), true)
	case "copy", "cp", "File.Copy.copy", "File.Copy.cp":
		w.two(model.Read, a.at(0), a.at(1), false)
	case "link", "symlink":
		w.two(model.Link, a.at(0), a.at(1), false)
	case "chmod", "chown", "utime":
		from := 1
		if ref != "chmod" {
			from = 2
		}
		for i, t := range args {
			if i >= from {
				w.file(model.File{Op: model.Mode}, t)
			}
		}
	case "truncate":
		if a.at(0).kind == textThing {
			w.file(model.File{Op: model.Write}, a.at(0))
		}
	case "mkdir", "mkpath", "make_path", "File.Path.make_path", "File.Path.mkpath":
		w.file(model.File{Op: model.Write, Append: true}, a.at(0))
	case "open", "CORE.open":
		return perlOpen(w, a), true
	case "sysopen":
		w.file(model.File{Op: model.Write, Append: true}, a.at(1))
	case "opendir":
		w.file(model.File{Op: model.Search}, a.at(1))
	case "readdir":
		return thing{kind: textThing, text: "*", glob: true}, true
	case "glob", "CORE.glob", "bsd_glob":
		p := a.at(0)
		p.glob = true
		return w.expandUser(p), true
	case "read_file", "File.Slurp.read_file":
		w.file(model.File{Op: model.Read}, a.at(0))
	case "write_file", "File.Slurp.write_file":
		w.file(model.File{Op: model.Write}, a.at(0))
	case "tie":
		w.file(model.File{Op: model.Write, Append: true}, a.at(2))
	case "find", "finddepth", "File.Find.find", "File.Find.finddepth":
		for i, t := range args {
			if i > 0 {
				w.file(model.File{Op: model.Search, Tree: true}, t)
			}
		}
	case "chdir":
		w.chdir(a.at(0))
	case "getcwd", "cwd", "Cwd.getcwd", "Cwd.cwd":
		return w.here(), true
	case "system", "exec", "CORE.system", "CORE.exec", "readpipe", "qx", "capture", "run", "IPC.System.Simple.system", "POSIX.system":
		if ref == "run" && a.at(0).kind == unknownThing {
			return thing{}, false
		}
		if w.socket {
			served(w)
		}
		if len(args) == 1 {
			w.shell(args[0])
		} else {
			w.spawn(args, *a)
		}
		return thing{}, true
	case "open2", "open3", "IPC.Open2.open2", "IPC.Open3.open3":
		from := map[bool]int{true: 2, false: 3}[strings.HasSuffix(ref, "2")]
		if len(a.list) > from+1 {
			w.spawn(a.list[from:], *a)
		} else if len(a.list) > from {
			w.shell(a.list[from])
		}
	case "eval":
		w.eval("perl", a.at(0))
	case "do", "require":
		if p := a.at(0); p.kind == textThing {
			for _, word := range w.words(p) {
				w.RunFile("perl", word)
			}
		}
	case "pack":
		if len(args) > 0 {
			return packed(args[0], args[1:]), true
		}
	case "decode_base64", "MIME.Base64.decode_base64", "decode_base64url":
		return decodeArg("base64", a.at(0)), true
	case "join":
		if len(args) > 0 && args[0].kind == textThing {
			return joinText(thing{kind: listThing, list: args[1:]}, args[0].text), true
		}
	case "reverse":
		if len(args) == 1 && args[0].kind == textThing {
			return known(reversed(args[0].text)), true
		}
		return thing{kind: listThing, list: args}, true
	case "chr":
		return characters(args), true
	case "sprintf":
		if len(args) > 0 {
			return sprintf(args[0], args[1:]), true
		}
	case "lc", "uc":
		if t := a.at(0); t.kind == textThing {
			return known(map[bool]string{true: strings.ToLower(t.text), false: strings.ToUpper(t.text)}[ref == "lc"]), true
		}
	case "catfile", "catdir", "File.Spec.catfile", "File.Spec.catdir":
		return joinRelative(args), true
	case "get", "getprint", "getstore", "head", "mirror", "LWP.Simple.get", "LWP.Simple.getstore", "LWP.Simple.getprint":
		if u := a.at(0); u.kind == textThing && strings.Contains(u.text, "://") {
			out := w.visit(u, false)
			if (strings.HasSuffix(ref, "getstore") || ref == "mirror") && len(args) > 1 {
				w.filled(args[1], thing{net: true})
			}
			return out, true
		}
		return thing{}, false
	case "connect":
		if !w.socket {
			w.dial(thing{}, thing{}, false)
		}
	case "sockaddr_in", "pack_sockaddr_in":
		host := a.at(1)
		w.dial(host, a.at(0), false)
		return thing{}, true
	case "inet_aton":
		return a.at(0), true
	case "IO.Socket.INET", "IO.Socket.INET.new", "IO.Socket.IP.new", "IO.Socket.INET6.new", "IO.Socket.SSL.new":
		return perlSocket(w, args), true
	case "LWP.UserAgent.new", "HTTP.Tiny.new", "Mojo.UserAgent.new":
		return thing{kind: objectThing, ref: "client"}, true
	case "shift":
		if v := w.vars["@ARGV"]; !a.given(0) && len(v.list) > 0 {
			return v.element(), true
		}
		return a.at(0).element(), true
	case "push", "unshift":
		return thing{}, true
	default:
		return thing{}, false
	}
	return thing{}, true
}

// flat puts lists within a list into it, as Perl does.
func flat(list []thing) []thing {
	var out []thing
	for _, t := range list {
		if t.kind == listThing {
			out = append(out, t.list...)
		} else {
			out = append(out, t)
		}
		if len(out) > maxList {
			break
		}
	}
	return out
}

// perlOpen is open in two or three arguments.
func perlOpen(w *walker, a *callArgs) thing {
	how := a.at(1)
	if len(a.list) == 2 {
		if how.kind != textThing {
			w.file(model.File{Op: model.Read}, how)
			return thing{}
		}
		text := strings.TrimSpace(how.text)
		name := thing{kind: textThing, glob: how.glob, src: how.src, text: strings.TrimLeft(text, "+<> ")}
		switch {
		case strings.HasPrefix(text, "|"):
			w.shell(known(text[1:]))
		case strings.HasSuffix(text, "|"):
			w.shell(known(text[:len(text)-1]))
		case strings.HasPrefix(text, ">&"):
			w.shellOnSocket()
		case strings.HasPrefix(text, ">>"):
			w.file(model.File{Op: model.Write, Append: true}, name)
		case strings.HasPrefix(text, ">"), strings.HasPrefix(text, "+>"):
			w.file(model.File{Op: model.Write}, name)
		case strings.HasPrefix(text, "+<"):
			w.file(model.File{Op: model.Write, Append: true}, name)
		default:
			w.file(model.File{Op: model.Read}, name)
		}
		return thing{}
	}
	name := a.at(2)
	switch text := strings.TrimSpace(how.text); {
	case strings.Contains(text, "|"):
		if len(a.list) > 3 {
			w.spawn(a.list[2:], *a)
		} else {
			w.shell(name)
		}
	case strings.HasPrefix(text, ">&"), strings.HasPrefix(text, "<&"):
		w.shellOnSocket()
	case strings.HasPrefix(text, ">>"), strings.HasPrefix(text, "+<"):
		w.file(model.File{Op: model.Write, Append: true}, name)
	case strings.Contains(text, ">"):
		w.file(model.File{Op: model.Write}, name)
	case len(a.list) > 2:
		w.file(model.File{Op: model.Read}, name)
	}
	return thing{}
}

// perlMethod is a method of an object or a class.
func perlMethod(w *walker, name string, recv *thing, a *callArgs) (thing, bool) {
	switch name {
	case "get", "post", "put", "post_form", "request", "mirror":
		if u := a.at(0); u.kind == textThing && strings.Contains(u.text, "://") {
			out := w.visit(u, name != "get" && name != "mirror")
			if name == "mirror" {
				w.filled(a.at(1), thing{net: true})
			}
			return out, true
		}
	}
	return thing{}, false
}

// perlSocket is IO::Socket::INET->new(PeerAddr => "host:port").
func perlSocket(w *walker, args []thing) thing {
	var host, port thing
	listens := false
	if len(args) == 1 {
		host = args[0]
	}
	for i := 0; i+1 < len(args); i += 2 {
		name := args[i].ref
		if name == "" {
			name = args[i].text
		}
		switch name {
		case "PeerAddr", "PeerHost":
			host = args[i+1]
		case "PeerPort", "LocalPort":
			port = args[i+1]
			listens = listens || name == "LocalPort"
		case "Listen":
			listens = true
		}
	}
	if h, p, ok := strings.Cut(host.text, ":"); ok {
		host.text, port = h, known(p)
	}
	return w.dial(host, port, listens)
}
