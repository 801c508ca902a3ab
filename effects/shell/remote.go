package shell

import (
	"slices"
	"strings"
)

// ssh lists what is run on the other machine.
func (d *deriver) ssh(run int, st *state) {
	r := &d.set.Runs[run]
	row := d.rows[run]
	a := row.Parse(r.Args)
	st.out.write(stream{run: run, network: true}, st)
	if len(a.Operands) == 0 {
		return
	}
	words := row.Parse(a.Operands[1:]).Operands // options may stand behind the host, too
	sub := d.elsewhere(st)
	if len(words) == 0 {
		if st.in.text != "" { // what it reads is typed into a shell there
			d.script(st.in.text, run, sub)
		}
		return
	}
	sub.in = st.in
	d.code(join(words), run, sub, func(text string) { d.script(text, run, sub) })
}

// ansible lists what is run on other machines by ansible hosts -m shell -a line.
func (d *deriver) ansible(run int, st *state) {
	a := d.parsed(run)
	module := "command"
	if w, ok := a.Value("module-name"); ok {
		module = w.Text
	}
	line, _ := a.Value("args")
	switch module[strings.LastIndexByte(module, '.')+1:] {
	case "command", "shell", "raw":
		sub := d.elsewhere(st)
		d.code(line, run, sub, func(text string) { d.script(text, run, sub) })
	}
}

// elsewhere is the state of a shell on another machine, of which nothing is known.
func (d *deriver) elsewhere(st *state) *state {
	sub := st.copy()
	sub.scope = &scope{}
	sub.remote, sub.dir, sub.dirs, sub.out, sub.in = true, Path{Text: "~"}, nil, nil, stream{run: -1}
	return sub
}

// container lists what is run in a container. It reports whether anything is.
func (d *deriver) container(name string, args []Word, run int, st *state) bool {
	words, ok := inContainer(name, args)
	if !ok || len(words) == 0 {
		return false
	}
	sub := d.elsewhere(st)
	sub.in = st.in
	if name == "docker" || name == "podman" || name == "nerdctl" {
		d.mounts(args[:len(args)-len(words)], sub, st)
	}
	d.start(words, run, sub, started{remote: true, more: d.set.Runs[run].More})
	st.out.write(stream{run: run}, st)
	return true
}

// inContainer finds the command behind exec or run, the container's name and
// the options of both.
func inContainer(name string, args []Word) ([]Word, bool) {
	switch name {
	case "kubectl", "oc", "lxc", "incus", "flatpak-spawn", "wsl", "toolbox", "distrobox":
		if name == "flatpak-spawn" {
			i := slices.IndexFunc(args, func(w Word) bool { return !strings.HasPrefix(w.Text, "-") })
			return args[max(i, 0):], i >= 0
		}
		at := indexOf(args, "--")
		if at < 0 && name == "wsl" {
			if at = max(indexOf(args, "-e"), indexOf(args, "--exec")); at < 0 {
				at = -1
			}
			return args[at+1:], len(args) > 0 && (at >= 0 || !strings.HasPrefix(args[0].Text, "-"))
		}
		if at < 0 && (name == "kubectl" || name == "oc") { // the old form: kubectl exec pod command
			if i := indexOf(args, "exec"); i >= 0 {
				return operands(args[i+1:], "ncf", 1)
			}
		}
		return args[at+1:], at >= 0
	}
	for i := range args {
		switch args[i].Text {
		case "exec":
			return operands(args[i+1:], "euw", 1)
		case "run", "create":
			return operands(args[i+1:], "aceplmuvwh", 1)
		case "compose", "container":
			continue
		}
		if !strings.HasPrefix(args[i].Text, "-") && name != "docker-compose" && (i == 0 || args[i-1].Text[:1] != "-") {
			return nil, false
		}
	}
	return nil, false
}

// operands skips options, those in short with a value, and n operands. A long
// option is taken to have its value in the same word, unless it is one of
// those that usually do not.
func operands(args []Word, short string, n int) ([]Word, bool) {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "--":
			return args[min(i+1+n, len(args)):], true
		case strings.HasPrefix(t, "--"):
			switch t {
			case "--env", "--user", "--workdir", "--volume", "--name", "--network", "--entrypoint", "--mount", "--publish", "--hostname",
				"--platform",
				"--label", "--env-file", "--memory", "--cpus", "--add-host", "--device", "--gpus", "--container", "--namespace", "--context",
				"--index", "--cap-add", "--cap-drop", "--security-opt", "--pull", "--restart", "--shm-size", "--ulimit", "--tmpfs", "--ipc", "--pid",
				"--dns", "--link", "--net":
				i++
			}
		case len(t) > 1 && t[0] == '-':
			if strings.IndexByte(short, t[len(t)-1]) >= 0 {
				i++
			}
		case n > 0:
			n--
		default:
			return args[i:], true
		}
	}
	return nil, false
}
