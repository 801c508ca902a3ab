package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// listedWindows judges Get-ChildItem C:\ | Remove-Item: PowerShell pipes the listed
// files into the next command.
func (j *judge) listedWindows(i int) {
	if i+1 >= len(j.set.Runs) || j.set.Runs[i+1].By != j.set.Runs[i].By || j.set.Runs[i].By < 0 ||
		!isShell(j.set.Runs[j.set.Runs[i].By].Program) {
		return
	}
	next := &j.set.Runs[i+1]
	if next.Program != "remove-item" && next.Program != "ri" && next.Program != "rm" && next.Program != "del" {
		return
	}
	for _, a := range next.Args {
		if a.Known && !strings.HasPrefix(a.Text, "-") {
			return // it removes something else
		}
	}
	args := j.set.Runs[i].Args
	some := slices.ContainsFunc(args, func(a effects.Word) bool {
		return strings.EqualFold(a.Text, "-filter") || strings.EqualFold(a.Text, "-include")
	})
	for _, a := range args {
		if key := strings.ToLower(a.Text); strings.HasPrefix(key, "hklm:") || strings.HasPrefix(key, "hkcu:") {
			j.add("destroys_system_tree", j.line(i))
		}
		p := j.windowsPath(a.Text, a.Glob)
		if _, extent := j.ground.System(p); p.Abs != "" && (!some || extent >= paths.All) { // in a system tree even some are too many
			j.gone(&effects.File{Op: effects.Delete, Tree: true, Run: i, Path: p})
		}
	}
}

// registry judges the removal of a whole hive, or of the system's keys in one.
func (j *judge) registry(i int) {
	r := &j.set.Runs[i]
	w := programs.Parse(r)
	key := w.Word(1)
	if r.Program == "reg" && !strings.EqualFold(w.Word(0), "delete") {
		return
	}
	if r.Program != "reg" { // a drive of PowerShell
		drive := w.Word(0)
		for _, name := range [...]string{"path", "literalpath"} {
			if given, ok := w.Value(name); ok {
				drive = given.Text
			}
		}
		key = strings.Replace(strings.TrimPrefix(drive, "Registry::"), ":", "", 1)
	}
	key = strings.ToLower(strings.Trim(key, `\`))
	machine := strings.HasPrefix(key, "hklm") || strings.HasPrefix(key, "hkey_local_machine")
	_, hive, _ := strings.Cut(key, `\`)
	switch {
	case strings.HasPrefix(key, `cert\`) && (strings.Count(key, `\`) < 3 || strings.HasSuffix(key, "*")): // a store, or all that is in it
		j.add("destroys_credentials", j.line(i))
	case !strings.HasPrefix(key, "hk"):
	case strings.Count(key, `\`) < 2, machine && !strings.HasPrefix(hive, "software"),
		machine && strings.HasPrefix(hive, `software\microsoft\windows`) && strings.Count(key, `\`) < 5:
		j.add("destroys_system_tree", j.line(i))
	case machine && w.Has("recurse"):
		j.add("system_file", j.line(i))
	}
}

func (j *judge) windowsPath(text string, glob bool) effects.Path {
	abs := text
	switch {
	case text == "." || text == "*":
		abs, glob = j.ground.Project, false
	case strings.EqualFold(text, `%userprofile%\*`), strings.EqualFold(text, `$env:userprofile\*`), strings.EqualFold(text, `$home\*`):
		abs, glob = j.at.Home()+"/*", true
	case text == "~", strings.EqualFold(text, "$home"), strings.EqualFold(text, "%userprofile%"), strings.EqualFold(text, "$env:userprofile"):
		abs = j.at.Home()
	case strings.EqualFold(text, `%systemroot%`), strings.EqualFold(text, "$env:systemroot"):
		abs = `c:\windows`
	case strings.EqualFold(text, `%systemdrive%\`), strings.EqualFold(text, `$env:systemdrive\`):
		abs = `c:\`
	case len(text) > 1 && text[1] == ':', strings.HasPrefix(text, "/"):
		abs, glob = strings.TrimSuffix(strings.TrimSuffix(text, "*"), "."), false
	default:
		abs = ""
	}
	return effects.Path{Text: text, Abs: abs, Real: abs, Glob: glob}
}

// elsewhere judges removals on another machine. About its files only what is the
// same on every machine is known.
func (j *judge) elsewhere(i int) {
	r := &j.set.Runs[i]
	far := j.over(i, "ssh", "autossh", "ansible", "pssh", "pdsh", "clush", "dsh", "parallel-ssh", "salt", "mosh")
	if !r.Remote || !far && !j.inRunning(i) {
		return
	}
	w := programs.Parse(r)
	tree := r.Program != "rm" || w.Has("recursive")
	for _, word := range r.Args {
		a := word.Text
		if of, ok := strings.CutPrefix(a, "of="); ok {
			a = of
		}
		p := effects.Path{Text: a, Abs: a, Glob: strings.ContainsAny(a, "*?[")}
		switch _, extent := j.ground.System(p); {
		case paths.Device(p):
			j.add("raw_device", j.line(i))
		case tree && r.Program == "rm" && (extent >= paths.All || j.ground.HomeOf(p) >= paths.All || a == "~" || a == "~/*" || a == "~/"):
			j.add("destroys_system_tree", j.line(i))
		// /data: where containers keep what lasts
		case tree && r.Program == "rm" && !far && strings.LastIndexByte(strings.TrimRight(a, "/*"), '/') == 0 && extent == paths.Nothing:
			j.add("container_destroy", j.line(i))
		case tree && r.Program == "rm" && lasting(a):
			j.add("deletes_outside", j.line(i))
		case tree && r.Program == "rm" && !word.Known && !inScratch(a) && !inFolder(a) && !packed(a):
			j.add("deletes_unknown", j.line(i))
		}
	}
}

// readsFar judges what shows a secret on another machine or in a container.
func (j *judge) readsFar(f *effects.File) {
	if !j.farSecret(f) || !j.shows(&effects.File{Op: f.Op, Path: f.Path, Run: f.Run, Code: f.Code}) {
		return
	}
	for run, n := f.Run, 0; run >= 0 && n < 50; run, n = j.set.Runs[run].By, n+1 { // ssh web1 cat .env > .env
		next := slices.IndexFunc(j.set.Runs, func(r effects.Run) bool { return r.From == run })
		if j.hiddenBehind(run) || j.intoFile(run) || next >= 0 && !j.passesOn(next) {
			return // to whom is judged by flows
		}
	}
	j.add("reads_secret", where(f.Path))
}

// farSecret reports whether a file of another machine that is read is a secret by its name.
func (j *judge) farSecret(f *effects.File) bool {
	p := f.Path
	if !p.Known() {
		p.Abs = path.Join("/home/u", strings.TrimPrefix(p.Text, "~/"))
	}
	return f.Op == effects.Read && f.Run >= 0 && !j.record(p) && (j.ground.Secret(p) || f.Tree && j.ground.SecretTree(p))
}

// writesFar judges what a shell on another machine writes, if that gives access
// there or runs by itself.
func (j *judge) writesFar(i int) {
	for _, a := range j.set.Runs[i].Args[min(1, len(j.set.Runs[i].Args)):] {
		fields := strings.Fields(strings.NewReplacer(">", " > ", ";", " ; ", "|", " | ", "&", " & ", `"`, " ", "'", " ").Replace(a.Text))
		for n, field := range fields {
			if n == 0 || fields[n-1] != ">" && fields[n-1] != "tee" && fields[n-1] != "-a" && fields[n-1] != "-i" {
				continue
			}
			p := effects.Path{Text: field, Abs: path.Join("/home/u", strings.TrimPrefix(strings.TrimPrefix(field, "~/"), "$HOME/"))}
			if path.IsAbs(field) {
				p.Abs = path.Clean(field)
			}
			switch {
			case paths.Accounts(p.Abs):
				j.add("changes_accounts", j.line(i))
			case j.ground.Lasts(p):
				j.add("persistence", j.line(i))
			}
		}
	}
}

// lasting reports whether a path is below a folder for data that cannot be
// recreated: data, settings, served content.
func lasting(abs string) bool {
	for _, folder := range [...]string{"/srv/", "/var/lib/", "/var/www/", "/var/opt/", "/var/backups/", "/etc/", "/data/"} {
		if strings.HasPrefix(abs+"/", folder) {
			name := strings.ToLower(path.Base(abs))
			return !strings.Contains(name, "cache") && !strings.Contains(name, "tmp")
		}
	}
	return false
}

// inRunning reports whether a run is started in an existing container, not in one
// made for it.
func (j *judge) inRunning(i int) bool {
	for at, n := j.set.Runs[i].By, 0; at >= 0 && n < 100; at, n = j.set.Runs[at].By, n+1 {
		words := programs.Parse(&j.set.Runs[at]).Operands
		for _, w := range words[:min(len(words), 3)] {
			switch w.Text {
			case "exec", "ssh", "rsh", "shell", "console", "attach", "execute-command", "enter", "ps:exec", "guestcontrol", "node-shell",
				"run-command", "command", "send-command", "start-session":
				return true
			}
		}
	}
	return false
}

// inImage reports whether a run happens in a container of this machine and nowhere
// else: its accounts and protections are not the machine's. A container that is
// given the machine is judged for that.
func (j *judge) inImage(i int) bool {
	if !j.set.Runs[i].Remote {
		return false
	}
	for at, n := j.set.Runs[i].By, 0; at >= 0 && n < 100; at, n = j.set.Runs[at].By, n+1 {
		switch name := j.set.Runs[at].Program; {
		case name == "docker" || name == "podman" || name == "nerdctl" || name == "buildah" || name == "docker-compose":
			elsewhere := slices.ContainsFunc(j.set.Runs[at].Env, func(e model.Assign) bool { return strings.HasSuffix(e.Name, "_HOST") })
			return !elsewhere && !slices.ContainsFunc(j.set.Runs[at].Args, func(a effects.Word) bool {
				return a.Text == "--privileged" || strings.HasSuffix(a.Text, "=host") || a.Text == "host" || strings.HasPrefix(a.Text, "-H") ||
					strings.HasPrefix(a.Text, "--host") || strings.HasPrefix(a.Text, "--context")
			})
		case !isShell(name) && name != "sudo" && name != "env":
			return false
		}
	}
	return false
}

// over reports whether a run is started, directly or indirectly, by one of these programs.
func (j *judge) over(i int, programs ...string) bool {
	for at, n := j.set.Runs[i].By, 0; at >= 0 && n < 100; at, n = j.set.Runs[at].By, n+1 {
		if slices.Contains(programs, j.set.Runs[at].Program) {
			return true
		}
	}
	return false
}
