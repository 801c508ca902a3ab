package shell

import (
	"cmp"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"mvdan.cc/sh/v3/syntax"
)

// redirected is a file that a statement's redirections write.
type redirected struct {
	path   model.Path
	out    *sink // nil if this is not standard output
	append bool
}

// redirects are the files of one statement's redirections.
type redirects struct {
	written  []redirected
	files    int // the first of them among the set's files
	nets     int
	runs     int // and of the runs that came with them
	readers  int
	lasting  bool // exec 3> >(sh)
	compound bool // on a loop or a group: its first reader or writer gets them
}

// redirect applies redirections to st and lists what they do.
func (d *deriver) redirect(list []*syntax.Redirect, st *state) redirects {
	r := redirects{files: len(d.set.Files), nets: len(d.set.Nets), readers: len(d.readers)}
	for _, redir := range list {
		if d.steps += len(st.files); !d.step() { // opening one copies them
			break
		}
		fd := ""
		if redir.N != nil {
			fd = d.descriptor(redir.N.Value, st)
		}
		switch redir.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			d.input(fd, streamOf(d.document(redir, st)), st)
		case syntax.WordHdoc:
			w := d.single(redir.Word, st)
			w.Text += "\n"
			d.input(fd, streamOf(w), st)
		case syntax.DplIn, syntax.DplOut:
			w := d.single(redir.Word, st)
			if redir.Op == syntax.DplOut && !parse.IsDescriptor(w.Text) {
				d.target(redir, "", st, &r)
				continue
			}
			d.duplicate(fd, w.Text, redir.Op == syntax.DplIn, st, &r)
		default:
			d.target(redir, fd, st, &r)
		}
	}
	r.runs = len(d.set.Runs)
	return r
}

// descriptor returns the number of a descriptor. For {name} the shell picks one,
// and assigns it to the variable.
func (d *deriver) descriptor(text string, st *state) string {
	name, ok := strings.CutPrefix(strings.TrimSuffix(text, "}"), "{")
	if !ok {
		return text
	}
	number := itoa(10 + len(st.files))
	st.set(name, value{text: number, known: true, set: true})
	return number
}

func streamOf(w model.Word) stream {
	s := stream{text: w.Text, known: w.Known, network: w.Network, run: -1, uses: w.Uses, given: true}
	if !w.Known && compute.IsExpansion(strings.TrimSpace(w.Text)) {
		s.text, s.is = "", strings.TrimSpace(w.Text) // nothing of it is known
	}
	return s
}

func (d *deriver) input(fd string, s stream, st *state) {
	if fd == "" || fd == "0" {
		st.in = s
		return
	}
	st.open(fd, descriptor{in: s})
}

// duplicate interprets <&3, >&3, 2>&1, 3>&-.
func (d *deriver) duplicate(fd, from string, reads bool, st *state, r *redirects) {
	from = strings.TrimSuffix(from, "-")
	if reads {
		switch f, ok := st.files[from]; {
		case from == "0" && fd != "" && fd != "0":
			st.open(fd, descriptor{in: st.in})
		case ok:
			in := d.opened(f)
			if in.file != nil && !in.known {
				d.touch(model.File{Op: model.Read, Path: *in.file, Run: unowned, Shell: true}, st)
			}
			d.input(fd, in, st)
		case from == "":
			d.input(fd, certain(""), st)
		}
		return
	}
	out := st.out
	if f, ok := st.files[from]; ok {
		out = f.out
		if f.host != nil {
			d.set.Nets = append(d.set.Nets, *f.host)
		}
		if f.out != nil && f.path.Text != "" {
			r.written = append(r.written, redirected{path: f.path, out: f.out})
		}
	} else if from != "1" {
		out = nil
	}
	switch fd {
	case "", "1":
		st.out = out
	case "0":
		if f, ok := st.files[from]; ok { // 0>&1 behind >/dev/tcp/…
			st.in = f.in
		}
	case "2":
	default:
		st.open(fd, descriptor{out: out})
	}
}

// target interprets a redirection to or from a file. zsh takes several: >{a,b}.
func (d *deriver) target(redir *syntax.Redirect, fd string, st *state, r *redirects) {
	words, _ := d.braces(redir.Word)
	for _, word := range words {
		d.each(func() { d.targetWord(redir, d.single(word, st), fd, st, r) })
	}
}

func (d *deriver) targetWord(redir *syntax.Redirect, w model.Word, fd string, st *state, r *redirects) {
	reads, both, appends := redir.Op == syntax.RdrIn, redir.Op == syntax.RdrInOut, false
	switch redir.Op {
	case syntax.AppOut, syntax.AppAll, syntax.AppClob, syntax.AppAllClob:
		appends = true
	case syntax.RdrInOut:
		fd = cmp.Or(fd, "0")
	}
	if d.socket(w, fd, reads, st) {
		return
	}
	p := d.paths.Resolve(w, d.place(st))
	content, special := d.special(w, fd, st)
	if reads || both {
		if !special {
			d.touch(model.File{Op: model.Read, Path: p, Run: unowned, Shell: true}, st)
			content = d.content(p)
		}
		if !special || w.Text == "/dev/null" {
			content.file = &p
		}
		d.input(fd, content, st)
	}
	standard := fd == "" || fd == "1" || strings.HasPrefix(redir.Op.String(), "&")
	switch {
	case reads:
	case special && w.Text == "/dev/null" && standard:
		st.out = &sink{run: -1, null: true}
	case special:
		d.toDescriptor(w.Text, fd, st, r)
	default:
		var out *sink
		if standard || fd != "2" {
			out = newSink(st)
			out.unknown = both // the rest of the file stays
		}
		if standard {
			st.out = out
		} else if out != nil {
			st.open(fd, descriptor{in: content, out: out, path: p})
		}
		d.touch(model.File{Op: model.Write, Path: p, Append: appends || both, Run: unowned, Shell: true}, st)
		if standard || !both { // otherwise nothing is written yet
			r.written = append(r.written, redirected{path: p, out: out, append: appends})
		}
	}
}

// special handles names that are not files: /dev/null, /dev/stdin, /dev/fd/3.
func (d *deriver) special(w model.Word, fd string, st *state) (stream, bool) {
	n, ok := compute.Descriptor(w.Text)
	switch {
	case n == "0":
		return st.in, true
	case n == "1" || n == "2" || w.Text == "/dev/tty":
		return stream{run: -1}, true
	case ok:
		if f, ok := st.files[n]; ok {
			return d.opened(f), true
		}
		if s := d.held[w.Text]; len(s) > 0 {
			return s[0], true
		}
		return stream{run: -1}, w.Known && strings.HasPrefix(w.Text, "/dev/")
	case !w.Known:
		return stream{}, false
	}
	switch w.Text {
	case "/dev/null":
		return certain(""), true
	case "/dev/zero", "/dev/urandom", "/dev/random":
		return stream{run: -1}, fd == "" || fd == "0"
	}
	return stream{}, false
}

// opened is what can be read from a descriptor.
func (d *deriver) opened(f descriptor) stream {
	if in := f.in; in.file == nil || in.known || len(d.holds(*in.file)) == 0 {
		return in
	}
	s := d.content(*f.in.file) // written since then
	s.file = f.in.file
	return s
}

// path resolves a word. The name of a descriptor is the file that is open there.
func (d *deriver) path(w model.Word, dir model.Path, st *state) model.Path {
	if strings.HasPrefix(w.Text, "/dev/") || strings.HasPrefix(w.Text, "/proc/") {
		if s, ok := d.special(w, "0", st); ok && s.file != nil && s.file != talks {
			return *s.file
		}
	}
	return d.paths.Resolve(w, dir)
}

// toDescriptor sends output to a process substitution, or to a descriptor.
func (d *deriver) toDescriptor(name, fd string, st *state, r *redirects) {
	n, ok := strings.CutPrefix(name, "/dev/fd/")
	if st.out != nil && st.out.null {
		st.out = nil // stderr is visible
	}
	if fd != "" && fd != "1" || !ok {
		return
	}
	if f, ok := st.files[n]; ok {
		st.out = f.out
		return
	}
	for i := range d.readers {
		if d.readers[i].name == name {
			st.out = newSink(st)
			r.written = append(r.written, redirected{path: model.Path{Text: name}, out: st.out})
		}
	}
}

// socket interprets a redirection to /dev/tcp/host/port, if it is one.
func (d *deriver) socket(w model.Word, fd string, reads bool, st *state) bool {
	rest, ok := strings.CutPrefix(w.Text, "/dev/tcp/")
	if !ok {
		if rest, ok = strings.CutPrefix(w.Text, "/dev/udp/"); !ok {
			return false
		}
	}
	host, port, _ := strings.Cut(rest, "/")
	if !w.Known && strings.ContainsAny(host, "$`") {
		host = ""
	}
	n := model.Net{Host: strings.ToLower(host), Port: port, Sends: !reads, Run: unowned, Shell: true}
	d.set.Nets = append(d.set.Nets, n)
	remote := stream{network: true, run: -1}
	switch {
	case reads || fd == "0":
		d.input(fd, remote, st)
	case fd != "" && fd != "1":
		st.open(fd, descriptor{in: remote, host: &n})
	default:
		st.out = nil
		st.open("1", descriptor{in: remote})
	}
	return true
}

// content is what can be read from a file.
func (d *deriver) content(p model.Path) stream {
	held := d.holds(p)
	if len(held) == 0 {
		return stream{run: -1}
	}
	s := held[0]
	for _, other := range held[1:] {
		s.known = s.known && other.known && other.text == s.text
		s.network = s.network || other.network
	}
	return s
}

// touch lists what happens to a file of this machine.
func (d *deriver) touch(f model.File, st *state) {
	if st.remote {
		d.set.Files = append(d.set.Files, st.ours(f)...)
		return
	}
	if f.Path.Known() && paths.Quiet(f.Path.Abs) {
		return
	}
	f.Device = f.Path.Known() && paths.Special(f.Path.Abs)
	d.set.Files = append(d.set.Files, f)
	if !f.Path.Known() {
		d.doubt("path", f.Path.Text, max(f.Run, -1))
	}
}

// close ends redirections: it says which run they belong to, and notes what
// was written.
func (d *deriver) close(r redirects, st *state) {
	run := st.by
	if len(d.set.Runs) > r.runs {
		run = r.runs
		if d.last >= r.runs && !r.compound {
			run = d.last
		}
	}
	for i := r.files; i < len(d.set.Files); i++ {
		if d.set.Files[i].Run == unowned {
			d.set.Files[i].Run = run
		}
	}
	for i := r.nets; i < len(d.set.Nets); i++ {
		if d.set.Nets[i].Run == unowned {
			d.set.Nets[i].Run = run
		}
	}
	for _, w := range r.written {
		s := stream{run: -1}
		if w.out != nil {
			s = w.out.stream()
		}
		if w.append {
			d.appended(w.path, s, st)
		} else {
			d.wrote(w.path, s, st)
		}
	}
	if r.lasting { // what will be written is not known
		run = -1
	}
	d.read(r.readers, run, st)
}

// unowned marks what belongs to a run that is not listed yet.
const unowned = -2

// read lets the >(…) that have come up since then read what was written.
func (d *deriver) read(since, run int, st *state) {
	for len(d.readers) > since {
		r := d.readers[since]
		d.readers = append(d.readers[:since:since], d.readers[since+1:]...)
		s := stream{run: run}
		if held := d.held[r.name]; len(held) > 0 {
			s = held[0]
		}
		sub := st.copy()
		sub.apart++
		d.inside(r.node, r.node.Stmts, sub, s)
	}
}
