package shell

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/varnames"
	"mvdan.cc/sh/v3/syntax"
)

// simple is a simple command with its words expanded.
type simple struct {
	words  []model.Word
	more   bool
	env    []model.Assign
	source string // the first word as written
	dir    model.Path
}

// call interprets a simple command, once for each of its possible meanings.
func (d *deriver) call(call *syntax.CallExpr, st *state) {
	if len(call.Args) == 0 {
		for _, a := range call.Assigns {
			all, _ := st.own("set -a")
			_, inherited := d.world.LookupEnv(a.Name.Value)
			if v, _ := st.lookup(a.Name.Value); all.set || v.exported || inherited && !st.remote {
				d.declare(&syntax.DeclClause{Variant: &syntax.Lit{Value: "export"}, Args: []*syntax.Assign{a}}, st)
			} else {
				d.assign(a, st, false)
			}
		}
		return
	}
	readers := len(d.readers)
	ways := make([]simple, 0, 1)
	c := d.choosing()
	for {
		s := simple{source: call.Args[0].Lit()}
		for _, a := range call.Assigns {
			s.env = append(s.env, model.Assign{Name: a.Name.Value, Value: d.assigned(a, st)})
		}
		s.words, s.more = d.fields(call.Args, st)
		s.dir = d.place(st)
		ways = append(ways, s)
		if !d.next(c) {
			break
		}
	}
	d.chosen(c)
	outer := d.choice
	d.choice = nil
	if len(ways) == 1 {
		d.simple(ways[0], st)
		if n := len(ways[0].words); n > 0 && !ways[0].more {
			st.prior = ways[0].words[n-1]
		}
	} else {
		d.ways(ways, st)
	}
	d.choice = outer
	d.read(readers, d.last, st)
}

// ways runs alternatives, of which exactly one is taken.
func (d *deriver) ways(ways []simple, st *state) {
	results := make([]*state, len(ways))
	for i := range ways {
		way := st.copy()
		way.dir, way.dirs, way.maybe = ways[i].dir, nil, true
		d.simple(ways[i], way)
		results[i] = way
	}
	st.join(results[0], results[1])
	for _, way := range results[2:] {
		st.merge(way)
	}
}

// simple runs one command: a function, an alias, a builtin or a program.
func (d *deriver) simple(s simple, st *state) {
	if len(s.words) == 0 {
		if s.more { // the command itself is a variable
			d.unknown("", s, st)
			return
		}
		for _, a := range s.env {
			st.set(a.Name, valueOf(a.Value))
		}
		return
	}
	if text, ok := st.alias(s.words[0].Text); ok && s.source == s.words[0].Text && !st.plain {
		// A non-interactive shell ignores aliases, so it may be either.
		way := st.copy()
		way.plain = true
		way.perhaps(true)
		d.within(text+" "+compute.Quote(s.words[1:]), way)
		st.merge(way)
	}
	d.start(s.words, st.by, st, started{env: s.env, more: s.more, written: true})
}

func valueOf(w model.Word) value {
	return value{text: w.Text, known: w.Known, glob: w.Glob, network: w.Network, some: w.Some, names: w.Names, uses: w.Uses, set: true}
}

// unknown lists a command whose program is unknown.
func (d *deriver) unknown(text string, s simple, st *state) {
	run := d.add(model.Run{Path: text, Env: s.env, More: true}, st.by, st)
	d.doubt("program", text, run)
}

// started says how a program differs from the one that starts it.
type started struct {
	more    bool // it gets further arguments that are unknown
	root    bool // with more rights
	remote  bool // on another machine
	dir     *model.Path
	env     []model.Assign
	in      *stream // its standard input, if that is not the starter's
	written bool    // a command in the script itself: functions and builtins apply
	direct  bool    // but functions do not apply: command rm
}

// start lists a program that the run by starts, with everything it does. The first
// word is the program.
func (d *deriver) start(words []model.Word, by int, st *state, o started) {
	if len(words) == 0 || !d.step() {
		return
	}
	if !o.written {
		st = st.copy()
		if st.depth++; st.depth > maxNested {
			d.doubt("depth", words[0].Text, by)
			return
		}
	}
	st.root, st.remote = st.root || o.root, st.remote || o.remote
	if o.dir != nil {
		st.dir, st.dirs = *o.dir, nil
	}
	if o.in != nil {
		st.in = *o.in
	}
	name, path, sure := compute.ProgramName(&words[0])
	if !sure {
		d.doubtful(words, by, st, o)
		return
	}
	if verb, ok := strings.CutPrefix(name, "git-"); ok && recipes.GitOwn(verb) { // git-push is git push
		words = append([]model.Word{{Text: "git", Known: true}, {Text: verb, Known: true}}, words[1:]...)
		name, path = "git", "git"
	}
	if o.written && !o.direct {
		if f := st.function(words[0].Text); f != nil {
			d.invoke(words[0].Text, f, words[1:], o, st)
			return
		}
	}
	run := d.add(model.Run{Program: name, Path: path, Args: words[1:], Env: o.env, More: o.more}, by, st)
	d.set.Runs[run].Data = d.rows[run].Data()
	if names := d.rows[run].Variables(); names != "" && st.sets() {
		d.exports(run, names, st)
	}
	if o.written && by < 0 && d.rows[run].Flag("reset") {
		d.set.Runs[run].Inherit(func(name string) (model.Word, bool) {
			v := d.variable(name, st)
			return model.Word{Text: v.text, Known: v.known}, v.exported
		})
	}
	d.perform(run, st, o)
	if o.written {
		d.last = run
	}
}

// exports adds the variables that act as options of a run, if this call has set
// them.
func (d *deriver) exports(run int, names string, st *state) {
	r := &d.set.Runs[run]
	for one := range strings.FieldsSeq(names) {
		name, _, _ := strings.Cut(one, "=")
		v, ok := st.lookup(name)
		if ok && v.exported && v.set && !slices.ContainsFunc(r.Env, func(a model.Assign) bool { return a.Name == name }) {
			r.Env = append(slices.Clip(r.Env), model.Assign{Name: name, Value: model.Word{Text: v.text, Known: v.known}})
		}
	}
}

// doubtful starts a program whose name is unknown.
func (d *deriver) doubtful(words []model.Word, by int, st *state, o started) {
	w := &words[0]
	if name := optnames.Likely(w, compute.Match); name != "" { // /bin/r? is a pattern that matches rm
		run := d.add(model.Run{Program: name, Path: w.Text, Args: words[1:], Env: o.env, More: o.more}, by, st)
		d.doubt("program", w.Text, run)
		d.perform(run, st, o)
		return
	}
	run := d.add(model.Run{Path: w.Text, Args: words[1:], Env: o.env, More: true}, by, st)
	d.set.Runs[run].Uses = append(d.set.Runs[run].Uses, d.usesOf(words[:1], nil, model.Span{})...)
	if w.Network {
		d.set.Codes = append(d.set.Codes, model.Code{Language: "shell", Origin: model.Network, Run: run})
	} else if text := d.given(d.set.Runs[run].Uses, st); text != "" && compute.IsExpansion(w.Text) {
		d.quietly(func() { d.script(text, run, st) })
	}
	d.doubt("program", w.Text, run)
	st.out.write(stream{run: run, network: st.in.network}, st)
}

// add lists a run.
func (d *deriver) add(r model.Run, by int, st *state) int {
	run := len(d.set.Runs)
	r.By, r.Root, r.Remote = by, st.root, st.remote
	r.Dir, r.Astray = d.here(st), st.astray
	r.From, r.Sole, r.Stdin, r.Silent = st.in.run, st.in.sole, st.in.file, st.out != nil && st.out.null
	r.Uses = d.usesOf(r.Args, r.Env, st.in.uses)
	if r.Program == "env" || r.Program == "printenv" || r.Program == "set" { // they print what was sourced
		r.Uses = append(r.Uses, d.usesOf(nil, nil, st.sourced)...)
	}
	if st.in.known && st.in.text != "" || st.in.known && st.in.run >= 0 {
		r.Input = new(st.in.text)
	}
	if d.set.Runs == nil {
		d.set.Runs, d.in, d.rows = d.first.runs[:0], d.first.in[:0], d.first.rows[:0]
	}
	if r.From >= run { // 0>f: no program reads its own output
		r.From = -1
	}
	row, _ := programs.Lookup(r.Program)
	d.set.Runs, d.in, d.rows, d.last = append(d.set.Runs, r), append(d.in, st.in), append(d.rows, row), run
	return run
}

// here returns the working directory, if there is only one possibility.
func (d *deriver) here(st *state) model.Path {
	if len(st.dirs) > 0 {
		return model.Path{Text: st.dir.Text}
	}
	return st.dir
}

// perform interprets a run: the shell's own commands change st, wrappers start
// something else, and program handles the rest.
func (d *deriver) perform(run int, st *state, o started) {
	files, nets := len(d.set.Files), len(d.set.Nets)
	if o.written && d.builtin(run, st) {
		return
	}
	if len(o.env) > 0 { // for this run only
		st = st.copy()
		for _, a := range o.env {
			v := valueOf(a.Value)
			v.exported = true
			st.set(a.Name, v)
		}
	}
	d.program(run, st)
	if len(d.set.Nets) > nets || d.rows[run].Talks() {
		d.reached(run, st)
	}
	d.ownFiles(files, st)
	if st.remote { // files on other machines do not matter here
		d.set.Doubts = slices.DeleteFunc(d.set.Doubts, func(x model.Doubt) bool { return x.Code == "path" && x.Run >= run })
	}
	out := d.writes(run, st)
	if text := d.prints[run]; text != "" && !out.known {
		out.text += text
	}
	out.network = out.network || d.in[run].network || len(d.set.Nets) > nets && fetches(d.set.Nets[nets:], run)
	d.helpers(run, o.env, st)
	if d.wrap(run, st) {
		return
	}
	st.out.write(out, st)
}

// helpers lists programs that variables tell a program to run: GIT_EDITOR, PAGER.
func (d *deriver) helpers(run int, env []model.Assign, st *state) {
	for _, a := range env {
		named := model.Editor(a.Name, a.Value.Text) && !model.OpensEditor(&d.set.Runs[run])
		if model.RunsValue(a.Name) && a.Value.Text != "" && !named {
			way := st.copy()
			way.perhaps(true)
			way.in, way.out = stream{run: -1}, nil
			if strings.Contains(a.Name, "SSH") || strings.HasSuffix(a.Name, "_RSH") {
				way.in.file = talks
			}
			a.Value.Text = strings.TrimLeft(a.Value.Text, "|-")
			d.code(a.Value, run, way, func(text string) { d.script(text, run, way) })
		}
	}
}

// reached lists hosts that a program takes from variables: proxies, registries.
func (d *deriver) reached(run int, st *state) {
	if !st.sets() {
		return
	}
	c := &call{d: d, run: run, st: st}
	for _, name := range varnames.Hosts() {
		if v, ok := st.lookup(name); ok && v.exported && v.set {
			programs.Reached(c, model.Word{Text: v.text, Known: v.known})
		}
	}
}

// ownFiles drops effects that are not on files of this machine: pipes, and files
// of other machines.
func (d *deriver) ownFiles(since int, st *state) {
	kept := d.set.Files[:since]
	for _, f := range d.set.Files[since:] {
		if st.remote && len(st.mounts) > 0 {
			kept = append(kept, st.ours(f)...)
		}
		if st.remote {
			d.set.Far = append(d.set.Far, f)
		} else if !strings.HasPrefix(f.Path.Text, "/dev/fd/") {
			kept = append(kept, f)
		}
	}
	d.set.Files = kept
}

func fetches(nets []model.Net, run int) bool {
	return slices.ContainsFunc(nets, func(n model.Net) bool { return n.Run == run && !n.Listens })
}

// frame is a function or script that is running.
type frame struct {
	name  string
	args  string
	apart int            // background jobs and pipes around its start
	ifs   int            // and conditions
	outer []func(*state) // restore the variables that it declares
}

// maxSelf limits how often a function is followed that calls itself with other arguments.
const maxSelf = 3

// enter pushes a function or script. It stops recursion at some point; if each
// call starts another process, the function is a bomb.
func (d *deriver) enter(name string, st *state) bool {
	line := compute.Join(st.args).Text
	again := 0
	for i := len(d.frames) - 1; i >= 0; i-- {
		f := &d.frames[i]
		if f.name != name {
			continue
		}
		again++
		switch {
		case st.apart > f.apart && st.ifs == f.ifs:
			d.bomb(name)
			return false
		case f.args == line: // it would do the same again
			return false
		case again >= maxSelf:
			d.doubt("argument", name+" runs itself with "+line, st.by)
			return false
		}
	}
	if len(d.frames) >= maxNested {
		d.doubt("depth", name, st.by)
		return false
	}
	d.frames = append(d.frames, frame{name: name, args: line, apart: st.apart, ifs: st.ifs})
	return true
}

func (d *deriver) leave() { d.frames = d.frames[:len(d.frames)-1] }

// invoke runs a function of the script.
func (d *deriver) invoke(name string, f *function, args []model.Word, o started, st *state) {
	outerArgs, outerMore, source := st.args, st.more, d.source
	st.args, st.more = args, o.more
	if d.enter(name+"()", st) {
		d.source = f.source
		for _, a := range o.env {
			st.set(a.Name, valueOf(a.Value))
		}
		d.stmt(f.body, st)
		for _, restore := range slices.Backward(d.frames[len(d.frames)-1].outer) {
			restore(st)
		}
		d.leave()
		st.left = false // return ends the function only
	} else {
		st.out.write(stream{run: -1}, st)
	}
	st.args, st.more, d.source = outerArgs, outerMore, source
}
