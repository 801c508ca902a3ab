package shell

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"mvdan.cc/sh/v3/syntax"
)

// builtin interprets a command that changes the shell's own state. It reports
// whether the command does nothing else.
func (d *deriver) builtin(run int, st *state) bool {
	r := &d.set.Runs[run]
	args := r.Args
	d.subscripts(run, st)
	switch r.Path {
	case "cd", "chdir", "pushd", "popd":
		d.changeDir(r.Path, args, run, st)
	case "export", "declare", "typeset", "local", "readonly":
		if len(args) == 0 || args[0].Text == "-p" {
			st.out.write(stream{run: run}, st)
		}
		for i := range args {
			if !strings.HasPrefix(args[0].Text, "-") || !strings.Contains(args[0].Text, "g") {
				d.localize(r.Path, args[i].Text, st)
			}
			if d.assignText(&args[i], st) && r.Path == "export" {
				name, _, _ := strings.Cut(args[i].Text, "=")
				v, _ := st.lookup(name)
				v.exported = true
				st.set(name, v)
				programs.Variable(&call{d: d, run: run, st: st, dir: d.here(st)},
					model.Assign{Name: name, Value: model.Word{Text: v.text, Known: v.known}})
			}
		}
	case "unset":
		for i := range args {
			if args[0].Text == "-n" { // the name, and not what it stands for
				st.put(args[i].Text, value{known: true})
				continue
			}
			st.set(args[i].Text, value{known: true})
			st.define(args[i].Text, nil)
		}
	case "set":
		if len(args) == 0 {
			st.out.write(stream{run: run}, st)
		}
		if on, _ := compute.Option(args, "x", "xtrace"); on {
			d.prompt(d.variable("PS4", st).text, run, st)
		}
		if on, ok := compute.Option(args, "a", "allexport"); ok {
			st.set("set -a", value{set: on})
		}
		if rest, ok := compute.Positional(args); ok {
			st.args, st.more = rest, r.More
		}
	case "shift":
		n, ok := 1, true
		if len(args) > 0 {
			n, ok = compute.Integer(args[0].Text)
		}
		if !ok || n > len(st.args) && st.more {
			st.args, st.more = nil, true
		} else if n <= len(st.args) { // otherwise it fails
			st.args = st.args[max(n, 0):]
		}
	case "read":
		d.readLine(run, st)
	case "mapfile", "readarray":
		d.readLines(run, st)
	case "getopts":
		v := value{set: true}
		for _, w := range compute.OptionValues(args, st.args) {
			v = oneOf(v, valueOf(w))
		}
		st.set("OPTARG", v)
	case "eval":
		d.code(compute.Join(compute.Unmarked(args)), run, st, func(text string) { d.inShell(text, run, st) })
	case "source", ".":
		d.sourced(args, run, st)
	case "alias":
		for i := range args {
			if name, text, ok := strings.Cut(args[i].Text, "="); ok {
				st.setAlias(name, text)
			}
		}
	case "unalias":
		for i := range args {
			st.setAlias(args[i].Text, "")
		}
	case "trap":
		d.trap(run, st)
	case "hash": // hash -p path name
		a := programs.Parse(r)
		if file, ok := a.Value("p"); ok && len(a.Operands) > 0 {
			st.setAlias(a.Word(0), compute.Quote([]model.Word{file}))
		}
	case "command", "builtin", "exec", "noglob", "nocorrect", "-":
		d.commandWord(r.Path, args, run, st)
	case "type", "whence":
		st.out.write(d.writes(run, st), st)
	case "printf":
		if len(args) > 1 && args[0].Text == "-v" {
			text, ok := compute.Printf(args[2:])
			v := value{text: text, known: ok && !r.More, set: true}
			for i := range args[2:] {
				v.uses.Add(args[2+i].Uses)
			}
			st.set(args[1].Text, v)
			return true
		}
		return false
	case "exit", "logout":
		st.left = true
	case "return": // outside of functions it fails
		st.left = st.left || len(d.frames) > 0
	case "break", "continue", "wait", "shopt", "umask", "disown", "fg", "bg", "jobs", "let", "ulimit", "times":
	default:
		return false
	}
	return true
}

// subscripts interprets code that a shell evaluates in the name of a variable:
// test -v 'a[$(ls)]'.
func (d *deriver) subscripts(run int, st *state) {
	switch d.set.Runs[run].Path {
	case "test", "[", "unset", "read", "printf", "let", "declare", "typeset", "local", "export", "readonly", "wait", "getopts":
		for _, w := range d.set.Runs[run].Args {
			if strings.Contains(w.Text, "[$(") || strings.Contains(w.Text, "[`") {
				d.prompt(w.Text, run, st)
			}
		}
	}
}

// commandWord interprets command, builtin and exec, behind which the command
// of the script itself stands.
func (d *deriver) commandWord(name string, args []model.Word, run int, st *state) {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") && args[0].Text != "-" {
		t := args[0].Text
		args = args[1:]
		if t == "--" {
			break
		}
		if name == "command" && strings.ContainsAny(t, "vV") {
			st.out.write(d.writes(run, st), st) // it only says what would run
			return
		}
		if name == "exec" && strings.HasSuffix(t, "a") && len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return
	}
	if st.depth >= maxNested {
		d.doubt("depth", args[0].Text, run)
		return
	}
	st.depth++
	d.start(args, run, st, started{more: d.set.Runs[run].More, env: d.set.Runs[run].Env, written: name != "exec", direct: true})
	st.depth--
}

func (d *deriver) changeDir(name string, args []model.Word, run int, st *state) {
	turns := name[0] == 'p' && compute.Turns(args)
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' && strings.Trim(args[0].Text[1:], "LPe@sqn-") == "" {
		args = args[1:]
	}
	to := model.Path{}
	switch {
	case turns: // some place of the stack, or here
	case name == "popd":
		if n := len(st.pushed); n > 0 {
			to, st.pushed = st.pushed[n-1], st.pushed[:n-1]
		}
	case len(args) == 0 && name == "pushd":
		if n := len(st.pushed); n > 0 {
			to = st.pushed[n-1]
		}
	case len(args) == 0:
		home := d.variable("HOME", st)
		to = d.paths.Resolve(model.Word{Text: home.text, Known: home.known}, st.dir)
	case args[0].Text == "-" && args[0].Known:
		to = st.oldDir
	default:
		w := args[0]
		if w.Known && !strings.HasPrefix(w.Text, "/") && !strings.HasPrefix(w.Text, ".") {
			w = d.searched(w, run, st)
		}
		if w.Known && w.Text == "" {
			to = st.dir
			break
		}
		to = d.paths.Resolve(w, d.here(st))
		if to.Real != "" { // through a link we are where it leads
			to.Abs = to.Real
		}
	}
	if name == "pushd" {
		d.steps += len(st.pushed)
		st.pushed = append(st.pushed[:len(st.pushed):len(st.pushed)], d.here(st))
	}
	if to.Abs == "" {
		what := name
		if len(args) > 0 {
			what += " " + args[0].Text
		}
		d.doubt("path", what, run)
	}
	was := st.dir
	d.spend(len(to.Abs))
	st.oldDir = d.here(st)
	st.dir, st.dirs, st.astray = to, nil, st.astray || d.missing(to)
	if run == 0 && d.missing(to) { // it fails, unless it is made in the meantime
		st.dirs, st.missed = []model.Path{was}, true
		return
	}
	st.missed = false
	if _, set := st.lookup("PWD"); set {
		st.set("PWD", value{text: to.Abs, known: to.Known(), set: true})
	}
}

// searched is where cd goes if CDPATH names directories to look in, and where it would go otherwise.
func (d *deriver) searched(w model.Word, run int, st *state) model.Word {
	list, _ := st.lookup("CDPATH")
	for _, a := range d.set.Runs[run].Env {
		if a.Name == "CDPATH" {
			list = valueOf(a.Value)
		}
	}
	if list.text == "" && (list.known || !list.set) {
		return w
	}
	for dir := range strings.SplitSeq(list.text, ":") {
		if dir == "" {
			dir = "."
		}
		at := model.Word{Text: strings.TrimRight(dir, "/") + "/" + w.Text, Known: true}
		if p := d.paths.Resolve(at, d.here(st)); list.known && !d.missing(p) {
			return at
		}
	}
	return model.Word{Text: w.Text}
}

// missing reports whether a place is known not to be there.
func (d *deriver) missing(p model.Path) bool {
	if p.Abs == "" || p.Glob {
		return false
	}
	_, err := d.world.Lstat(p.Abs)
	return errors.Is(err, fs.ErrNotExist)
}

// readLine interprets read: the next line of standard input becomes variables.
func (d *deriver) readLine(run int, st *state) {
	r := &d.set.Runs[run]
	a := programs.Parse(r)
	var names []string
	in := d.readFrom(r, &a, st)
	array, isArray := a.Value("a")
	for _, w := range append([]model.Word{array}, a.Operands...) {
		if syntax.ValidName(w.Text) {
			names = append(names, w.Text)
		}
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	mark, marked := a.Value("d")
	end := mark.Text
	if end = end[:min(len(end), 1)]; end == "" {
		end = map[bool]string{true: "\x00", false: "\n"}[marked]
	}
	line, rest, _ := strings.Cut(in.text, end)
	ok := (in.known || rest != "") && !a.Has("n", "N") && (mark.Known || !marked)
	if !a.Has("r") {
		line = strings.ReplaceAll(line, "\\", "")
	}
	blanks := " \t\n"
	if v, set := st.lookup("IFS"); set {
		blanks, ok = v.text, ok && v.known
	}
	for _, a := range r.Env {
		if a.Name == "IFS" {
			blanks, ok = a.Value.Text, ok && a.Value.Known
		}
	}
	if isArray {
		v := value{array: true, set: true, open: !ok, uses: model.Span{From: run, To: run + 1}}
		for _, f := range compute.Split(line+in.is, blanks) {
			v.list = append(v.list, model.Word{Text: f, Known: in.is == ""})
		}
		st.set(names[0], v)
		return
	}
	if len(names) == 1 && line == "" && !ok && len(in.places) > 0 { // find … | while read f
		v := valueOf(in.places[0])
		for _, other := range in.places[1:] {
			v.or = append(v.or, other.Text)
		}
		st.set(names[0], v)
		return
	}
	if len(names) == 1 && line == "" && !ok && in.names {
		st.set(names[0], value{set: true, names: true})
		return
	}
	line = strings.TrimSuffix(line, "\n") + in.is
	for i, name := range names {
		text := strings.Trim(line, blanks)
		if i < len(names)-1 {
			if at := strings.IndexAny(text, blanks); at >= 0 && blanks != "" {
				text, line = text[:at], text[at+1:]
			} else {
				line = ""
			}
		}
		v := value{text: text, known: ok, set: true, network: in.network, uses: in.uses}
		v.uses.Add(model.Span{From: run, To: run + 1})
		st.set(name, v)
	}
	if st.in.known {
		st.in.text = rest
	}
}

// readFrom is what read and mapfile read from: -u names a descriptor.
func (d *deriver) readFrom(r *model.Run, a *programs.Args, st *state) stream {
	fd, ok := a.Value("u")
	if !ok {
		return st.in
	}
	in := d.opened(st.files[fd.Text])
	r.Stdin = in.file
	return in
}

func (d *deriver) readLines(run int, st *state) {
	r := &d.set.Runs[run]
	a := programs.Parse(r)
	in := d.readFrom(r, &a, st)
	v := value{array: true, set: true, open: !in.known, uses: model.Span{From: run, To: run + 1}}
	if callback, ok := a.Value("C"); ok {
		d.code(callback, run, st, func(text string) { d.inShell(text+" 0 line", run, st) })
	}
	name := a.Word(0)
	if name == "" {
		name = "MAPFILE"
	}
	if len(in.places) > 0 { // mapfile -t found < <(find …)
		v.list = in.places
	} else if in.is != "" || in.network {
		v.list = []model.Word{{Text: in.is, Uses: in.uses, Network: in.network}}
	}
	if a.Has("d", "n", "O", "s") { // other elements, or in other places
		st.set(name, value{array: true, set: true, open: true, list: v.list})
		return
	}
	for line := range strings.Lines(in.text) {
		if len(v.list) >= maxBraces {
			v.open = true
			break
		}
		v.list = append(v.list, model.Word{Text: strings.TrimSuffix(line, "\n"), Known: true})
	}
	st.set(name, v)
}
