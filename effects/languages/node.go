package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// nodeImport reads import x from 'm', import {a as b} from 'm', import * as m.
func (w *walker) nodeImport() {
	w.i++
	start := w.i
	for w.i < start+64 && w.tokens[w.i].kind != textToken {
		if t := &w.tokens[w.i]; t.kind == endToken || t.is(";") || t.is("(") {
			return
		}
		w.i++
	}
	module := nodeModule(w.tokens[w.i].text)
	end := w.i
	w.i++
	braces := false
	for i := start; i < end; i++ {
		t := &w.tokens[i]
		switch {
		case t.is("{"):
			braces = true
		case t.is("}"):
			braces = false
		case t.kind != nameToken || t.text == "from" || t.text == "as" || t.text == "type":
		case braces:
			local := t.text
			if i+2 < end && w.tokens[i+1].named("as") {
				local = w.tokens[i+2].text
				w.set(local, named(module+"."+t.text))
				i += 2
				continue
			}
			w.set(local, named(module+"."+t.text))
		default:
			w.set(t.text, named(module))
		}
	}
}

// nodeModule is the name of a module without the ways to write it.
func nodeModule(name string) string {
	name = strings.TrimPrefix(name, "node:")
	switch name {
	case "fs/promises", "fs-extra", "graceful-fs", "memfs", "original-fs":
		return "fs"
	case "path/posix":
		return "path"
	case "node-fetch", "cross-fetch", "isomorphic-fetch":
		return "fetch"
	case "cross-spawn":
		return "child_process.spawn"
	}
	return name
}

// objectPattern reads {a, b: c} = value. It reports false, and stays, if it is
// something else.
func (w *walker) objectPattern() bool {
	if !w.tok().is("{") {
		return false
	}
	type pair struct{ from, to string }
	var pairs []pair
	i := w.i + 1
	for ; i < len(w.tokens) && i < w.i+128 && !w.tokens[i].is("}"); i++ {
		t := &w.tokens[i]
		if t.kind != nameToken {
			continue
		}
		p := pair{t.text, t.text}
		if i+2 < len(w.tokens) && w.tokens[i+1].is(":") && w.tokens[i+2].kind == nameToken {
			p.to = w.tokens[i+2].text
			i += 2
		}
		pairs = append(pairs, p)
	}
	if i+1 >= len(w.tokens) || !w.tokens[i].is("}") || !w.tokens[i+1].is("=") {
		return false
	}
	w.i = i + 2
	value := w.expr()
	for _, p := range pairs {
		w.set(p.to, w.member(value, p.from))
	}
	return true
}

// nodeCall lists what a call in JavaScript does.
func nodeCall(w *walker, ref string, recv *thing, a *callArgs) (thing, bool) {
	if at := strings.IndexByte(ref, '#'); at >= 0 {
		return nodeMethod(w, ref[:at], ref[at+1:], recv, a)
	}
	if strings.HasSuffix(ref, ".require") || ref == "require" || ref == "import" {
		if m := a.at(0); m.kind == textThing {
			if strings.HasPrefix(m.text, ".") || strings.HasPrefix(m.text, "/") {
				w.file(model.File{Op: model.Read}, m)
				return thing{kind: contentThing, text: m.text}, true
			}
			if strings.HasPrefix(m.text, "data:") {
				w.doubtCode(m.text)
			}
			return named(nodeModule(m.text)), true
		}
		w.doubtCode("require " + a.at(0).src)
		return thing{}, true
	}
	if base, ok := strings.CutSuffix(ref, ".bind"); ok {
		return named(base), true
	}
	switch ref { // names that can only be meant in one way
	case "execSync", "spawnSync", "execFileSync":
		ref = "child_process." + ref
	case "unlinkSync", "rmSync", "rmdirSync", "writeFileSync", "appendFileSync", "renameSync", "readFileSync":
		ref = "fs." + ref
	}
	name := ref
	if module, f, ok := strings.Cut(ref, "."); ok && (module == "fs" || module == "child_process" || module == "Deno" || module == "Bun") {
		f = strings.TrimPrefix(f, "promises.")
		if f != "Sync" && module != "Bun" {
			f = strings.TrimSuffix(f, "Sync")
		}
		name = module + "." + f
	}
	switch name {
	case "fs.unlink", "fs.rmdir", "fs.rm", "fs.remove", "Deno.remove", "rimraf", "rimraf.sync", "del", "del.deleteAsync", "fs.emptyDir",
		"fs.rimraf", "rimraf.rimraf", "del.sync", "trash":
		tree := a.on("recursive") || name == "fs.remove" || strings.HasPrefix(name, "rimraf") || strings.HasPrefix(name, "del") ||
			name == "fs.emptyDir" || name == "trash"
		t := a.at(0)
		if strings.HasPrefix(name, "rimraf") || strings.HasPrefix(name, "del") {
			t.glob = t.glob || strings.ContainsAny(t.text, "*?")
		}
		w.file(model.File{Op: model.Delete, Tree: tree}, t)
	case "fs.writeFile", "fs.outputFile", "fs.writeJson", "fs.outputJson", "Deno.writeTextFile", "Deno.writeFile", "Bun.write", "fs.writeJSON":
		w.filled(a.at(0), a.at(1))
	case "fs.createWriteStream", "Deno.create":
		w.file(model.File{Op: model.Write, Append: strings.HasPrefix(optionText(a, "flags"), "a")}, a.at(0))
		return thing{kind: objectThing, ref: "file", text: a.at(0).text}, true
	case "fs.appendFile", "fs.mkdir", "fs.mkdtemp", "fs.utimes", "fs.ensureDir", "fs.ensureFile", "Deno.mkdir", "fs.mkdirp":
		w.file(model.File{Op: model.Write, Append: true}, a.at(0))
	case "fs.truncate", "Deno.truncate":
		w.file(model.File{Op: model.Write}, a.at(0))
	case "fs.open", "Deno.open":
		switch flags := a.at(1); {
		case flags.kind == textThing && strings.ContainsAny(flags.text, "wax+"):
			w.file(model.File{Op: model.Write, Append: !strings.Contains(flags.text, "w")}, a.at(0))
		case a.on("write") || a.on("append") || a.on("create") || a.on("truncate"):
			w.file(model.File{Op: model.Write, Append: !a.on("truncate")}, a.at(0))
		default:
			w.file(model.File{Op: model.Read}, a.at(0))
		}
	case "fs.rename", "fs.move", "Deno.rename":
		w.two(model.Move, a.at(0), a.at(1), true)
	case "fs.copyFile", "fs.cp", "fs.copy", "Deno.copyFile":
		w.two(model.Read, a.at(0), a.at(1), name != "fs.copyFile" && name != "Deno.copyFile")
	case "fs.link", "fs.symlink", "Deno.symlink", "Deno.link", "fs.ensureSymlink", "fs.ensureLink":
		w.two(model.Link, a.at(0), a.at(1), false)
	case "process.kill":
		w.signal(a.at(0), a.at(1))
	case "fs.chmod":
		w.chmod(a.at(1), a.at(0))
	case "fs.chown", "fs.lchown", "fs.lchmod", "Deno.chmod", "Deno.chown":
		w.file(model.File{Op: model.Mode}, a.at(0))
	case "fs.readFile", "fs.createReadStream", "fs.readJson", "Deno.readTextFile", "Deno.readFile", "Bun.file", "fs.readv", "fs.readJSON":
		w.file(model.File{Op: model.Read}, a.at(0))
		if p := a.at(0); p.plain() {
			return thing{kind: contentThing, text: p.text}, true
		}
	case "fs.readdir", "Deno.readDir", "fs.opendir":
		w.file(model.File{Op: model.Search, Tree: a.on("recursive")}, a.at(0))
		return thing{kind: textThing, text: "*", glob: true}, true
	case "glob", "glob.sync", "glob.globSync", "fast-glob", "fast-glob.sync", "globby", "globby.sync", "globSync", "fs.glob":
		p := a.at(0)
		p.glob = true
		return p, true
	case "fs.existsSync", "fs.exists", "fs.stat", "fs.lstat", "fs.access":
		return thing{}, true

	case "child_process.exec", "execa.command", "execa.commandSync", "execaCommand", "execa.execaCommand", "execa.execaCommandSync",
		"shelljs.exec", "Deno.run", "Bun.spawn", "Bun.spawnSync", "Deno.spawn":
		command := a.at(0)
		for _, f := range command.fields {
			if f.name == "cmd" {
				command = f.value
			}
		}
		w.subprocess(command, a)
		return thing{kind: objectThing, ref: "process"}, true
	case "child_process.spawn", "child_process.execFile", "execa", "execa.execa", "execa.sync", "execa.execaSync", "Deno.Command":
		list := []thing{a.at(0)}
		if argv := a.at(1); argv.kind == listThing {
			list = append(list, argv.list...)
		} else if argv, ok := a.option("args"); ok && argv.kind == listThing {
			list = append(list, argv.list...)
		} else if a.given(1) && argv.kind == unknownThing && len(argv.fields) == 0 {
			list = append(list, thing{spread: true})
		}
		if w.socket {
			served(w)
		}
		if a.on("shell") {
			w.shell(joinText(thing{kind: listThing, list: list, src: a.at(0).src}, " "))
		} else {
			w.spawn(list, *a)
		}
		return thing{kind: objectThing, ref: "process"}, true
	case "child_process.fork", "worker_threads.Worker", "Worker":
		if a.on("eval") {
			w.eval("node", a.at(0))
			break
		}
		for _, word := range w.words(a.at(0)) {
			w.RunFile("node", word)
		}
	case "shelljs.rm", "sh.rm":
		list := append([]thing{known("rm")}, a.list...)
		w.spawn(list, callArgs{})
	case "shelljs.mv", "shelljs.cp", "shelljs.chmod", "shelljs.mkdir", "shelljs.ln", "shelljs.touch":
		w.spawn(append([]thing{known(strings.TrimPrefix(name, "shelljs."))}, a.list...), callArgs{})

	case "eval", "Function", "vm.runInThisContext", "vm.runInNewContext", "vm.runInContext", "vm.Script", "setTimeout", "setInterval",
		"globalThis.eval", "vm.compileFunction", "setImmediate":
		code := a.at(0)
		if name == "Function" && len(a.list) > 0 {
			code = a.list[len(a.list)-1]
		}
		if strings.HasPrefix(name, "set") && code.kind != textThing {
			break
		}
		w.eval("node", code)
	case "Reflect.get":
		if key := a.at(1); key.kind == textThing {
			return w.member(a.at(0), key.text), true
		}
	case "process.binding", "process.dlopen":
		w.doubtCode(name)
	case "process.chdir", "Deno.chdir":
		w.chdir(a.at(0))
	case "process.cwd", "Deno.cwd":
		return w.here(), true
	case "os.homedir":
		return w.homeDir(), true
	case "os.tmpdir":
		return known("/tmp"), true
	case "Deno.env.get":
		if key := a.at(0); key.kind == textThing {
			return w.variable(key.text), true
		}
	case "Deno.env.toObject":
		return w.environment(), true
	case "path.join", "path.posix.join":
		return joinRelative(a.list), true
	case "path.resolve", "path.posix.resolve":
		return joinPath(append([]thing{w.here()}, a.list...)), true
	case "path.normalize", "String", "url.fileURLToPath", "fileURLToPath", "decodeURI", "Promise.resolve", "Array.from", "String.raw",
		"Object", "Buffer.concat":
		return a.at(0), true
	case "path.dirname":
		if p := a.at(0); p.plain() {
			if i := strings.LastIndexByte(p.text, '/'); i > 0 {
				return known(p.text[:i]), true
			}
		}
		return thing{}, true
	case "atob":
		return decodeArg("base64", a.at(0)), true
	case "Buffer.from", "Buffer":
		if how := a.at(1); how.kind == textThing {
			return decodeArg(how.text, a.at(0)), true
		}
		if l := a.at(0); l.kind == listThing {
			return characters(l.list), true
		}
		return a.at(0), true
	case "unescape", "decodeURIComponent":
		return decodeArg("percent", a.at(0)), true
	case "String.fromCharCode", "String.fromCodePoint":
		return characters(a.list), true

	case "fetch", "fetch.default", "got", "got.get", "axios", "axios.get", "axios.request", "undici.fetch", "undici.request", "needle",
		"needle.get", "request", "request.get", "superagent.get", "ky", "ky.get":
		url := a.at(0)
		for _, f := range url.fields {
			if f.name == "url" {
				url = f.value
			}
		}
		_, body := a.option("body")
		_, data := a.option("data")
		return w.visit(url, body || data || strings.EqualFold(optionText(a, "method"), "post")), true
	case "got.post", "axios.post", "axios.put", "axios.patch", "got.put", "needle.post", "request.post", "superagent.post", "ky.post",
		"navigator.sendBeacon":
		return w.visit(a.at(0), true), true
	case "http.get", "https.get", "http.request", "https.request":
		sends := !strings.HasSuffix(name, ".get") && optionText(a, "method") != "" && optionText(a, "method") != "GET"
		if host, ok := a.option("hostname"); ok {
			return w.dialFields(host, a, sends), true
		}
		if host, ok := a.option("host"); ok {
			return w.dialFields(host, a, sends), true
		}
		return w.visit(a.at(0), sends), true
	case "WebSocket", "ws":
		return w.visit(a.at(0), true), true
	case "net.connect", "net.createConnection", "tls.connect", "Deno.connect", "Bun.connect":
		if host, ok := a.option("host"); ok {
			port, _ := a.option("port")
			return w.dial(host, port, false), true
		}
		if host, ok := a.option("hostname"); ok {
			port, _ := a.option("port")
			return w.dial(host, port, false), true
		}
		return w.dial(a.at(1), a.at(0), false), true
	case "net.Socket", "dgram.createSocket":
		return thing{kind: objectThing, ref: "socket"}, true
	case "http.createServer", "https.createServer", "net.createServer", "Deno.serve", "Deno.listen", "Bun.serve", "express":
		return thing{kind: objectThing, ref: "server"}, true
	case "util.promisify", "promisify":
		return a.at(0), true
	case "$.system":
		w.shell(a.at(0))
	case "dns.lookup", "dns.resolve":
		w.Net(model.Net{Host: strings.ToLower(a.at(0).text)})
	case "JSON.stringify":
		if v := a.at(0); v.kind == nameThing && v.ref == "process.env" {
			return thing{src: "process.env"}, true
		}
		return thing{net: a.net()}, true
	default:
		return thing{}, false
	}
	return thing{}, true
}

func (w *walker) dialFields(host thing, a *callArgs, sends bool) thing {
	port, _ := a.option("port")
	n := model.Net{Port: port.text, Sends: sends}
	if host.kind == textThing {
		n.Host = strings.ToLower(host.text)
	}
	w.Net(n)
	return thing{net: true}
}

func optionText(a *callArgs, name string) string {
	v, _ := a.option(name)
	return v.text
}

// joinRelative is path.join of node, where an absolute part does not start
// anew.
func joinRelative(parts []thing) thing {
	out := append([]thing(nil), parts...)
	for i := range out {
		if i > 0 && out[i].kind == textThing {
			out[i].text = strings.TrimLeft(out[i].text, "/")
		}
	}
	return joinPath(out)
}

// nodeMethod is a method of a value of some type.
func nodeMethod(w *walker, kind, name string, recv *thing, a *callArgs) (thing, bool) {
	switch name {
	case "connect":
		if kind == "socket" {
			if host, ok := a.option("host"); ok {
				port, _ := a.option("port")
				return w.dial(host, port, false), true
			}
			return w.dial(a.at(1), a.at(0), false), true
		}
	case "listen":
		if kind == "server" {
			n := model.Net{Listens: true}
			if p := a.at(0); p.plain() {
				n.Port = p.text
			}
			w.Net(n)
			return thing{}, true
		}
	case "pipe":
		if recv != nil && recv.tainted() && a.at(0).ref == "file" {
			w.Wrote(w.Resolve(word(a.at(0).text)), Content{Network: true})
			return *recv, true
		}
		if kind == "socket" || kind == "process" || recv != nil && recv.net { // a socket into a process or the other way round
			w.piped = true
			w.shellOnSocket()
		}
		return thing{}, true
	case "rmSync", "unlinkSync", "rmdirSync":
		w.file(model.File{Op: model.Delete, Tree: a.on("recursive")}, a.at(0))
		return thing{}, true
	case "writeFileSync":
		w.filled(a.at(0), a.at(1))
		return thing{}, true
	case "execSync", "exec":
		if name == "execSync" || kind == "child_process" || recv != nil && recv.kind == nameThing && recv.ref == "child_process" {
			w.shell(a.at(0))
			return thing{}, true
		}
	case "doShellScript":
		w.shell(a.at(0))
		return thing{}, true
	case "bind":
		return *recv, true
	case "spawnSync", "execFileSync":
		list := []thing{a.at(0)}
		if argv := a.at(1); argv.kind == listThing {
			list = append(list, argv.list...)
		}
		w.spawn(list, *a)
		return thing{}, true
	case "constructor":
		// (…).constructor.constructor('code')() is eval
		if code := a.at(len(a.list) - 1); len(a.list) > 0 {
			w.eval("node", code)
			return thing{}, true
		}
	case "then", "catch", "finally", "toString", "text", "json":
		if recv != nil {
			if name == "then" && recv.net {
				return thing{net: true}, true
			}
			return *recv, true
		}
	case "write":
		if kind == "file" {
			return thing{}, true
		}
	}
	return thing{}, false
}
