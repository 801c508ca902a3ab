package programs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/curls"
	"github.com/trammel-dev/trammel/effects/programs/parts"
)

func (c *call) url(w Word, sends bool) { URL(c.host, w, c.dir, sends) }

// URL lists the host that a word names as a URL. A file: URL is a file.
func URL(host Host, w Word, dir Path, sends bool) {
	if file, ok := paths.OfAddress(w.Text); ok && w.Known {
		op := Read
		if sends {
			op = Write
		}
		host.AddFile(File{Op: op, Path: host.Resolve(Word{Text: file, Known: true, Glob: w.Glob}, dir)})
		return
	}
	n := model.Net{URL: w.Text, Sends: sends}
	n.Host, n.Port = paths.HostOfWord(w)
	host.AddNet(n)
}

// daemon lists what docker sends to a daemon elsewhere: what it reads, and the folder it builds.
func (r *Row) daemon(c *call) {
	a := r.Parse(Told(c.host.Run()).Args)
	host, ok := a.Value("host")
	if scheme, _, is := strings.Cut(host.Text, "://"); !ok || !is || a.Says("cp") || scheme == "unix" || scheme == "npipe" || scheme == "fd" {
		return
	}
	c.url(host, true)
	if n := len(a.Operands) - 1; a.Says("build") && c.host.IsDir(c.place(a.Operands[n])) {
		c.add(File{Op: Read, Tree: true}, a.Operands[n])
	}
}

// addresses lists the hosts of words that are URLs as a whole.
func (c *call) addresses(words []Word) {
	for _, w := range words {
		if option, value, ok := strings.Cut(w.Text, "="); ok && !strings.ContainsAny(option, ":/ ") || ok && strings.Contains(option, "::") {
			w.Text = value // --url=…, Acquire::http::Proxy=…
		}
		before, rest, ok := strings.Cut(w.Text, "://")
		scheme := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyz+-.0123456789")
		name := strings.TrimRight(scheme, " ")
		host, _, path := strings.Cut(rest, "/")
		if ok && (w.Known || path && !strings.ContainsAny(host, "$`")) && rest != "" && !strings.ContainsAny(rest, " \n<>") &&
			(scheme == "" || strings.HasSuffix(name, "@") || strings.HasSuffix(scheme, "::") ||
				strings.HasPrefix(scheme, "/") && (strings.HasSuffix(scheme, ":") || strings.HasPrefix(scheme, "/vsi"))) {
			// name @ https://…, git::https://…, /url:https://…
			w.Text = w.Text[len(scheme):]
			c.url(w, false)
		}
	}
}

// download is aria2c and axel, which save what they fetch.
func download(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	c.listed(&a)
	a.Values(c.addressList, "input-file")
	for _, w := range a.Operands {
		c.url(w, false)
	}
	dir, in := a.Value("dir")
	if out, ok := a.Value("out"); ok {
		if in {
			out = parts.Into(dir, out)
		}
		c.host.Wrote(c.add(File{Op: Write}, out), Fetched)
		return
	}
	for _, w := range a.Operands {
		name := curls.FileName(w)
		if in {
			name = parts.Into(dir, name)
		}
		c.host.Wrote(c.add(File{Op: Write}, name), Fetched)
	}
}

func curl(c *call) {
	a, ok := c.options()
	if !ok || a.Has("h") || a.Has("V") {
		return
	}
	c.unseen()
	sends := false
	at := func(w Word) bool { // @file
		file, ok := strings.CutPrefix(w.Text, "@")
		if ok {
			c.read(Word{Text: file, Known: w.Known, Glob: w.Glob})
		}
		return ok
	}
	a.Values(func(w Word) { sends = true; at(w) }, "d", "data", "data-ascii", "data-binary", "json")
	a.Values(func(Word) { sends = true }, "data-raw", "form-string")
	a.Values(func(w Word) {
		sends = true
		if _, file, ok := strings.Cut(w.Text, "@"); ok && !strings.Contains(w.Text[:strings.IndexByte(w.Text, '@')], "=") {
			c.read(Word{Text: file, Known: w.Known})
		}
	}, "data-urlencode", "url-query")
	a.Values(func(w Word) {
		sends = true
		_, value, _ := strings.Cut(w.Text, "=")
		if value != "" && (value[0] == '@' || value[0] == '<') {
			file, _, _ := strings.Cut(value[1:], ";")
			for _, one := range strings.Split(file, ",") {
				c.read(Word{Text: one, Known: w.Known})
			}
		}
	}, "F", "form")
	a.Values(func(w Word) { sends = true; c.read(w) }, "T", "upload-file")
	a.Values(func(w Word) { sends = at(w) || sends }, "H", "header", "w", "write-out", "variable")
	a.Values(func(w Word) {
		if !strings.Contains(w.Text, "=") {
			c.read(w)
		}
	}, "b", "cookie")
	a.Values(c.curlConfig, "K", "config")
	a.Values(func(w Word) {
		for _, host := range curls.Instead(w.Text) {
			c.reach(Word{Text: host, Known: w.Known}, sends)
		}
	}, "connect-to")
	a.Values(func(w Word) {
		for _, address := range curls.Instead(w.Text) {
			c.host.AddNet(model.Net{Host: strings.ToLower(strings.Trim(address, "[]")), Sends: sends})
		}
	}, "resolve")
	a.Values(func(w Word) { c.host.AddNet(model.Net{Host: "localhost", URL: w.Text, Sends: sends}) }, "unix-socket", "abstract-unix-socket")
	a.Values(func(w Word) {
		for server := range strings.SplitSeq(w.Text, ",") {
			c.reach(Word{Text: server, Known: w.Known}, false)
		}
	}, "dns-servers")
	a.Values(func(w Word) {
		for _, file := range curls.Outputs(w.Text) {
			c.add(File{Op: Write, Append: true}, Word{Text: file, Known: w.Known})
		}
	}, "w", "write-out")
	urls := a.Operands
	a.Values(func(w Word) { urls = append(urls, w) }, "url")
	local := len(urls) > 0
	for _, w := range urls {
		local = local && strings.HasPrefix(w.Text, "file://")
		for _, one := range curls.URLs(w, a.Has("g")) {
			c.url(one, sends || strings.HasPrefix(w.Text, "gopher:") || strings.HasPrefix(w.Text, "telnet:"))
		}
	}
	c.listed(&a)

	in := func(w Word) Word {
		if dir, ok := a.Value("output-dir"); ok {
			return Word{Text: dir.Text + "/" + w.Text, Known: dir.Known && w.Known, Glob: w.Glob}
		}
		return w
	}
	got := func(w Word) {
		if w.Text == "-" {
			return
		}
		c.host.Wrote(c.add(File{Op: Write}, in(w)), fetchedIf(!local))
	}
	outputs := 0
	a.Values(func(w Word) { outputs++; got(w) }, "o", "output")
	if a.Has("O", "remote-name", "remote-name-all") {
		for i, w := range urls {
			if i >= outputs {
				name := curls.FileName(w)
				if a.Has("J", "remote-header-name", "no-clobber") {
					name.Known = false // another name, chosen by the host or because this one is taken
				}
				got(name)
			}
		}
	}
}

// addressList lists the hosts of the URLs in a file.
func (c *call) addressList(w Word) {
	held := c.host.Holds(c.place(w))
	if w.Text == "-" {
		held = []Stream{c.host.Input()}
	}
	if len(held) != 1 || !held[0].Known {
		c.host.AddNet(model.Net{URL: c.name + " " + w.Text})
		return
	}
	for line := range strings.Lines(held[0].Text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			c.url(word(line), false)
		}
	}
}

func wget(c *call) {
	a, ok := c.options()
	if !ok || a.Has("h", "V") {
		return
	}
	c.unseen()
	sends := a.Has("post-data", "body-data")
	a.Values(func(w Word) { sends = true; c.read(w) }, "post-file", "body-file")
	c.listed(&a)
	a.Values(func(w Word) {
		name, value, ok := strings.Cut(w.Text, "=")
		given := Word{Text: strings.TrimSpace(value), Known: w.Known}
		switch name = strings.TrimSpace(name); {
		case ok && name == "use_askpass":
			c.host.Command(given)
		case ok && strings.HasSuffix(name, "_proxy") && name != "no_proxy" && name != "use_proxy":
			c.reach(given, false)
		}
	}, "e", "execute")
	a.Values(c.addressList, "i", "input-file")
	for _, w := range a.Operands {
		c.url(w, sends)
	}
	if a.Has("spider", "delete-after") {
		return
	}
	got := func(w Word, tree bool) {
		if w.Text != "-" {
			c.host.Wrote(c.add(File{Op: Write, Tree: tree}, w), Fetched)
		}
	}
	if out, ok := a.Value("O", "output-document"); ok {
		got(out, false)
		return
	}
	dir, prefixed := a.Value("P", "directory-prefix")
	if !prefixed {
		dir = word(".")
	}
	if a.Has("r", "m", "recursive", "mirror", "p", "page-requisites") || a.Has("i", "input-file") {
		got(dir, true)
		return
	}
	for _, w := range a.Operands {
		if a.Has("content-disposition") {
			w.Known = false
		}
		name := curls.FileName(w)
		got(Word{Text: dir.Text + "/" + name.Text, Known: dir.Known && name.Known}, false)
	}
}

// httpie is http METHOD URL name=value name@file.
func httpie(c *call) {
	a, ok := c.options()
	if !ok {
		return
	}
	var url Word
	sends, seen := a.Has("raw") || c.host.Fed(), false
	for i, w := range a.Operands {
		switch t := strings.ToUpper(w.Text); {
		case !seen && (i+1 < len(a.Operands) || t == w.Text) && strings.Trim(t, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "":
			sends = sends || t != "GET" && t != "HEAD" && t != "OPTIONS" && t != "DELETE"
		case !seen:
			seen, url = true, w
		default:
			if i := strings.IndexAny(w.Text, "=@"); i >= 0 {
				sends = true
				if w.Text[i] == '@' || strings.HasPrefix(w.Text[i:], "=@") {
					c.read(Word{Text: strings.TrimLeft(w.Text[i:], "=@"), Known: w.Known})
				}
			}
		}
	}
	if seen {
		c.url(url, sends)
	}
	if out, ok := a.Value("o", "output"); ok {
		c.host.Wrote(c.add(File{Op: Write}, out), Fetched)
	}
}

// netcat is nc, socat and telnet: bytes between a host and standard input and
// output, or a program.
func netcat(c *call) {
	a, ok := c.options()
	if !ok || a.Has("h") {
		return
	}
	listens := a.Has("l", "listen")
	if w, ok := a.Value("hex-dump"); ok && strings.Contains(w.Text, ":") && !strings.Contains(w.Text, "/") { // nc -x of BSD
		c.reach(w, false)
	} else {
		c.listed(&a)
	}
	a.Values(func(w Word) { c.reach(w, false) }, "proxy")
	n := model.Net{Listens: listens, Sends: c.host.Fed()}
	if p, ok := a.Value("p", "port", "source-port"); ok && listens {
		n.Port = p.Text
	}
	switch {
	case len(a.Operands) > 1:
		n.Host, n.Port = strings.ToLower(a.Operands[0].Text), a.Operands[1].Text
		if !a.Operands[0].Known {
			n.Host = ""
		}
	case len(a.Operands) == 1 && listens && n.Port == "":
		n.Port = a.Operands[0].Text
	case len(a.Operands) == 1:
		n.Host = strings.ToLower(a.Operands[0].Text)
	}
	if len(a.Operands) > 0 || listens {
		c.host.AddNet(n)
	}
	a.Values(func(w Word) {
		c.served()
		if w.Known && strings.ContainsAny(w.Text, " \t") {
			c.host.Served(w)
			return
		}
		c.host.Start([]Word{w}, Start{Served: true})
	}, "e", "exec")
	if c.name != "telnet" {
		a.Values(func(w Word) { c.served(); c.host.Served(w) }, "c", "sh-exec")
	}
	a.Values(func(w Word) { c.read(w); c.host.Doubt("code", w.Text) }, "lua-exec")
}

// served notes that a host is given a program's standard input.
func (c *call) served() {
	c.host.AddCode(model.Code{Language: "shell", Origin: model.Network})
}

func socat(c *call) {
	for _, w := range c.args {
		if strings.HasPrefix(w.Text, "-") && w.Text != "-" {
			continue
		}
		kind, rest, _ := strings.Cut(w.Text, ":")
		rest, _, _ = strings.Cut(rest, ",")
		operand := Word{Text: rest, Known: w.Known}
		switch kind = strings.ToUpper(kind); {
		case kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL":
			c.served()
			c.host.Served(operand)
		case strings.Contains(kind, "LISTEN"), kind == "TCP-L", kind == "TCP4-L", kind == "UDP-L", kind == "UDP-RECV", kind == "OPENSSL-L":
			c.host.AddNet(model.Net{Port: rest, Listens: true})
		case strings.HasPrefix(kind, "TCP"), strings.HasPrefix(kind, "UDP"), strings.HasPrefix(kind, "OPENSSL"), strings.HasPrefix(kind, "SSL"),
			strings.HasPrefix(kind, "SOCKS"), strings.HasPrefix(kind, "PROXY"), strings.HasPrefix(kind, "SCTP"):
			n := model.Net{Sends: true}
			if w.Known {
				n.Host, n.Port = paths.HostOf(rest)
			}
			c.host.AddNet(n)
		case kind == "OPEN" || kind == "FILE" || kind == "GOPEN":
			c.read(operand)
			c.add(File{Op: Write, Append: true}, operand)
		case kind == "CREATE" || kind == "CREAT":
			c.write(operand)
		case !strings.Contains(w.Text, ":") && strings.Contains(w.Text, "/"):
			c.add(File{Op: Write, Append: true}, w)
		}
	}
}

// remoteShell is ssh and its relatives. What runs over there is the
// interpreter's.
func remoteShell(c *call) {
	a, _ := c.options()
	if a.Has("V", "Q", "help", "version") {
		return
	}
	c.listed(&a)
	a.Values(c.sshOption, "o")
	a.Values(c.forwards, "L", "R", "W")
	e, ok := a.Value("e", "c", "command")
	client := c.name == "lftp" || c.name == "ftp" || c.name == "smbclient" || c.name == "tftp"
	if ok = ok && client; ok && e.Known {
		c.transfers(strings.ReplaceAll(e.Text, ";", "\n"))
	}
	if client {
		given, _ := c.host.Given()
		text, _ := c.host.Text(c.place(append(a.All("f"), Word{})[0]).Real) // of lftp
		c.transfers(cmp.Or(c.host.Input().Text, given) + "\n" + text)
	}
	if c.name == "tftp" && len(a.Operands) > 2 { // tftp host -c put file
		var line []string
		for _, w := range a.Operands[1:] {
			line = append(line, w.Text)
		}
		ok = true
		_, command, _ := strings.Cut(" "+strings.Join(line, " "), " -c ")
		c.transfers(cmp.Or(command, strings.Join(line, " ")))
	}
	if len(a.Operands) == 0 {
		return
	}
	w := a.Operands[0]
	n := model.Net{URL: w.Text, Sends: c.host.Fed() || ok}
	if upload, is := a.Value("u"); is && c.name == "ftp" { // ftp -u URL file
		w, n = upload, model.Net{URL: upload.Text, Sends: true}
		c.read(a.Operands...)
	}
	if w.Known {
		n.Host, n.Port = paths.HostOf(w.Text)
	}
	if p, ok := a.Value("p"); ok {
		n.Port = p.Text
	}
	c.machine(n)
}

// readsValues lists the files that options name in place of their values: --filters file://f.json.
func (c *call) readsValues(a *Args) (some bool) {
	for i := range a.Given {
		w, _ := a.Given[i].Following(c.args)
		scheme, file, _ := strings.Cut(w.Text, "://")
		if (scheme == "file" || scheme == "fileb") && a.Given[i].Role == "" {
			some = true
			c.read(Word{Text: file, Known: w.Known})
		}
	}
	return some
}

// cloudCopy is the copying of files to and from object stores. Everything else
// that these programs do is in their arguments, for policy to read.
func cloudCopy(c *call) {
	a, ok := c.options()
	if !ok || a.Has("dryrun", "dry-run", "n") && c.name != "gcloud" && c.name != "az" {
		return
	}
	c.listed(&a)
	if c.name == "aws" && c.readsValues(&a) || slices.ContainsFunc(a.Given, func(g Given) bool { return g.Role == "T" }) {
		c.host.AddNet(model.Net{Sends: true})
	}
	verb, at := "", 0
	for i, w := range a.Operands {
		switch w.Text {
		case "cp", "mv", "sync", "rsync", "copy", "move", "copyto", "moveto", "copyurl",
			"put", "get", "mirror", "pipe", "cat", "upload", "download":
			verb, at = w.Text, i+1
		}
		if verb != "" || i > 2 {
			break
		}
	}
	operands := a.Operands[at:]
	if file, ok := a.Value("f", "file"); ok && verb == "upload" && c.name == "az" {
		c.host.AddNet(model.Net{Sends: true})
		c.read(file)
	} else if ok && verb == "download" && c.name == "az" {
		c.fetched(File{Op: Write}, file)
	}
	if verb == "" || len(operands) == 0 {
		c.addresses(a.Operands) // mc alias set
		switch a.Word(0) {
		case "purge", "delete", "deletefile", "rmdir", "rmdirs":
			for _, w := range a.Operands[1:] {
				if c.name == "rclone" && !paths.InStore(w) {
					c.remove(true, w)
				}
			}
		}
		return
	}
	target := operands[len(operands)-1]
	sends := paths.InStore(target) || verb == "put" || verb == "upload"
	moves := verb == "mv" || verb == "move" || verb == "moveto"
	tree := verb != "cp" && verb != "copyto" && verb != "put" && verb != "get" || a.Has("r", "R", "recursive")
	for _, w := range operands {
		switch {
		case paths.InStore(w):
			n := model.Net{URL: w.Text, Sends: sends}
			if w.Known {
				n.Host = strings.ToLower(paths.RemoteHost(w))
			}
			c.host.AddNet(n)
		case verb == "cat" && w.Known: // mc cat alias/bucket/key
			c.host.AddNet(model.Net{URL: w.Text})
		case w == target && len(operands) > 1:
			c.fetched(File{Op: Write, Tree: tree}, w)
			if a.Has("delete", "d") && (verb == "sync" || verb == "rsync") || verb == "sync" && c.name == "rclone" {
				c.remove(true, w)
			}
		default:
			c.add(File{Op: Read, Tree: tree}, w)
			if moves {
				c.remove(tree, w)
			}
		}
	}
}

// fetched lists where a program puts what it gets from a host: a file, or standard output.
func (c *call) fetched(f File, w Word) {
	switch w.Text {
	case "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		c.host.AddNet(model.Net{Host: c.row.field("net"), URL: c.name})
	default:
		c.host.Wrote(c.add(f, w), Fetched)
	}
}

// unseen lists variables that, by their names, hold options: what is sent, and
// where what is fetched is put, is then known only to the running shell.
func (c *call) unseen() {
	for _, w := range c.args {
		if name := strings.ToLower(w.Text); !w.Known && strings.HasPrefix(name, "$") &&
			(strings.Contains(name, "opt") || strings.Contains(name, "arg") || strings.Contains(name, "flag")) {
			c.host.Doubt("argument", w.Text)
		}
	}
}
