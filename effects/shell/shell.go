package shell

import (
	"cmp"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// code interprets a word as shell code that a run executes: eval, sh -c.
func (d *deriver) code(w model.Word, run int, st *state, interpret func(text string)) {
	if w.Network {
		d.set.Codes = append(d.set.Codes, model.Code{Language: "shell", Origin: model.Network, Run: run})
		return
	}
	if !w.Known {
		uses := d.usesOf([]model.Word{w}, nil, model.Span{})
		if text := d.given(uses, st); text != "" && compute.IsExpansion(w.Text) {
			d.quietly(func() { interpret(text) })
			if len(uses) == 1 && d.catenates(uses[0], st) {
				return
			}
		}
		d.doubt("code", w.Text, run)
		if strings.Trim(w.Text, "\"' ") == "" || compute.IsExpansion(w.Text) {
			return // nothing in it is readable
		}
	}
	interpret(w.Text)
}

// shell interprets what a shell is told to run: with -c, in a file, or on its
// standard input.
func (d *deriver) shell(run int, st *state) {
	r := &d.set.Runs[run]
	args := r.Args
	st = st.copy()
	st.name = r.Path
	d.startup(run, d.set.Runs[run].Env, st)
	command, stdin := false, false
	i := 0
options:
	for ; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "--" || t == "-":
			i++
			break options
		case t == "--rcfile" || t == "--init-file":
			if i++; i < len(args) {
				d.contents("shell", d.path(args[i], d.here(st), st), run, st, func(text string) { d.script(text, run, st) })
			}
		case t == "--version" || t == "--help":
			return
		case strings.HasPrefix(t, "--"):
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			command = command || t[0] == '-' && strings.IndexByte(t, 'c') > 0
			stdin = stdin || t[0] == '-' && strings.IndexByte(t, 's') > 0
			if t[0] == '-' && strings.IndexByte(t, 'n') > 0 && !command {
				return // it only reads the script
			}
			if strings.ContainsAny(t[len(t)-1:], "oO") {
				i++ // the option's name follows
			}
		default:
			break options
		}
	}
	rest := args[min(i, len(args)):]
	if all, _ := compute.Option(args[:len(args)-len(rest)], "a", "allexport"); all {
		st.set("set -a", value{set: true, exported: true})
	}
	switch {
	case command && len(rest) > 0:
		st.args, st.more = nil, r.More
		if len(rest) > 1 {
			st.name, st.args = rest[1].Text, rest[2:]
		}
		d.code(rest[0], run, st, func(text string) { d.script(text, run, st) })
	case command:
		if r.More && r.By >= 0 && d.in[r.By].network {
			d.set.Codes = append(d.set.Codes, model.Code{Language: "shell", Origin: model.Network, Run: run})
		} else if r.More {
			d.doubt("code", "arguments that cannot be seen", run)
			d.quietly(func() { d.script(d.given([]int{r.By}, st), run, st) })
		}
	case len(rest) > 0 && !stdin && rest[0].Text != "/dev/stdin":
		st.args, st.more = rest[1:], r.More
		d.file(rest[0], run, st)
	default:
		st.args, st.more = rest, r.More
		d.stdin(run, st)
	}
}

// startup interprets variables that make a shell run something when it starts.
func (d *deriver) startup(run int, env []model.Assign, st *state) {
	for _, a := range env {
		switch a.Name {
		case "BASH_ENV", "ENV", "ZDOTDIR":
			d.contents("shell", d.path(a.Value, d.here(st), st), run, st, func(text string) { d.script(text, run, st) })
		default:
			d.prompts(a, run, st)
			if _, body, ok := strings.Cut(a.Value.Text, "()"); ok && strings.HasPrefix(a.Name, "BASH_FUNC_") {
				d.script(body, run, st)
			}
		}
	}
}

// prompts interprets variables that make a shell run something when it prompts.
func (d *deriver) prompts(a model.Assign, run int, st *state) {
	switch a.Name {
	case "PROMPT_COMMAND":
		d.code(a.Value, run, st, func(text string) { d.script(text, run, st) })
	case "PS0", "PS1", "PS2", "PS4":
		d.prompt(a.Value.Text, run, st)
	}
}

// prompt interprets what a prompt substitutes: PS4='$(ls)'.
func (d *deriver) prompt(text string, run int, st *state) {
	if strings.Contains(text, "$(") || strings.Contains(text, "`") {
		d.script(`: "`+text+`"`, run, st)
	}
}

// stdin interprets the standard input of a shell.
func (d *deriver) stdin(run int, st *state) {
	in := st.in
	st.in = stream{run: -1}
	switch {
	case in.network:
		d.set.Codes = append(d.set.Codes, model.Code{Language: "shell", Text: in.text, Origin: model.Network, Run: run})
	case !in.known && in.run >= 0:
		d.set.Codes = append(d.set.Codes, model.Code{Language: "shell", Text: in.text, Origin: model.Piped, Run: run})
		if text := d.given([]int{in.run}, st); text != "" {
			d.quietly(func() { d.script(text, run, st) })
		}
		if !d.catenates(in.run, st) {
			d.doubt("stdin", "a script that is piped in", run)
		}
	case !in.known:
		if file := in.file; file != nil && file != talks {
			d.set.Codes = append(d.set.Codes, model.Code{Language: "shell", Origin: model.OnDisk, File: *file, Run: run})
			if text, ok := d.onDisk(*file, st); ok {
				d.quietly(func() { d.script(text, run, st) })
				break
			}
		} else if text := d.given(d.usesOf(nil, nil, in.uses), st); text != "" { // <<< "$(cat x)"
			d.quietly(func() { d.script(text, run, st) })
		}
		d.doubt("stdin", "a script on standard input", run)
	}
	if in.text != "" && (in.known || !compute.IsExpansion(strings.TrimSpace(in.text))) {
		d.script(in.text, run, st)
	}
}

// file interprets a script file that a shell runs.
func (d *deriver) file(w model.Word, run int, st *state) {
	w.Text = cmp.Or(d.doors[d.path(w, d.here(st), st).Real], w.Text)
	if s, ok := d.special(w, "0", st); ok && len(d.held[w.Text]) == 0 {
		st.in = s
		d.stdin(run, st)
		return
	}
	p := d.path(w, d.here(st), st)
	st.name = w.Text
	if !w.Known {
		d.doubt("code", w.Text, run)
	}
	d.contents("shell", p, run, st, func(text string) { d.script(text, run, st) })
}

// contents runs what a file holds, if the line has written it, and lists it
// as code.
func (d *deriver) contents(language string, p model.Path, run int, st *state, interpret func(text string)) {
	held := d.holds(p)
	if len(held) == 0 {
		d.set.Codes = append(d.set.Codes, model.Code{Language: language, Origin: model.OnDisk, File: p, Run: run})
		if text, ok := d.onDisk(p, st); ok && d.enter(p.Text, st) {
			d.quietly(func() { interpret(text) })
			d.leave()
		}
		return
	}
	if !d.enter(p.Text, st) {
		return
	}
	defer d.leave()
	for _, s := range held {
		origin := model.Made
		if s.network {
			origin = model.Network
		}
		d.set.Codes = append(d.set.Codes, model.Code{Language: language, Text: s.text, Origin: origin, File: p, Run: run})
		if !s.known && !s.network {
			d.doubt("code", p.Text, run)
			s.text = cmp.Or(s.text, d.given([]int{s.run}, st))
		}
		if s.text != "" {
			interpret(s.text)
		}
	}
}

// sourced interprets source and the dot.
func (d *deriver) sourced(args []model.Word, run int, st *state) {
	if args = compute.Unmarked(args); len(args) == 0 { // fish reads standard input then
		d.stdin(run, st)
		return
	}
	if s, ok := d.special(args[0], "0", st); ok && len(d.held[args[0].Text]) == 0 {
		in := st.in
		st.in = s
		d.stdin(run, st)
		st.in = in
		return
	}
	outer, more := st.args, st.more
	if len(args) > 1 {
		st.args, st.more = args[1:], false
	}
	p := d.path(args[0], d.here(st), st)
	if !args[0].Known {
		d.doubt("code", args[0].Text, run)
	}
	if len(d.holds(p)) == 0 {
		d.touch(model.File{Op: model.Read, Path: p, Run: run}, st)
		st.sourced.Add(model.Span{From: run, To: run + 1})
	}
	d.contents("shell", p, run, st, func(text string) { d.inShell(text, run, st) })
	if ground := (paths.Ground{}); ground.Secret(p) {
		for name, v := range st.vars {
			if model.SecretVariable(name) { // its value is a secret, and stays one by its name
				v.text, v.known = "$"+name, false
				st.vars[name] = v
			}
		}
	}
	st.args, st.more = outer, more
}

// executable interprets a program that is a file of this line: ./x.sh.
func (d *deriver) executable(run int, st *state) {
	r := &d.set.Runs[run]
	p := model.Path{}
	if strings.ContainsAny(r.Path, `/\`) {
		p = d.paths.Resolve(model.Word{Text: r.Path, Known: true}, d.here(st))
	} else if p = d.installs(r.Path); p.Abs == "" {
		p = d.inFolders(r, st)
	}
	st = st.copy()
	st.name, st.args, st.more = r.Path, r.Args, r.More
	if held := d.holds(p); len(held) > 0 {
		d.contents(cmp.Or(recipes.Interpreter(r.Path, held[0].text), "shell"), p, run, st, func(text string) { d.executes(text, run, st) })
	} else if text, ok := d.onDisk(p, st); ok {
		d.quietly(func() { d.executes(text, run, st) })
	}
}

// executes interprets the text of a program by its first line; without one a shell runs it.
func (d *deriver) executes(text string, run int, st *state) {
	r := &d.set.Runs[run]
	if language := recipes.Interpreter(r.Path, text); language != "" {
		d.inline(language, text, run, st)
	} else if line := recipes.Starter(text); line != "" {
		d.script(line+" "+compute.Quote(append([]model.Word{word(r.Path)}, r.Args...)), run, st)
	} else {
		if language := recipes.Language(r.Path); r.By >= 0 && language != "shell" && language != "unknown" { // pm2 start x.js
			d.inline(language, text, run, st)
		}
		d.script(text, run, st)
	}
}

// inFolders is the program that a run finds in folders of somebody's own in its PATH.
func (d *deriver) inFolders(r *model.Run, st *state) model.Path {
	v, _ := st.lookup("PATH")
	list := v.text
	for _, e := range r.Env {
		if e.Name == "PATH" {
			list = e.Value.Text
		}
	}
	for folder := range strings.SplitSeq(list, ":") {
		if folder == "" || folder[0] == '$' || paths.OfSystem(folder+"/", d.world.Project) {
			continue
		}
		p := d.paths.Resolve(word(folder+"/"+r.Path), d.here(st))
		if info, err := d.world.Lstat(p.Real); p.Known() && err == nil && info.Mode().IsRegular() {
			return p
		}
	}
	return model.Path{}
}

// installs is where this line has put a program of that name so that a shell
// finds it.
func (d *deriver) installs(name string) model.Path {
	return model.Path{Text: d.programs[name], Abs: d.programs[name], Real: d.programs[name]}
}
