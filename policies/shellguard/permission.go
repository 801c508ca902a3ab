package shellguard

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/programs"
)

// permissions judges modes: who may write, and whose rights a program has.
func (j *judge) permissions(i int) {
	r := &j.set.Runs[i]
	if r.Program == "setcap" {
		if w := programs.Parse(r); !w.Has("r", "v") && len(w.Operands) > 1 {
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
	for n, a := range r.Args[:min(len(r.Args), 20)] {
		if strings.HasPrefix(a.Text, "--") || n > 0 && strings.HasPrefix(r.Args[n-1].Text, "--reference") {
			continue
		}
		if strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "-r") && !strings.HasPrefix(a.Text, "-w") &&
			!strings.HasPrefix(a.Text, "-x") {
			continue
		}
		switch setuid, wide := readMode(a.Text); {
		case setuid:
			j.add("permissions_escalate", j.line(i))
		case wide:
			j.add("permissions_wide", j.line(i))
		}
		return // the first operand is the mode
	}
}

// readMode reads a mode of chmod, octal or symbolic.
func readMode(mode string) (setuid, wide bool) {
	if mode != "" && strings.Trim(mode, "01234567") == "" {
		last := mode[len(mode)-1]
		if len(mode) >= 4 {
			special := mode[len(mode)-4]
			setuid = special >= '4'
			wide = (last == '7' || last == '6' || last == '2' || last == '3') && special != '1' && special != '3' && special != '5' && special != '7'
			return setuid, wide
		}
		return false, last == '7' || last == '6' || last == '2' || last == '3'
	}
	for clause := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(clause, "+=")
		if at < 0 {
			continue
		}
		who, what := clause[:at], clause[at+1:]
		if strings.Contains(what, "s") && (who == "" || strings.ContainsAny(who, "ua")) {
			setuid = true
		}
		if strings.Contains(what, "w") && strings.ContainsAny(who, "oa") {
			wide = true
		}
	}
	return setuid, wide
}
