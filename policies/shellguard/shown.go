package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

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
	case "node", "bun", "deno", "tsx", "ts-node", "python", "python3", "ruby":
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
