package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// rubyCall lists what a call in Ruby does.
func rubyCall(w *walker, ref string, recv *thing, a *callArgs) (thing, bool) {
	if at := strings.IndexByte(ref, '#'); at >= 0 {
		return rubyMethod(w, ref[:at], ref[at+1:], recv, a)
	}
	ref = strings.TrimPrefix(strings.TrimSuffix(ref, ".call"), "Kernel.")
	switch ref {
	case "File.delete", "File.unlink", "FileUtils.rm", "FileUtils.rm_f", "FileUtils.remove", "FileUtils.safe_unlink", "Dir.rmdir",
		"Dir.delete", "Dir.unlink", "FileUtils.rmdir":
		for _, t := range a.list {
			w.file(model.File{Op: model.Delete}, t)
		}
	case "FileUtils.rm_rf", "FileUtils.rm_r", "FileUtils.remove_dir", "FileUtils.remove_entry", "FileUtils.remove_entry_secure",
		"FileUtils.rmtree", "FileUtils.remove_file":
		w.file(model.File{Op: model.Delete, Tree: true}, a.at(0))
	case "rm_rf", "rm_r", "rm", "rm_f", "remove_dir":
		w.file(model.File{Op: model.Delete, Tree: ref != "rm" && ref != "rm_f"}, a.at(0))
	case "File.write", "IO.write", "File.binwrite":
		w.filled(a.at(0), a.at(1))
	case "File.open", "File.new", "open", "IO.open", "URI.open":
		name := a.at(0)
		if command, ok := strings.CutPrefix(name.text, "|"); ok && name.kind == textThing {
			w.shell(known(command))
			break
		}
		if ref == "URI.open" || strings.Contains(name.text, "://") {
			return w.visit(name, false), true
		}
		return pythonOpen(w, name, a.at(1, "mode"), a.given(1, "mode")), true
	case "File.read", "IO.read", "File.readlines", "File.foreach", "IO.readlines", "File.binread", "YAML.load_file", "JSON.load_file":
		w.file(model.File{Op: model.Read}, a.at(0))
		if p := a.at(0); p.plain() {
			return thing{kind: contentThing, text: p.text}, true
		}
	case "File.rename", "FileUtils.mv", "FileUtils.move":
		w.two(model.Move, a.at(0), a.at(1), true)
	case "FileUtils.cp", "FileUtils.copy", "FileUtils.copy_file", "FileUtils.install", "IO.copy_stream":
		w.two(model.Read, a.at(0), a.at(1), false)
	case "FileUtils.cp_r", "FileUtils.copy_entry":
		w.two(model.Read, a.at(0), a.at(1), true)
	case "File.symlink", "File.link", "FileUtils.ln", "FileUtils.ln_s", "FileUtils.ln_sf", "FileUtils.symlink":
		w.two(model.Link, a.at(0), a.at(1), false)
	case "File.chmod", "FileUtils.chmod", "File.chown", "FileUtils.chown", "FileUtils.chmod_R", "FileUtils.chown_R", "File.lchmod":
		for i, t := range a.list {
			if i > 0 && (t.kind != numberThing && t.ref != "nil") && !(strings.Contains(ref, "chown") && i < 2) {
				w.file(model.File{Op: model.Mode, Tree: strings.HasSuffix(ref, "_R")}, t)
			}
		}
	case "File.truncate":
		w.file(model.File{Op: model.Write}, a.at(0))
	case "FileUtils.touch", "FileUtils.mkdir", "FileUtils.mkdir_p", "Dir.mkdir", "FileUtils.mkpath", "FileUtils.makedirs":
		w.file(model.File{Op: model.Write, Append: true}, a.at(0))
	case "Dir.glob", "Dir.each_child", "Dir.children", "Dir.entries", "Dir.foreach", "Pathname.glob":
		p := a.at(0)
		if ref != "Dir.glob" && ref != "Pathname.glob" {
			w.file(model.File{Op: model.Search}, p)
			return thing{kind: textThing, text: "*", glob: true}, true
		}
		p.glob = true
		return p, true
	case "Dir.home":
		return w.homeDir(), true
	case "Dir.pwd", "Dir.getwd":
		return w.here(), true
	case "Dir.chdir":
		w.chdir(a.at(0))
	case "File.join":
		return joinRelative(a.list), true
	case "File.expand_path":
		p := w.expandUser(a.at(0))
		if a.given(1) {
			return joinPath([]thing{a.at(1), p}), true
		}
		return p, true
	case "File.realpath", "File.absolute_path", "String", "Array", "Shellwords.escape":
		return a.at(0), true
	case "Pathname", "Pathname.new":
		v := pathObject(a.at(0))
		return v, true
	case "ENV.fetch":
		if key := a.at(0); key.kind == textThing {
			return w.variable(key.text), true
		}
	case "ENV.to_h", "ENV.to_a", "ENV.each", "ENV.map", "ENV.inspect", "ENV.values":
		return w.environment(), true

	case "system", "exec", "spawn", "IO.popen", "Process.spawn", "Process.exec", "Open3.capture3", "Open3.capture2", "Open3.capture2e",
		"Open3.popen3", "Open3.popen2", "Open3.popen2e", "PTY.spawn", "sh", "POSIX.Spawn.spawn", "Open3.pipeline":
		list := a.list
		if len(list) > 0 && list[0].kind == unknownThing && len(list[0].fields) > 0 {
			list = list[1:] // the environment
		}
		if w.socket {
			served(w)
		}
		switch {
		case len(list) == 1:
			w.shell(list[0])
		case len(list) > 1 && ref == "IO.popen":
			w.shell(list[0])
		case len(list) > 1:
			w.spawn(list, *a)
		}
		return thing{kind: objectThing, ref: "process"}, true
	case "eval", "instance_eval", "class_eval", "Object.class_eval", "RubyVM.InstructionSequence.compile", "binding.eval", "module_eval":
		w.eval("ruby", a.at(0))
	case "load", "require", "require_relative":
		if p := a.at(0); p.kind == textThing && (strings.HasPrefix(p.text, "/") || strings.HasPrefix(p.text, ".") || ref != "require") {
			for _, word := range w.words(p) {
				w.RunFile("ruby", word)
			}
		}
	case "send", "public_send", "__send__":
		return rubySend(w, "", a), true
	case "method", "Object.method":
		if m := a.at(0); m.kind == textThing {
			return named(m.text), true
		}
	case "Object.const_get", "Kernel.const_get", "const_get":
		if m := a.at(0); m.kind == textThing {
			return named(m.text), true
		}
		w.doubtCode(a.at(0).src)
	case "Base64.decode64", "Base64.strict_decode64", "Base64.urlsafe_decode64":
		return decodeArg("base64", a.at(0)), true

	case "TCPSocket.new", "TCPSocket.open", "Socket.tcp", "UDPSocket.new", "OpenSSL.SSL.SSLSocket.new":
		return w.dial(a.at(0), a.at(1), false), true
	case "TCPServer.new", "TCPServer.open":
		return w.dial(thing{}, a.at(len(a.list)-1), true), true
	case "Net.HTTP.get", "Net.HTTP.get_response", "Net.HTTP.get_print", "Net.HTTP.post", "Net.HTTP.post_form", "Net.HTTP.start",
		"Net.HTTP.new", "HTTParty.get", "HTTParty.post", "RestClient.get", "RestClient.post", "Faraday.get", "Faraday.post", "Excon.get",
		"HTTP.get", "HTTP.post":
		return w.visit(a.at(0), strings.Contains(ref, "post")), true
	case "URI", "URI.parse", "URI.join":
		v := a.at(0)
		if v.kind == textThing {
			return thing{kind: objectThing, ref: "url", text: v.text}, true
		}
		return v, true
	default:
		return thing{}, false
	}
	return thing{}, true
}

// rubySend is a call by name: Kernel.send(:system, "ls").
func rubySend(w *walker, object string, a *callArgs) thing {
	name := a.at(0)
	if name.kind != textThing {
		w.doubtCode("send " + name.src)
		return thing{}
	}
	ref := name.text
	if object != "" {
		ref = object + "." + ref
	}
	out, _ := rubyCall(w, ref, nil, &callArgs{list: a.list[1:], named: a.named})
	return out
}

// rubyMethod is a method of a value of some type.
func rubyMethod(w *walker, kind, name string, recv *thing, a *callArgs) (thing, bool) {
	switch name {
	case "send", "public_send", "__send__":
		return rubySend(w, "", a), true
	case "call", "()":
		return thing{}, true
	case "read", "body", "string":
		if recv != nil {
			return *recv, true
		}
	case "delete", "unlink", "rmtree", "rmdir":
		if kind == "Path" {
			w.file(model.File{Op: model.Delete, Tree: name == "rmtree"}, *recv)
			return thing{}, true
		}
	case "write", "binwrite":
		if kind == "Path" {
			w.filled(*recv, a.at(0))
			return thing{}, true
		}
	case "join", "+", "/":
		if kind == "Path" {
			return pathObject(joinPath(append([]thing{*recv}, a.list...))), true
		}
	case "each", "map", "select", "reject", "each_entry", "children", "glob", "to_a", "sort", "each_with_index":
		if recv != nil {
			return *recv, true
		}
	}
	return thing{}, false
}
