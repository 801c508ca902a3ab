package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/variables"
)

// reads judges reading one file: the model sees a secret that is read. flows judges
// where else it goes.
func (j *judge) reads(f *effects.File) {
	if paths.IsSensor(f.Path.Abs) {
		j.add("records", where(f.Path))
		return
	}
	if !j.secret(f) && !(f.Run >= 0 && j.holdsSecret(f.Path.Abs)) || j.identity(f) || j.keychain(f) ||
		f.Code && f.Path.Abs == "/proc/self/environ" && !j.showsVariable(f) ||
		f.Run >= 0 && j.set.Runs[f.Run].Program == "history" || (j.settings(f) || j.ownKey(f)) && !j.shows(f) {
		return
	}
	if f.Shown {
		j.add("reads_secret", f.Path.Text)
		return
	}
	j.add("reads_secret", where(f.Path))
}

// showsVariable reports whether code prints a variable that holds a secret.
func (j *judge) showsVariable(f *effects.File) bool {
	name, one := strings.CutPrefix(f.Path.Text, "$")
	if !one && f.Run >= 0 && j.picksInCode(f.Run) {
		return true
	}
	if !one || !model.SecretVariable(name) || f.Run < 0 {
		return one && f.Shown && model.SecretVariable(name)
	}
	return (f.Shown || j.printsResult(f.Run, name)) && !j.captured(f.Run) && !j.intoFile(f.Run) && !j.unseen(f.Run)
}

// printsResult reports whether node prints the result of its code, and that is a
// variable: node -p process.env.TOKEN.
func (j *judge) printsResult(run int, name string) bool {
	w := programs.Parse(&j.set.Runs[run])
	code, ok := w.Value("p", "print")
	return ok && slices.Contains([]string{"process.env." + name, `process.env["` + name + `"]`, "process.env['" + name + "']"},
		strings.Trim(code.Text, "; \n"))
}

// keychain reports whether a keychain made by this line is only set up, without
// showing anything.
func (j *judge) keychain(f *effects.File) bool {
	if f.Run < 0 || j.set.Runs[f.Run].Program != "security" || programs.Reveals(&j.set.Runs[f.Run]) {
		return false
	}
	for i := range j.set.Runs[:f.Run+1] {
		r := &j.set.Runs[i]
		if w := programs.Parse(r); r.Program == "security" && w.Word(0) == "create-keychain" {
			return true
		}
	}
	return false
}

// ownKey reports whether openssl reads a key that it has made in this line.
func (j *judge) ownKey(f *effects.File) bool {
	openssl := func(run int) bool { return run >= 0 && j.set.Runs[run].Program == "openssl" }
	return openssl(f.Run) && f.Path.Abs != "" && slices.ContainsFunc(j.set.Files, func(w effects.File) bool {
		return w.Op == effects.Write && openssl(w.Run) && w.Run < f.Run && w.Path.Abs == f.Path.Abs
	})
}

// settings reports whether a file is the project's own, such as its environment
// files and certificates, which ordinary work loads, copies and edits.
func (j *judge) settings(f *effects.File) bool { return paths.Within(f.Path.Abs, j.ground.Project) }

// printsVariable reports whether a run shows a variable that holds a secret.
func (j *judge) printsVariable(i int) bool {
	r := &j.set.Runs[i]
	if programs.Injects(r) && j.startsDump(i) {
		return !j.hiddenBehind(i)
	}
	switch r.Program {
	case "printenv":
		return slices.ContainsFunc(r.Args, func(a effects.Word) bool { return model.SecretVariable(a.Text) })
	case "ps":
		return j.set.Dumps(i)
	case "echo", "printf", "print":
		return slices.ContainsFunc(r.Args, func(a effects.Word) bool {
			return !a.Known && j.namesSecret(&a)
		}) && !j.intoFile(i)
	}
	return j.picksVariable(i)
}

// startsDump reports whether a run starts, itself or through a shell, one that prints
// all variables.
func (j *judge) startsDump(i int) bool {
	for k := i + 1; k < len(j.set.Runs); k++ {
		for by, n := j.set.Runs[k].By, 0; by >= i && n < 50 && j.set.Dumps(k); by, n = j.set.Runs[by].By, n+1 {
			if by == i && !j.hiddenBehind(k) {
				return true
			}
		}
	}
	return false
}

// namesSecret reports whether a word has the value of a secret variable in it. Those
// in commands whose output is part of the word count there, where they really are
// arguments: a $( can also be plain text.
func (j *judge) namesSecret(a *effects.Word) bool {
	outside := variables.Secrets(variables.WithoutCommands(a.Text))
	return len(outside) > 0 || slices.ContainsFunc(variables.Secrets(a.Text), func(name string) bool {
		return !slices.ContainsFunc(j.set.Runs[a.Uses.From:a.Uses.To], func(r effects.Run) bool { return uses(&r, name) })
	})
}

// uses reports whether a run gets the value of a variable.
func uses(r *effects.Run, name string) bool {
	given := func(text string) bool { return slices.Contains(variables.Secrets(text), name) }
	return r.Input != nil && given(*r.Input) || slices.ContainsFunc(r.Args, func(a effects.Word) bool { return given(a.Text) }) ||
		slices.ContainsFunc(r.Env, func(e model.Assign) bool { return given(e.Value.Text) })
}

// exportsKey reports whether a run takes private keys out of where they are kept.
func (j *judge) exportsKey(i int) bool {
	switch strings.TrimRight(j.set.Runs[i].Program, "2") {
	case "gpg", "security", "gcore", "gdb", "coredumpctl", "strace": // a core has what a process keeps, and a trace
		return j.reveals(i)
	case "docker", "podman", "nerdctl", "kubectl", "oc":
		w := programs.Parse(&j.set.Runs[i])
		return (w.Word(0) == "cp" || w.Word(1) == "cp") && j.reveals(i)
	}
	return false
}
