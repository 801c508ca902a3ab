package shellguard

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/programs"
)

// permissions judges modes: who may write, and whose rights a program has.
func (j *judge) permissions(i int) {
	r := &j.set.Runs[i]
	if r.Program == "setcap" {
		w := programs.Parse(r)
		// A low port is no right.
		caps := strings.TrimRight(strings.TrimRight(w.Word(0), "eip"), "+=")
		if !w.Has("r", "v") && len(w.Operands) > 1 && !strings.EqualFold(caps, "cap_net_bind_service") && !j.inImage(i) {
			j.add("permissions_escalate", j.line(i))
		}
		return
	}
	if r.Program == "icacls" {
		for _, a := range r.Args {
			if strings.HasPrefix(strings.ToLower(a.Text), "everyone:") {
				j.add("permissions_wide", j.line(i))
			}
		}
		return
	}
	if r.Program == "install" {
		w := programs.Parse(r)
		if mode, ok := w.Value("mode"); ok {
			if setuid, _ := readMode(mode.Text); setuid {
				j.add("permissions_escalate", j.line(i))
			}
		}
		return
	}
	for _, a := range r.Args[:min(len(r.Args), 20)] {
		if strings.HasPrefix(a.Text, "--reference") {
			return // the mode of another file
		}
		if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "-r") && !strings.HasPrefix(a.Text, "-w") &&
			!strings.HasPrefix(a.Text, "-x") {
			continue
		}
		switch setuid, wide := readMode(a.Text); {
		case setuid:
			j.add("permissions_escalate", j.line(i))
		case wide && r.Args[len(r.Args)-1].Text == "/dev/kvm" && len(r.Args) == 2: // who may use virtual machines
		case wide:
			j.add("permissions_wide", j.line(i))
		}
		return // the first operand is the mode
	}
}

// readMode reads a mode of chmod, octal or symbolic.
func readMode(mode string) (setuid, wide bool) {
	if mode != "" && strings.Trim(mode, "01234567") == "" {
		bits, _ := strconv.ParseUint(mode, 8, 64)
		return bits&0o4000 != 0, bits&0o0002 != 0 && bits&0o1000 == 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(clause, "+=")
		if at < 0 {
			continue
		}
		who, what := clause[:at], clause[at+1:]
		if strings.Contains(what, "s") && (who == "" || strings.ContainsAny(who, "ua") || strings.Contains(what, "x")) {
			setuid = true
		}
		if strings.Contains(what, "w") && strings.ContainsAny(who, "oa") {
			wide = true
		}
	}
	return setuid, wide
}

// ownsAgain reports whether a run gives files to the current user, as after a
// container has written them as root.
func (j *judge) ownsAgain(run int) bool {
	if run < 0 || j.set.Runs[run].Program != "chown" {
		return false
	}
	w := programs.Parse(&j.set.Runs[run])
	owner, group, _ := strings.Cut(w.Word(0), ":")
	return j.isSelf(owner, "$(whoami)", "$(id -u)", "$(id -un)") && (group == "" || j.isSelf(group, "$(id -g)", "$(id -gn)"))
}

// isSelf reports whether a word is the name of the user, or one of these commands.
func (j *judge) isSelf(word string, commands ...string) bool {
	user := j.at.User()
	return word == "$USER" || word == "${USER}" || user != "" && word == user || slices.Contains(commands, word)
}
