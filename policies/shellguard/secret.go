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

// shows reports whether a run prints what it reads from a file.
func (j *judge) shows(f *effects.File) bool {
	if f.Run < 0 {
		return true
	}
	r := &j.set.Runs[f.Run]
	if f.Code && paths.Within(f.To.Abs, j.ground.Project) { // it is copied
		return false
	}
	switch r.Program {
	case "grep", "egrep", "fgrep", "rg":
		if w := programs.Parse(r); w.Has("q", "quiet", "c", "count", "l", "files-with-matches", "L") {
			return false
		}
	case "cut":
		if namesOnly(r.Args) {
			return false
		}
	case "wc", "stat", "file", "md5sum", "sha1sum", "sha256sum", "cksum":
		return false
	case "cp", "mv", "ln", "install", "source", ".", "touch", "dotenv", "dotenvx", "kubectl", "docker", "podman", "helm",
		"terraform", "tofu", "terragrunt", "pulumi", "ansible", "ansible-playbook", "keytool", "ssh-keygen", "ssh", "scp", "rsync":
		return false
	case "git", "openssl":
		return j.prints(f.Run)
	case "node", "bun", "deno", "python", "python3", "ruby":
		if !f.Code { // it is loaded
			return false
		}
	}
	for i := range j.set.Files {
		if w := &j.set.Files[i]; w.Run == f.Run && w.Op == effects.Write && w.Path.Abs == f.Path.Abs {
			return false // edited in place
		}
	}
	return !j.captured(f.Run)
}

// prints reports whether a run of git or openssl shows the content of files, by its
// sub-command. An unknown one counts as if it did.
func (j *judge) prints(run int) bool {
	w := programs.Parse(&j.set.Runs[run])
	switch w.Word(0) {
	case "rsa", "ec", "pkey":
		return !w.Has("pubout") || w.Has("text")
	case "add", "rm", "mv", "commit", "check-ignore", "update-index", "stage", "restore", "checkout", "push", "status",
		"x509", "req", "verify", "s_client", "crl", "dgst":
		return false
	case "stash":
		return w.Word(1) == "show"
	}
	return true
}

// captured reports whether the output of a run becomes the value of variables,
// or only its names or its length are shown.
func (j *judge) captured(run int) bool {
	if j.tees(run) {
		return false
	}
	for i := range j.set.Runs {
		r := &j.set.Runs[i]
		for _, used := range r.Uses {
			if used == run && sets(r.Program) {
				return true
			}
		}
		if r.From == run && i > run {
			return r.Program == "wc" || r.Program == "cut" && namesOnly(r.Args) || j.captured(i)
		}
	}
	return false
}

func sets(program string) bool {
	return slices.Contains([]string{"export", "declare", "typeset", "local", "readonly", "env", "set", "test", "[", "[[", "unset"},
		program)
}

// tees reports whether a run also shows its input: tee /dev/stderr.
func (j *judge) tees(run int) bool {
	return j.set.Runs[run].Program == "tee" && slices.ContainsFunc(j.set.Runs[run].Args, func(a effects.Word) bool {
		return a.Text == "/dev/stderr" || a.Text == "/dev/tty" || a.Text == "/dev/stdout" || strings.HasPrefix(a.Text, "/dev/fd/") ||
			strings.HasPrefix(a.Text, "/proc/self/fd/")
	})
}

// namesOnly reports whether a filter shows only the part before the =.
func namesOnly(args []effects.Word) bool {
	line := ""
	for _, a := range args {
		switch text := strings.ReplaceAll(a.Text, " ", ""); {
		case strings.HasSuffix(text, "{print$1}") && !strings.Contains(text[:len(text)-9], "print"): // awk
			line += "{print$1}"
		case strings.HasPrefix(text, "-") || len(text) == 1:
			line += text
		}
	}
	return line == "-d=-f1" || line == "-f1-d=" || line == "-F={print$1}"
}

// revealed judges programs that print stored secrets.
func (j *judge) revealed(i int) {
	if !j.reveals(i) && !j.printsVariable(i) || j.captured(i) || j.intoFile(i) || j.set.Runs[i].Program == "history" || j.unseen(i) {
		return
	}
	for k := range j.set.Runs {
		r := &j.set.Runs[k]
		if r.From == i && !j.passesOn(k) || r.From != i && slices.Contains(r.Uses, i) && !r.Data {
			return // to whom is judged by flows
		}
	}
	j.add("reads_secret", j.line(i))
}

// unseen reports whether a run's output is discarded. security writes a password to
// standard error.
func (j *judge) unseen(i int) bool {
	return j.set.Runs[i].Silent && j.set.Runs[i].Program != "security"
}

// passesOn reports whether a run's input appears in visible output: it is a filter,
// and so are those after it.
func (j *judge) passesOn(i int) bool {
	for range len(j.set.Runs) {
		if j.tees(i) {
			return true
		}
		_, class := programs.ClassOf(&j.set.Runs[i])
		if class != programs.Look && !j.unpacks(i) || j.captured(i) || j.intoFile(i) || j.hidden(i) {
			return false
		}
		next := slices.IndexFunc(j.set.Runs, func(r effects.Run) bool { return r.From == i })
		if next < 0 {
			return true
		}
		i = next
	}
	return false
}

// unpacks reports whether tar prints the content of an archive that it reads.
func (j *judge) unpacks(i int) bool {
	w := programs.Parse(&j.set.Runs[i])
	return strings.HasSuffix(j.set.Runs[i].Program, "tar") && w.Has("O", "to-stdout")
}

// hidden reports whether a filter shows nothing of its input: grep -q, wc.
func (j *judge) hidden(i int) bool {
	r := &j.set.Runs[i]
	switch r.Program {
	case "wc", "md5sum", "sha1sum", "sha256sum", "sha512sum", "shasum", "cksum":
		return true
	case "grep", "egrep", "rg":
		w := programs.Parse(r)
		return w.Has("q", "quiet", "silent", "c", "count")
	case "jq", "yq":
		w := programs.Parse(r)
		filter := w.Word(0)
		name := strings.Trim(filter[strings.LastIndexByte(filter, '|')+1:], ".[] ")
		return name == "keys" || name == "keys_unsorted" || name == "length" ||
			strings.HasPrefix(name, "has(") && strings.HasSuffix(name, ")") && strings.Count(name, "(") == 1
	case "sed", "gsed":
		return cutsValues(r)
	}
	return namesOnly(r.Args)
}

// cutsValues reports whether sed only removes the part after the =.
func cutsValues(r *effects.Run) bool {
	w := programs.Parse(r)
	scripts := w.All("expression")
	if len(scripts) == 0 && len(w.Operands) > 0 {
		scripts = w.Operands[:1]
	}
	if len(scripts) != 1 || w.Has("f", "file") {
		return false
	}
	parts := strings.Split(strings.ReplaceAll(scripts[0].Text, " ", ""), "/")
	return len(parts) == 4 && parts[0] == "s" && (parts[1] == "=.*" || parts[1] == "=.*$") && !strings.ContainsAny(parts[2], `&\`) &&
		strings.Trim(parts[3], "gp") == ""
}

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

// hiddenBehind reports whether what stands behind a run in its own pipe shows nothing
// but names, or variables that hold no secret.
func (j *judge) hiddenBehind(i int) bool {
	for k := i + 1; k < len(j.set.Runs); k++ {
		if j.set.Runs[k].From == i {
			return j.hidden(k) || j.picksPlain(k) || j.hiddenBehind(k)
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

// intoFile reports whether the output of a run goes into a file. What tee writes is
// shown as well; a private key that leaves its store is a second one, unless it goes
// to where such are kept.
func (j *judge) intoFile(i int) bool {
	r := &j.set.Runs[i]
	return slices.ContainsFunc(j.set.Files, func(f effects.File) bool {
		return f.Run == i && f.Op == effects.Write && !(j.exportsKey(i) && !j.ground.Secret(f.Path)) && !(r.Program == "tee" &&
			slices.ContainsFunc(r.Args, func(w effects.Word) bool { return w.Text == f.Path.Text }))
	})
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
