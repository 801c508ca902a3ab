package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// wrap starts the program that a run starts. It reports whether the run's output
// is that of the program.
func (d *deriver) wrap(run int, st *state) bool {
	r := &d.set.Runs[run]
	name, args := d.rows[run].Name, r.Args
	switch runs := d.rows[run].Runs(); runs {
	case "shell", "xargs", "parallel", "ssh", "su":
		starts := map[string]func(int, *state){"shell": d.shell, "xargs": d.xargs, "parallel": d.parallel, "ssh": d.ssh, "su": d.su}
		starts[runs](run, st)
		return true
	case "find":
		d.find(args, run, st)
		return false
	case "self": // package programs has started it
		return false
	case "line":
		a := d.parsed(run)
		if a.Has("x", "exec") { // it is not for a shell
			d.start(a.Operands, run, st, started{more: r.More})
			return true
		}
		d.code(compute.Join(a.Operands), run, st, func(text string) { d.script(text, run, st) })
		return true
	case "option":
		if a := d.parsed(run); !d.optionScript(run, st) && name == "script" && len(a.Operands) > 1 { // script file command
			d.start(a.Operands[1:], run, st, started{})
		}
		return true
	case "each":
		for _, w := range d.parsed(run).Operands {
			if w.Known {
				d.script(recipes.Shortcut(name, w.Text), run, st)
			}
		}
		return false
	case "tmux", "screen":
		d.multiplexer(name, args, run, st)
		return false
	case "container":
		return d.container(run, st)
	case "windows":
		d.windows(name, run, st)
		return true
	case "ansible":
		d.ansible(run, st)
		return false
	case "others":
		d.others(name, args, run, st)
		return false
	}
	if found, ok := d.rows[run].Wraps(args); ok {
		return d.wrapper(&found, run, st)
	}
	if words := d.rows[run].Bin(args); len(words) > 0 {
		d.start(words, run, st, started{more: r.More})
		return true
	}
	if i := compute.Index(args, "--") + 1; name == "" && i > 0 && i < len(args) && !strings.HasPrefix(args[i].Text, "-") {
		d.start(args[i:], run, st, started{more: r.More}) // an unknown program: x exec -- rm
	}
	d.executable(run, st)
	return false
}

// parsed returns the parsed arguments of a run.
func (d *deriver) parsed(run int) programs.Args { return d.rows[run].Parse(d.set.Runs[run].Args) }

// wrapper starts the command after the options of sudo, env, nice and the like. It
// reports whether there is one.
func (d *deriver) wrapper(found *programs.Wrapped, run int, st *state) bool {
	r := &d.set.Runs[run]
	o := started{more: r.More, env: r.Env, root: found.Row.Flag("root")}
	sub := st.copy()
	shell := func(w model.Word) bool {
		d.code(w, run, sub, func(text string) { d.script(text, run, sub) })
		return true
	}
	for _, w := range found.Assigns {
		variable, text, _ := strings.Cut(w.Text, "=")
		w = model.Word{Text: text, Known: w.Known}
		o.env = append(o.env[:len(o.env):len(o.env)], model.Assign{Name: variable, Value: w})
		sub.set(variable, value{text: text, known: w.Known, set: true, exported: true})
	}
	d.wrapperOptions(found, &o, sub)
	words := found.Words
	if found.Script != nil { // env -S: a command line that is only split
		line := found.Script.Text
		if strings.HasPrefix(line, "-") {
			line = found.Row.Name + " " + line
		}
		return shell(model.Word{Text: line + " " + compute.Quote(words), Known: found.Script.Known})
	}
	if line, ok := found.Code(); ok { // npx -c
		return shell(line)
	}
	switch {
	case len(words) == 0:
		if opens := found.Row.Flag("opens") && !found.Has("version", "help") || found.Has("s", "i") && o.root; !opens {
			return false
		}
		words = []model.Word{{Text: "sh", Known: true}} // it reads standard input
	case words[0].Text == "-c" && len(words) > 1 && found.Row.Name == "flock":
		return shell(words[1])
	case found.Has("shell-mode"):
		return shell(words[0])
	case found.Has("edit") && o.root:
		for _, w := range words {
			d.touch(model.File{Op: model.Write, Path: d.paths.Resolve(w, d.here(st)), Run: run}, st)
		}
		return false
	}
	d.start(words, run, sub, o)
	return true
}

// wrapperOptions applies the options that change how a program runs.
func (d *deriver) wrapperOptions(found *programs.Wrapped, o *started, st *state) {
	if w, ok := found.Value("chdir", "working-directory"); ok {
		p := d.paths.Resolve(w, d.here(st))
		o.dir = &p
	} else if found.Has("login") && o.root {
		o.dir = &model.Path{Text: "~"}
	}
	found.Values(func(w model.Word) { st.set(w.Text, value{known: true}) }, "unset")
	if found.Row.Flag("elsewhere") { // other files under the same names
		o.dir = &model.Path{Text: "/"}
		if len(found.Own) > 0 && found.Own[0].Text == "/" {
			o.dir = &model.Path{Text: "/", Abs: "/", Real: "/"}
		}
	}
}

// su interprets su -c, and a bare su, which opens a shell.
func (d *deriver) su(run int, st *state) {
	r := &d.set.Runs[run]
	sub := st.copy()
	sub.root = true
	if d.optionScript(run, sub) {
		return
	}
	if a := d.parsed(run); r.Program == "runuser" && len(a.Operands) > max(a.Separator, 0) && (a.Separator >= 0 || a.Has("u", "user")) {
		d.start(a.Operands[max(a.Separator, 0):], run, sub, started{more: r.More})
		return
	}
	d.start([]model.Word{{Text: "sh", Known: true}}, run, sub, started{})
}

// optionScript interprets the values of options as scripts. It reports whether
// there are any.
func (d *deriver) optionScript(run int, st *state) bool {
	a := d.parsed(run)
	w, ok := a.Code()
	if ok {
		d.code(w, run, st, func(text string) { d.script(text, run, st) })
	}
	return ok
}

// multiplexer interprets the commands with which tmux and screen open windows.
func (d *deriver) multiplexer(name string, args []model.Word, run int, st *state) {
	typed := func(keys []model.Word) {
		d.code(compute.Keys(keys), run, st, func(text string) { d.inline(languages.Typed, text, run, st) })
	}
	if name == "screen" {
		for i := 0; i < len(args); i++ {
			switch t := args[i].Text; {
			case t == "-X" && i+2 < len(args) && args[i+1].Text == "stuff":
				typed(args[i+2:])
				return
			case len(t) > 1 && t[0] == '-' && strings.IndexByte("SThcstpL", t[len(t)-1]) >= 0:
				i++
			case strings.HasPrefix(t, "-"):
			default:
				d.start(args[i:], run, st, started{})
				return
			}
		}
		return
	}
	for _, w := range args { // commands in formats: #(…)
		_, w.Text, _ = strings.Cut(w.Text, "#(")
		d.script(strings.TrimRight(w.Text, " )"), run, st)
	}
	i := 0
	for i < len(args) && strings.HasPrefix(args[i].Text, "-") {
		if strings.ContainsAny(args[i].Text, "LSfTc") {
			i++
		}
		i++
	}
	if end := compute.Index(args, ";"); end >= 0 { // another command of its own
		d.multiplexer(name, args[end+1:], run, st)
		args = args[:end]
	}
	if i >= len(args) {
		return
	}
	switch verb := args[i].Text; verb {
	case "send-keys", "send":
		typed(args[i+1:])
	case "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawn-window", "run-shell", "run",
		"display-popup", "popup", "if-shell", "if", "pipe-pane", "pipep":
		for i++; i < len(args); i++ {
			if t := args[i].Text; strings.HasPrefix(t, "-") && len(t) > 1 {
				if strings.ContainsAny(t[len(t)-1:], "ceFfnstxylp") {
					i++
				}
				continue
			}
			for strings.HasPrefix(verb, "if") && len(args) > i+1 { // these are its own commands
				own := args[len(args)-1]
				d.code(model.Word{Text: name + " " + own.Text, Known: own.Known}, run, st, func(text string) { d.script(text, run, st) })
				args = args[:len(args)-1]
			}
			d.code(compute.Join(args[i:]), run, st, func(text string) { d.script(text, run, st) })
			return
		}
	}
}

// temporary returns a name that mktemp may create: by its template, or in the
// directory for temporary files.
func (d *deriver) temporary(r *model.Run, st *state) string {
	dir := "/tmp"
	if v := d.variable("TMPDIR", st); v.known && v.text != "" {
		dir = v.text
	}
	a := programs.Parse(r)
	if w, ok := a.Value("p", "tmpdir"); ok && w.Known && w.Text != "" {
		dir = w.Text
	}
	name := a.Word(0)
	switch {
	case name == "":
		name = "tmp.XXXXXXXXXX"
	case strings.Contains(name, "/") || !a.Has("t", "p", "tmpdir"): // it stands for itself
		return name
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}
