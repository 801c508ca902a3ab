package shell

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs"
)

// wrap starts what a run starts in turn. It reports whether the run's output
// is that of what it starts.
func (d *deriver) wrap(name string, run int, st *state) bool {
	r := &d.set.Runs[run]
	args := r.Args
	switch {
	case programs.IsShell(name):
		d.shell(run, st)
		return true
	case name == "busybox" || name == "toybox":
		d.start(args, run, st, started{more: r.More})
		return true
	}
	switch name {
	case "xargs", "gxargs":
		d.xargs(run, st)
		return true
	case "parallel":
		d.parallel(run, st)
		return true
	case "find", "gfind", "bfs":
		d.find(args, run, st)
		return false
	case "fd", "fdfind", "uv": // program knows
		return false
	case "ssh", "mosh", "autossh", "sshpass":
		d.ssh(name, run, st)
		return true
	case "su", "runuser":
		d.su(run, st)
		return true
	case "watch":
		d.watch(run, st)
		return true
	case "script":
		d.optionScript(args, "-c", "--command", run, st)
		return true
	case "tmux", "screen", "byobu":
		d.multiplexer(name, args, run, st)
		return false
	case "docker", "podman", "nerdctl", "kubectl", "oc", "docker-compose", "lxc", "incus", "wsl", "flatpak-spawn", "toolbox", "distrobox":
		return d.container(name, args, run, st)
	case "pwsh", "powershell", "cmd":
		d.windows(name, run, st)
		return true
	case "ansible":
		d.ansible(args, run, st)
		return false
	case "nix-shell", "nix", "entr", "hyperfine", "concurrently", "nodemon", "expect":
		d.others(name, args, run, st)
		return false
	}
	if spec, ok := programs.WrapperOf(name); ok {
		return d.wrapper(name, spec, run, st)
	}
	d.executable(run, st)
	return false
}

func texts(words []Word) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = words[i].Text
	}
	return out
}

// wrapper starts what stands behind the options of sudo, env, nice and the
// like. It reports whether there is anything.
func (d *deriver) wrapper(name string, spec programs.Wrapper, run int, st *state) bool {
	r := &d.set.Runs[run]
	args := r.Args
	found := spec.Find(texts(args))
	o := started{more: r.More, env: r.Env}
	sub := st.copy()
	for _, i := range found.Assigns {
		variable, text, _ := strings.Cut(args[i].Text, "=")
		w := Word{Text: text, Known: args[i].Known}
		o.env = append(o.env[:len(o.env):len(o.env)], Assign{Name: variable, Value: w})
		sub.set(variable, value{text: text, known: w.Known, set: true, exported: true})
	}
	d.wrapperOptions(name, args, found, &o, run, sub)
	words := args[found.At:]
	if found.IsScript { // env -S: a command line that is only split
		d.code(Word{Text: found.Script + " " + quote(words), Known: allKnown(args[:found.At])}, run, sub, func(text string) {
			d.script(text,
				run, sub)
		})
		return true
	}
	if len(words) == 0 {
		return d.bareWrapper(name, found, run, sub, o)
	}
	switch {
	case name == "flock" && words[0].Text == "-c" && len(words) > 1:
		d.code(words[1], run, sub, func(text string) { d.script(text, run, sub) })
		return true
	case (name == "npx" || name == "npm" || name == "pnpm") && hasOption(found, "-c", "--call", "--shell-mode"):
		d.code(words[0], run, sub, func(text string) { d.script(text, run, sub) })
		return true
	case name == "sudo" && hasOption(found, "-e", "--edit"):
		for _, w := range words {
			d.touch(File{Op: Write, Path: d.paths.Resolve(w, d.here(st)), Run: run}, st)
		}
		return false
	}
	d.start(words, run, sub, o)
	return true
}

func hasOption(found programs.Wrapped, names ...string) bool {
	return slices.ContainsFunc(found.Options, func(o programs.Option) bool { return slices.Contains(names, o.Name) })
}

func allKnown(args []Word) bool {
	for i := range args {
		if !args[i].Known {
			return false
		}
	}
	return true
}

// wrapperOptions applies those options that change how a program runs.
func (d *deriver) wrapperOptions(name string, args []Word, found programs.Wrapped, o *started, run int, st *state) {
	switch name {
	case "sudo", "doas", "pkexec", "run0", "gosu", "su-exec":
		o.root = true
	}
	for _, opt := range found.Options {
		w := Word{Text: opt.Value, Known: opt.At < 0 || args[opt.At].Known}
		switch {
		case name == "env" && (opt.Name == "-C" || opt.Name == "--chdir"), name == "sudo" && (opt.Name == "-D" || opt.Name == "--chdir"),
			name == "systemd-run" && opt.Name == "--working-directory", name == "run0" && opt.Name == "--chdir":
			p := d.paths.Resolve(w, d.here(st))
			o.dir = &p
		case name == "sudo" && (opt.Name == "-i" || opt.Name == "--login"), name == "su-exec":
			p := Path{Text: "~"}
			o.dir = &p
		case opt.Name == "-o" && (name == "strace" || name == "ltrace" || name == "time" || name == "gtime") || opt.Name == "--output" &&
			name != "prlimit":
			d.touch(File{Op: Write, Path: d.paths.Resolve(w, d.here(st)), Run: run}, st)
		case name == "env" && (opt.Name == "-u" || opt.Name == "--unset"):
			st.set(w.Text, value{known: true})
		}
	}
	if name == "chroot" || name == "bwrap" || name == "proot" { // other files under the same names
		p := Path{Text: "/"}
		if len(found.Own) > 0 && args[found.Own[0]].Text == "/" {
			p = Path{Text: "/", Abs: "/", Real: "/"}
		}
		o.dir = &p
	}
}

// bareWrapper is a wrapper without a command: sudo -s and the like open a
// shell, which reads standard input.
func (d *deriver) bareWrapper(name string, found programs.Wrapped, run int, st *state, o started) bool {
	opens := name == "chroot" || name == "unshare" || name == "nsenter"
	for _, opt := range found.Options {
		switch {
		case name == "sudo" && (opt.Name == "-s" || opt.Name == "-i" || opt.Name == "--shell" || opt.Name == "--login"), name == "doas" &&
			opt.Name == "-s":
			opens = true
		case (name == "npx" || name == "npm" || name == "flock") && (opt.Name == "-c" || opt.Name == "--call" || opt.Name == "--command"):
			d.script(opt.Value, run, st)
			return true
		}
	}
	if opens {
		d.start([]Word{{Text: "sh", Known: true}}, run, st, o)
	}
	return opens
}

// su interprets su -c, and a bare su, which opens a shell.
func (d *deriver) su(run int, st *state) {
	r := &d.set.Runs[run]
	sub := st.copy()
	sub.root = true
	if !d.optionScript(r.Args, "-c", "--command", run, sub) {
		if i := indexOf(r.Args, "--"); i >= 0 && i+1 < len(r.Args) && r.Program == "runuser" {
			d.start(r.Args[i+1:], run, sub, started{more: r.More})
			return
		}
		d.start([]Word{{Text: "sh", Known: true}}, run, sub, started{})
	}
}

func indexOf(args []Word, text string) int {
	for i := range args {
		if args[i].Text == text {
			return i
		}
	}
	return -1
}

// optionScript interprets the value of an option as a script.
func (d *deriver) optionScript(args []Word, short, long string, run int, st *state) bool {
	for i := range args {
		w := args[i]
		switch {
		case w.Text == short || w.Text == long:
			if i+1 == len(args) {
				return false
			}
			w = args[i+1]
		case strings.HasPrefix(w.Text, long+"="):
			w.Text = w.Text[len(long)+1:]
		case len(w.Text) > 2 && w.Text[0] == '-' && w.Text[1] != '-' && strings.HasSuffix(w.Text, short[1:]) && i+1 < len(args):
			w = args[i+1] // su -lc
		case len(w.Text) > 2 && strings.HasPrefix(w.Text, short):
			w.Text = w.Text[2:]
		default:
			continue
		}
		d.code(w, run, st, func(text string) { d.script(text, run, st) })
		return true
	}
	return false
}

// watch runs its arguments as a script again and again.
func (d *deriver) watch(run int, st *state) {
	r := &d.set.Runs[run]
	args := r.Args
	i := 0
	for ; i < len(args) && strings.HasPrefix(args[i].Text, "-"); i++ {
		switch args[i].Text {
		case "-n", "--interval", "-q", "--equexit":
			i++
		case "-x", "--exec":
		case "--":
			i++
			d.code(join(args[min(i, len(args)):]), run, st, func(text string) { d.script(text, run, st) })
			return
		}
	}
	d.code(join(args[min(i, len(args)):]), run, st, func(text string) { d.script(text, run, st) })
}

// multiplexer interprets the commands that tmux and screen open windows with.
func (d *deriver) multiplexer(name string, args []Word, run int, st *state) {
	if name == "screen" {
		for i := 0; i < len(args); i++ {
			switch t := args[i].Text; {
			case t == "-X" && i+2 < len(args) && args[i+1].Text == "stuff":
				d.typed(args[i+2:], run, st)
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
	i := 0
	for i < len(args) && strings.HasPrefix(args[i].Text, "-") {
		if strings.ContainsAny(args[i].Text, "LSfTc") {
			i++
		}
		i++
	}
	if i >= len(args) {
		return
	}
	switch args[i].Text {
	case "send-keys", "send":
		d.typed(args[i+1:], run, st)
	case "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawn-window", "run-shell", "run",
		"display-popup", "popup", "if-shell":
		for i++; i < len(args); i++ {
			if t := args[i].Text; strings.HasPrefix(t, "-") && len(t) > 1 {
				if strings.ContainsAny(t[len(t)-1:], "ceFfnstxylp") {
					i++
				}
				continue
			}
			d.code(join(args[i:]), run, st, func(text string) { d.script(text, run, st) })
			return
		}
	}
}

// typed interprets keys that are sent to a terminal as the line they are.
func (d *deriver) typed(keys []Word, run int, st *state) {
	var b strings.Builder
	ok := true
	for i := 0; i < len(keys); i++ {
		switch t := keys[i].Text; {
		case t == "-t" || t == "-N":
			i++
		case len(t) == 2 && t[0] == '-':
		case t == "Enter" || t == "C-m" || t == "KPEnter":
			b.WriteByte('\n')
		case t == "Space":
			b.WriteByte(' ')
		default:
			b.WriteString(strings.NewReplacer("^M", "\n", "\\n", "\n", "\r", "\n", "\\015", "\n").Replace(t))
			ok = ok && keys[i].Known
		}
	}
	d.code(Word{Text: b.String(), Known: ok}, run, st, func(text string) { d.script(text, run, st) })
}

// others are programs that run a command line which one of their arguments is.
func (d *deriver) others(name string, args []Word, run int, st *state) {
	switch name {
	case "nix-shell":
		_ = d.optionScript(args, "--run", "--command", run, st) || d.optionScript(args, "--command", "--command", run, st)
	case "nix":
		for i := range args {
			if t := args[i].Text; (t == "-c" || t == "--command") && i+1 < len(args) {
				d.start(args[i+1:], run, st, started{})
				return
			}
		}
	case "entr":
		for i := range args {
			if !strings.HasPrefix(args[i].Text, "-") {
				d.start(args[i:], run, st, started{in: &stream{run: -1}})
				return
			}
		}
	case "nodemon":
		d.optionScript(args, "-x", "--exec", run, st)
	case "hyperfine", "concurrently":
		for i := range args {
			if !strings.HasPrefix(args[i].Text, "-") && args[i].Known {
				d.script(args[i].Text, run, st)
			}
		}
	case "expect":
		for i := range args {
			if args[i].Text == "-c" && i+1 < len(args) {
				d.set.Codes = append(d.set.Codes, Code{Language: "tcl", Text: args[i+1].Text, Origin: Inline, Run: run})
				d.doubt("code", args[i+1].Text, run)
			}
		}
	}
}
