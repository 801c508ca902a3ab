package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// machine judges programs that change the machine itself: privileges, services,
// accounts, protections and processes.
func (j *judge) machine(i int) {
	r := &j.set.Runs[i]
	if r.More || slices.ContainsFunc(r.Args, unknown) {
		j.listed(i)
		j.tracked(i)
	}
	switch r.Program {
	case "sh", "bash", "zsh", "dash", "ksh":
		j.commands(i)
	case "sudo", "doas", "pkexec", "su", "runas", "gsudo", "run0":
		j.rights(i)
	case "trap": // on every command
		if n := len(r.Args); n > 1 && r.Args[n-1].Text == "DEBUG" && strings.Contains(r.Args[0].Text, "BASH_COMMAND") &&
			strings.Contains(r.Args[0].Text, ">") {
			j.add("records", j.line(i))
		}
	case "chmod", "setcap", "icacls", "install":
		j.permissions(i)
	case "kill", "pkill", "killall", "skill", "taskkill", "stop-process":
		j.kills(i)
	case "systemctl", "service", "rc-service", "launchctl", "sc", "net", "initctl", "sv":
		j.service(i)
	case "crontab", "at", "batch":
		j.schedule(i)
	case "apt", "apt-get", "aptitude", "dnf", "yum", "zypper", "rpm", "dpkg", "pacman", "apk", "brew", "pkg", "snap", "choco", "winget",
		"chkconfig", "update-rc.d", "rc-update":
		j.unguards(i)
	case "get-childitem", "gci", "dir":
		j.listedWindows(i)
	case "reg", "remove-item", "ri":
		j.registry(i)
	case "rm", "shred", "mkfs", "dd":
		j.elsewhere(i)
	default:
		if strings.HasPrefix(r.Program, "mkfs.") {
			j.elsewhere(i)
		}
	}
}

// rights judges gaining privileges. The command that runs with them is judged
// separately, if it is known.
func (j *judge) rights(i int) {
	r := &j.set.Runs[i]
	if w := programs.Parse(r); w.Help() || r.Program == "sudo" && w.Has("list", "validate", "reset-timestamp", "remove-timestamp", "version") {
		return
	}
	if !j.installing(i) && !(r.Remote && !j.over(i, "ssh")) {
		j.add("privilege", r.Program)
	}
	tests := r.By >= 0 && j.set.Runs[r.By].Program == "go" // go test -exec sudo
	if !tests && !slices.ContainsFunc(j.set.Runs, func(r effects.Run) bool { return r.By == i && r.Program != "" }) {
		j.add("privilege_unseen", j.line(i))
	}
}

// installing reports whether everything that a run starts with privileges only
// installs packages by name from the machine's own sources.
func (j *judge) installing(i int) bool {
	found := false
	for k := range j.set.Runs {
		r := &j.set.Runs[k]
		if r.By != i || r.Program == "" {
			continue
		}
		_, packages := programs.Fetches(r)
		if !packages || !system(r.Program) {
			return false
		}
		found = true
	}
	return found
}

// system reports whether a package manager is the system's own.
func system(program string) bool {
	return slices.Contains([]string{"apt", "apt-get", "aptitude", "dnf", "yum", "zypper", "apk", "pacman", "pkg", "brew", "snap",
		"port", "xbps-install"}, program)
}

// opensShell reports whether a run is an interactive shell of another user.
func opensShell(r *effects.Run) bool {
	return r.Root && r.Input == nil && isShell(r.Program) && interactive(r)
}

// service judges the services of the machine.
func (j *judge) service(i int) {
	r := &j.set.Runs[i]
	w := programs.Parse(r)
	if w.Help() {
		return
	}
	verb := w.Word(0)
	if r.Program == "service" || r.Program == "rc-service" {
		verb = w.Word(1)
	}
	switch verb {
	case "poweroff", "reboot", "halt", "kexec", "soft-reboot", "suspend", "hibernate", "rescue", "emergency":
		j.add("stops_machine", j.line(i))
	case "stop", "disable", "mask", "kill", "bootout", "unload", "remove", "down":
		if slices.ContainsFunc(w.Operands, func(unit effects.Word) bool { return words.Guards(unit.Text) }) {
			j.add("security_disabled", j.line(i))
		} else if r.Program != "net" || verb == "stop" {
			j.add("service_stop", j.line(i))
		}
	case "load", "bootstrap", "submit":
		if r.Program == "launchctl" {
			j.add("persistence", j.line(i))
		}
	case "create":
		if r.Program == "sc" {
			j.add("persistence", j.line(i))
		}
	case "user", "localgroup":
		if r.Program == "net" && len(r.Args) > 2 {
			j.add("changes_accounts", j.line(i))
		}
	}
}

func (j *judge) schedule(i int) {
	r := &j.set.Runs[i]
	w := programs.Parse(r)
	switch r.Program {
	case "crontab":
		switch {
		case w.Has("r"):
			j.add("persistence", j.line(i))
		case len(w.Operands) > 0 && !w.Has("l", "T"):
			j.add("persistence", j.line(i))
		case len(r.Args) == 0 && (r.Input != nil || r.From >= 0):
			j.add("persistence", j.line(i))
		}
	default:
		if !w.Has("l", "c", "V", "r", "d") {
			j.add("persistence", j.line(i))
		}
	}
}

// otherVersion reports whether a run only selects another version of the same
// program: update-alternatives --install /usr/bin/gcc gcc /usr/bin/gcc-13 100. A
// program in another directory or with another name is a different one.
func otherVersion(r *effects.Run) bool {
	w := programs.Parse(r)
	if r.Program != "update-alternatives" && r.Program != "alternatives" || w.Has("altdir", "admindir", "slave") || len(w.Operands) < 2 {
		return false
	}
	name, to := w.Operands[0], w.Operands[1] // --set NAME PATH
	if w.Has("install") {                    // --install LINK NAME PATH PRIORITY
		if len(w.Operands) != 4 {
			return false
		}
		to = w.Operands[2]
	}
	version, same := strings.CutPrefix(path.Base(to.Text), path.Base(name.Text))
	return name.Known && to.Known && path.Dir(to.Text) == "/usr/bin" && same && strings.Trim(version, "-0123456789.") == ""
}
