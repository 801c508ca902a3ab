package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// pythonImport reads import a.b as c, d and from a import b as c.
func (w *walker) pythonImport() {
	from := w.tok().text == "from"
	w.i++
	module := w.dotted()
	if !from {
		for *w.left > 0 {
			name := strings.SplitN(module, ".", 2)[0]
			target := name
			if w.tok().named("as") {
				w.i++
				name, target = w.tok().text, module
				w.i++
			}
			w.set(name, named(target))
			if !w.accept(",") {
				return
			}
			module = w.dotted()
		}
		return
	}
	if !w.tok().named("import") {
		return
	}
	w.i++
	if w.accept("(") {
		w.nest++
		defer func() { w.nest-- }()
	}
	for *w.left > 0 && w.tok().kind == nameToken || w.tok().is("*") {
		if w.accept("*") {
			w.importAll(module)
			return
		}
		name := w.tok().text
		local := name
		w.i++
		if w.tok().named("as") {
			w.i++
			local = w.tok().text
			w.i++
		}
		w.set(local, named(module+"."+name))
		if !w.accept(",") {
			break
		}
	}
	w.accept(")")
}

// importAll makes the names that matter of a module known without its name.
func (w *walker) importAll(module string) {
	var names string
	switch module {
	case "os":
		names = "system popen remove unlink rmdir removedirs rename replace chmod chown link symlink execv execvp execl execlp spawnv truncate " +
			"mkdir makedirs environ chdir getcwd listdir walk open"
	case "shutil":
		names = "rmtree move copy copy2 copyfile copytree chown make_archive unpack_archive"
	case "subprocess":
		names = "run call check_call check_output Popen getoutput getstatusoutput"
	case "pathlib":
		names = "Path PosixPath"
	case "glob":
		names = "glob iglob"
	}
	for _, name := range strings.Fields(names) {
		if _, taken := w.vars[name]; !taken {
			w.set(name, named(module+"."+name))
		}
	}
}

func (w *walker) dotted() string {
	var b strings.Builder
	for *w.left > 0 {
		t := w.tok()
		switch {
		case t.kind == nameToken && t.text != "import" && t.text != "as" && (b.Len() == 0 || strings.HasSuffix(b.String(), ".")):
			b.WriteString(t.text)
		case t.is("."):
			b.WriteByte('.')
		default:
			return b.String()
		}
		w.i++
	}
	return b.String()
}

// withStatement reads with a as b, c as d.
func (w *walker) withStatement() {
	for *w.left > 0 {
		v := w.expr()
		if w.tok().named("as") {
			w.i++
			w.set(w.tok().text, v)
			w.i++
		}
		if !w.accept(",") {
			return
		}
	}
}

// pythonCall lists what a call in Python does. ref is the full name of a
// function, or Type#method.
func pythonCall(w *walker, ref string, recv *thing, a *callArgs) (thing, bool) {
	if strings.HasPrefix(ref, "Path#") {
		return pythonPath(w, ref[len("Path#"):], *recv, a)
	}
	if at := strings.IndexByte(ref, '#'); at >= 0 {
		return pythonMethod(w, ref[at+1:], recv, a)
	}
	if name, ok := strings.CutPrefix(ref, "sh."); ok && !strings.Contains(name, ".") && name != "Command" { // the package sh
		w.spawn(append([]thing{known(name)}, a.list...), *a)
		return thing{}, true
	}
	ref = strings.TrimPrefix(ref, "posix.")
	switch ref {
	case "os.remove", "os.unlink", "remove", "unlink", "os.rmdir", "os.removedirs", "send2trash.send2trash", "send2trash":
		w.file(model.File{Op: model.Delete}, a.at(0, "path", "name"))
	case "shutil.rmtree", "rmtree", "shutil.rmtree.func", "distutils.dir_util.remove_tree", "sh.rm_rf":
		w.file(model.File{Op: model.Delete, Tree: true}, a.at(0, "path"))
	case "shutil.move", "os.rename", "os.replace", "os.renames":
		w.two(model.Move, a.at(0, "src"), a.at(1, "dst"), true)
	case "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copyfileobj":
		if ref != "shutil.copyfileobj" {
			w.two(model.Read, a.at(0, "src"), a.at(1, "dst"), false)
		}
	case "shutil.copytree":
		w.two(model.Read, a.at(0, "src"), a.at(1, "dst"), true)
	case "shutil.unpack_archive":
		w.file(model.File{Op: model.Read}, a.at(0))
		w.file(model.File{Op: model.Write, Tree: true}, orHere(a, 1, "extract_dir"))
	case "shutil.make_archive":
		w.file(model.File{Op: model.Read, Tree: true}, orHere(a, 2, "root_dir"))
		w.file(model.File{Op: model.Write}, concat(a.at(0), thing{kind: textThing, text: ".*", glob: true}))
	case "os.link":
		w.two(model.Link, a.at(0, "src"), a.at(1, "dst"), false)
	case "os.symlink":
		w.two(model.Link, a.at(0, "src"), a.at(1, "dst"), false)
	case "os.kill", "os.killpg":
		w.signal(a.at(0, "pid"), a.at(1, "sig"))
	case "os.chmod":
		w.chmod(a.at(1, "mode"), a.at(0, "path"))
	case "os.chown", "shutil.chown", "os.lchown", "os.chflags", "os.setxattr", "os.lchmod", "os.removexattr":
		w.file(model.File{Op: model.Mode}, a.at(0, "path"))
	case "os.truncate", "os.mkfifo", "os.mknod":
		w.file(model.File{Op: model.Write}, a.at(0, "path"))
	case "os.mkdir", "os.makedirs", "os.utime":
		w.file(model.File{Op: model.Write, Append: true}, a.at(0, "path", "name"))
	case "open", "io.open", "codecs.open", "aiofiles.open", "gzip.open", "bz2.open", "lzma.open":
		return pythonOpen(w, a.at(0, "file", "filename"), a.at(1, "mode"), a.given(1, "mode")), true
	case "os.open":
		if flags := a.at(1).src; strings.Contains(flags, "WR") || strings.Contains(flags, "CREAT") || strings.Contains(flags, "TRUNC") ||
			flags == "" {
			w.file(model.File{Op: model.Write, Append: !strings.Contains(flags, "TRUNC")}, a.at(0))
		} else {
			w.file(model.File{Op: model.Read}, a.at(0))
		}
	case "tarfile.open", "zipfile.ZipFile":
		pythonOpen(w, a.at(0), a.at(1, "mode"), a.given(1, "mode"))
		return thing{kind: objectThing, ref: "archive"}, true
	case "sqlite3.connect":
		if a.at(0).text != ":memory:" {
			w.file(model.File{Op: model.Write, Append: true}, a.at(0))
		}
		return thing{kind: objectThing, ref: "database"}, true
	case "linecache.getlines", "fileinput.input", "numpy.loadtxt", "pandas.read_csv", "pd.read_csv", "pandas.read_json", "configparser.read":
		w.file(model.File{Op: model.Read}, a.at(0, "files"))
		if a.on("inplace") {
			w.file(model.File{Op: model.Write}, a.at(0, "files"))
		}
	case "os.listdir", "os.scandir":
		w.file(model.File{Op: model.Search}, orHere(a, 0, "path"))
		return thing{kind: textThing, text: "*", glob: true}, true
	case "os.walk", "os.fwalk":
		w.file(model.File{Op: model.Search, Tree: true}, a.at(0, "top"))
		all := thing{kind: textThing, text: "*", glob: true}
		root := a.at(0, "top")
		return thing{kind: listThing, list: []thing{{kind: listThing, list: []thing{root, all, all}}}}, true
	case "glob.glob", "glob.iglob":
		p := a.at(0, "pathname")
		p.glob = true
		return p, true
	case "os.path.join", "posixpath.join":
		return joinPath(a.list), true
	case "os.path.expanduser":
		return w.expandUser(a.at(0)), true
	case "os.path.expandvars":
		p := a.at(0)
		if p.kind == textThing && (strings.HasPrefix(p.text, "$HOME") || strings.HasPrefix(p.text, "${HOME}")) {
			return concat(w.homeDir(), known(strings.TrimPrefix(strings.TrimPrefix(p.text, "$HOME"), "${HOME}"))), true
		}
		if strings.Contains(p.text, "$") {
			return thing{src: p.text}, true
		}
		return p, true
	case "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.fspath", "os.fsencode", "os.fsdecode", "str", "bytes", "repr",
		"os.path.normcase", "list", "tuple", "sorted", "iter", "set", "bytearray", "shlex.quote", "enumerate":
		v := a.at(0)
		if v.kind == objectThing && v.ref == "Path" {
			v = thing{kind: textThing, text: v.text, glob: v.glob}
		}
		if (ref == "bytes" || ref == "bytearray") && v.kind == listThing {
			return characters(v.list), true
		}
		return v, true
	case "reversed":
		v := a.at(0)
		if v.kind == textThing {
			return known(reversed(v.text)), true
		}
		return v, true
	case "os.path.dirname":
		if p := a.at(0); p.plain() {
			if i := strings.LastIndexByte(p.text, '/'); i > 0 {
				return known(p.text[:i]), true
			}
		}
		return thing{}, true
	case "os.getcwd", "os.getcwdb", "pathlib.Path.cwd", "Path.cwd":
		v := w.here()
		if strings.HasSuffix(ref, "cwd") && strings.Contains(ref, "Path") {
			v = pathObject(v)
		}
		return v, true
	case "pathlib.Path.home", "Path.home":
		return pathObject(w.homeDir()), true
	case "os.chdir", "os.fchdir", "contextlib.chdir":
		w.chdir(a.at(0))
	case "pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "Path", "PosixPath":
		if len(a.list) == 0 {
			return pathObject(known(".")), true
		}
		return pathObject(joinPath(a.list)), true
	case "os.getenv", "os.environ.get", "os.environ.pop", "os.environ.__getitem__", "os.getenvb":
		v := thing{}
		if key := a.at(0); key.kind == textThing {
			v = w.variable(key.text)
		} else {
			w.environment()
		}
		if a.given(1, "default") && v.kind == unknownThing {
			return either(v, a.at(1, "default")), true
		}
		return v, true
	case "os.environ.copy", "os.environ.items", "os.environ.keys", "os.environ.values":
		w.environment()

	case "os.system", "os.popen", "popen2.popen2", "commands.getoutput", "commands.getstatusoutput", "subprocess.getoutput",
		"subprocess.getstatusoutput", "asyncio.create_subprocess_shell", "pexpect.run", "pexpect.spawn", "system", "popen":
		w.shell(a.at(0, "cmd", "command"))
		return thing{net: false}, true
	case "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen", "sp.run", "invoke.run",
		"sh.Command":
		w.subprocess(a.at(0, "args"), a)
		return thing{kind: objectThing, ref: "process"}, true
	case "asyncio.create_subprocess_exec":
		w.spawn(a.list, *a)
	case "os.execv", "os.execve", "os.execvp", "os.execvpe", "os.posix_spawn", "os.posix_spawnp":
		if argv := a.at(1); argv.kind == listThing && len(argv.list) > 0 {
			w.spawn(append([]thing{a.at(0)}, argv.list[1:]...), *a)
		} else {
			w.spawn([]thing{a.at(0), {spread: true}}, *a)
		}
	case "os.execl", "os.execlp", "os.execle", "os.execlpe":
		if len(a.list) > 1 {
			w.spawn(append([]thing{a.at(0)}, a.list[2:]...), *a)
		}
	case "os.spawnl", "os.spawnlp", "os.spawnle", "os.spawnlpe":
		if len(a.list) > 2 {
			w.spawn(append([]thing{a.at(1)}, a.list[3:]...), *a)
		}
	case "os.spawnv", "os.spawnvp", "os.spawnve", "os.spawnvpe":
		if argv := a.at(2); argv.kind == listThing && len(argv.list) > 0 {
			w.spawn(append([]thing{a.at(1)}, argv.list[1:]...), *a)
		} else {
			w.spawn([]thing{a.at(1), {spread: true}}, *a)
		}
	case "pty.spawn":
		w.shellOnSocket()
		w.subprocess(a.at(0), a)
	case "os.dup2":
		w.shellOnSocket()
	case "os.startfile", "webbrowser.open":
		w.doubtCode(a.at(0).src)

	case "eval", "exec", "compile", "builtins.exec", "builtins.eval", "code.interact", "execfile", "runpy.run_path",
		"importlib.util.spec_from_file_location", "runpy.run_module", "imp.load_source":
		switch ref {
		case "execfile", "runpy.run_path":
			for _, word := range w.words(a.at(0)) {
				w.RunFile("python", word)
			}
		case "imp.load_source", "importlib.util.spec_from_file_location":
			for _, word := range w.words(a.at(1)) {
				w.RunFile("python", word)
			}
		case "compile":
			return a.at(0), true
		case "runpy.run_module", "code.interact":
		default:
			w.eval("python", a.at(0))
		}
	case "__import__", "importlib.import_module", "builtins.__import__":
		if m := a.at(0); m.kind == textThing {
			return named(m.text), true
		}
		w.doubtCode("import " + a.at(0).src)
	case "getattr", "builtins.getattr", "operator.attrgetter":
		object, name := a.at(0), a.at(1)
		if name.kind == textThing {
			return w.member(object, name.text), true
		}
		if object.kind == nameThing && dynamicAccess(object.ref) {
			w.doubtCode("getattr(" + object.ref + ", " + name.src + ")")
		}
	case "globals", "locals", "vars":
		return named("globals()"), true
	case "chr", "unichr":
		return characters(a.list), true
	case "bytes.fromhex", "bytearray.fromhex", "binascii.unhexlify", "binascii.a2b_hex":
		return decodeArg("hex", a.at(0)), true
	case "base64.b64decode", "base64.urlsafe_b64decode", "base64.decodebytes", "base64.standard_b64decode", "binascii.a2b_base64", "b64decode":
		return decodeArg("base64", a.at(0)), true
	case "codecs.decode":
		return decodeArg(a.at(1).text, a.at(0)), true
	case "urllib.parse.unquote":
		return decodeArg("percent", a.at(0)), true
	case "map":
		if f := a.at(0); f.kind == nameThing {
			if over := a.at(1); f.ref == "chr" && over.kind == listThing {
				out := thing{kind: listThing}
				for _, one := range over.list {
					out.list = append(out.list, characters([]thing{one}))
				}
				return out, true
			} else {
				return w.invoke(f, callArgs{list: []thing{over.element()}}), true
			}
		}
	case "shlex.split":
		if s := a.at(0); s.kind == textThing {
			out := thing{kind: listThing}
			for _, one := range strings.Fields(s.text) {
				out.list = append(out.list, known(strings.Trim(one, `'"`)))
			}
			return out, true
		}

	case "socket.socket":
		return thing{kind: objectThing, ref: "socket"}, true
	case "socket.create_connection", "asyncio.open_connection":
		if to := a.at(0); to.kind == listThing && len(to.list) > 1 {
			return w.dial(to.list[0], to.list[1], false), true
		}
		return w.dial(a.at(0, "host"), a.at(1, "port"), false), true
	case "urllib.request.urlopen", "urllib2.urlopen", "urllib.urlopen", "urlopen", "urllib.request.Request":
		return w.visit(a.at(0, "url"), a.given(1, "data")), true
	case "urllib.request.urlretrieve", "urllib.urlretrieve", "wget.download":
		out := w.visit(a.at(0, "url"), false)
		if a.given(1, "filename", "out") {
			w.filled(a.at(1, "filename", "out"), thing{net: true})
		}
		return out, true
	case "requests.get", "requests.head", "requests.options", "httpx.get", "httpx.head", "urllib3.request", "requests.delete", "httpx.stream":
		return w.visit(a.at(0, "url"), a.given(-1, "data", "json", "files", "params")), true
	case "requests.post", "requests.put", "requests.patch", "httpx.post", "httpx.put", "httpx.patch":
		return w.visit(a.at(0, "url"), true), true
	case "requests.request", "httpx.request":
		return w.visit(a.at(1, "url"), a.given(-1, "data", "json", "files") || a.at(0).text != "GET"), true
	case "requests.Session", "requests.session", "httpx.Client", "httpx.AsyncClient", "aiohttp.ClientSession", "urllib3.PoolManager":
		return thing{kind: objectThing, ref: "client"}, true
	case "http.client.HTTPSConnection", "http.client.HTTPConnection", "httplib.HTTPConnection", "httplib.HTTPSConnection", "ftplib.FTP",
		"smtplib.SMTP", "smtplib.SMTP_SSL", "telnetlib.Telnet", "paramiko.Transport":
		return w.dial(a.at(0, "host"), a.at(1, "port"), false), true
	case "http.server.HTTPServer", "socketserver.TCPServer", "HTTPServer":
		w.dial(thing{}, thing{}, true)
	case "print", "len", "input", "json.loads", "json.load", "json.dumps", "isinstance", "range", "int", "float", "dict":
		return thing{net: a.net()}, true
	default:
		return thing{}, false
	}
	return thing{}, true
}

func decodeArg(how string, t thing) thing {
	if t.kind != textThing {
		return thing{net: t.net, src: t.src}
	}
	out := decoded(how, t.text)
	out.src = t.src
	return out
}

// orHere is an argument, or the working directory if it is not given.
func orHere(a *callArgs, i int, names ...string) thing {
	if !a.given(i, names...) {
		return known(".")
	}
	return a.at(i, names...)
}

// pythonOpen lists an open by its mode.
func pythonOpen(w *walker, name, mode thing, given bool) thing {
	if name.kind == numberThing {
		return thing{}
	}
	how := "r"
	if given {
		if how = mode.text; mode.kind != textThing {
			how = "r+"
		}
	}
	switch {
	case strings.ContainsAny(how, "wx"):
		w.file(model.File{Op: model.Write}, name)
	case strings.ContainsAny(how, "a+"):
		w.file(model.File{Op: model.Write, Append: true}, name)
	default:
		w.file(model.File{Op: model.Read}, name)
		if name.plain() {
			return thing{kind: contentThing, text: name.text}
		}
		return thing{}
	}
	if name.plain() {
		return thing{kind: objectThing, ref: "file", text: name.text, glob: name.glob}
	}
	return thing{kind: objectThing, ref: "output"}
}

// subprocess is subprocess.run and its relatives.
func (w *walker) subprocess(command thing, a *callArgs) {
	if w.socket {
		served(w)
	}
	switch {
	case command.kind == listThing && a.on("shell"):
		if len(command.list) > 0 {
			w.shell(command.list[0])
		}
	case command.kind == listThing:
		w.spawn(command.list, *a)
	default:
		w.shell(command)
	}
}

// pythonPath is a method of pathlib.Path.
func pythonPath(w *walker, name string, p thing, a *callArgs) (thing, bool) {
	switch name {
	case "unlink", "rmdir":
		w.file(model.File{Op: model.Delete}, p)
	case "rmtree":
		w.file(model.File{Op: model.Delete, Tree: true}, p)
	case "write_text", "write_bytes":
		w.filled(p, a.at(0, "data"))
	case "touch", "mkdir":
		w.file(model.File{Op: model.Write, Append: true}, p)
	case "rename", "replace":
		w.two(model.Move, p, a.at(0, "target"), true)
	case "chmod", "lchmod":
		w.file(model.File{Op: model.Mode}, p)
	case "symlink_to", "hardlink_to", "link_to":
		w.two(model.Link, a.at(0, "target"), p, false)
	case "read_text", "read_bytes":
		w.file(model.File{Op: model.Read}, p)
		return thing{kind: contentThing, text: p.text}, true
	case "open":
		return pythonOpen(w, p, a.at(0, "mode"), a.given(0, "mode")), true
	case "iterdir", "walk":
		w.file(model.File{Op: model.Search}, p)
		return pathObject(joinPath([]thing{p, {kind: textThing, text: "*", glob: true}})), true
	case "glob", "rglob":
		pattern := a.at(0)
		if name == "rglob" {
			pattern = joinPath([]thing{known("**"), pattern})
		}
		pattern.glob = true
		w.file(model.File{Op: model.Search, Tree: true}, p)
		return pathObject(joinPath([]thing{p, pattern})), true
	case "joinpath":
		return pathObject(joinPath(append([]thing{p}, a.list...))), true
	case "expanduser":
		return pathObject(w.expandUser(p)), true
	case "resolve", "absolute", "as_posix":
		return p, true
	case "with_name", "with_suffix", "relative_to":
		return thing{}, true
	default:
		return thing{}, false
	}
	return thing{}, true
}

// pythonMethod is a method of a value whose type is not known, or of a socket,
// a client, an archive.
func pythonMethod(w *walker, name string, recv *thing, a *callArgs) (thing, bool) {
	switch name {
	case "connect", "connect_ex", "bind":
		if to := a.at(0); to.kind == listThing && len(to.list) > 1 {
			return w.dial(to.list[0], to.list[1], name == "bind"), true
		}
		if recv != nil && recv.ref == "socket" {
			return w.dial(thing{}, thing{}, name == "bind"), true
		}
	case "unlink", "write_text", "write_bytes", "rmtree", "hardlink_to", "symlink_to":
		op := model.File{Op: model.Write}
		if name == "unlink" || name == "rmtree" {
			op = model.File{Op: model.Delete, Tree: name == "rmtree"}
		}
		target := thing{src: recv.src}
		if name == "rmtree" && a.given(0) {
			target = a.at(0)
		}
		w.file(op, target)
		return thing{}, true
	case "system", "popen", "Popen", "check_output", "check_call", "getoutput":
		w.subprocess(a.at(0), a)
		return thing{}, true
	case "get", "post", "put", "patch", "delete", "request", "urlopen":
		if recv != nil && recv.ref == "client" {
			url := a.at(0, "url")
			if name == "request" {
				url = a.at(1, "url")
			}
			return w.visit(url, name != "get" || a.given(-1, "data", "json", "files")), true
		}
	case "write", "writelines":
		if recv != nil && recv.ref == "file" && recv.kind == objectThing {
			for _, word := range w.words(*recv) {
				content := a.at(0)
				c := Content{Network: content.tainted()}
				if content.kind == textThing && name == "write" {
					c.Text, c.Known = content.text, true
				}
				w.Wrote(w.Resolve(word), c)
			}
			return thing{}, true
		}
	case "extractall", "extract":
		w.file(model.File{Op: model.Write, Tree: true}, orHere(a, map[bool]int{true: 0, false: 1}[name == "extractall"], "path"))
		return thing{}, true
	case "executescript", "execute":
		if recv != nil && (recv.ref == "database" || recv.kind == unknownThing) && a.at(0).kind == textThing {
			w.Code(model.Code{Language: "sql", Text: a.at(0).text, Origin: model.Inline})
			return thing{}, true
		}
	case "cursor":
		if recv != nil && recv.ref == "database" {
			return *recv, true
		}
	}
	return thing{}, false
}
