package match

import (
	"path"
	"runtime"
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// folds is true where the file system does not tell upper from lower case. A
// guard must not be passed by writing GIT or Biome.JSON there.
const folds = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

func fold(s string, folds bool) string {
	if folds {
		return strings.ToLower(s)
	}
	return s
}

// by matches a demanded program against a run or one of those that start it: what
// sudo starts, sudo does.
func (m *matcher) by(run int) Truth {
	if len(m.Programs) == 0 {
		return Yes
	}
	fits := No
	for n := 0; run >= 0 && run < len(m.set.Runs) && n < len(m.set.Runs) && fits != Yes; n++ {
		fits = max(fits, m.program(run))
		run = m.set.Runs[run].By
	}
	return fits
}

// program matches the demanded programs against one run.
func (m *matcher) program(run int) Truth {
	r := &m.set.Runs[run]
	if r.Program == "" {
		return Unclear
	}
	for _, name := range m.Programs {
		if strings.ContainsAny(name, `/\`) {
			if m.programAt(r, name) {
				return Yes
			}
		} else if isProgram(r.Program, name) {
			return Yes
		}
	}
	return No
}

// programAt reports whether a run is the program at a path: ./deploy.sh from the
// project, or the same file by another name.
func (m *matcher) programAt(r *effects.Run, name string) bool {
	if r.Path == name {
		return true
	}
	if path.Base(name) != path.Base(r.Path) && !strings.ContainsAny(name, "*?[{") {
		return false
	}
	at := r.Path
	if strings.ContainsRune(at, '/') && !path.IsAbs(at) && r.Dir.Known() {
		at = path.Join(r.Dir.Abs, at)
	}
	p := effects.Resolve(effects.At(m.call.ev), at)
	for _, file := range []string{p.Abs, p.Real} {
		if file != "" && strings.ContainsRune(at, '/') && m.call.globs().any([]string{name}, file) {
			return true
		}
	}
	return false
}

// isProgram matches a name or a pattern of one against a program.
func isProgram(program, name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe") // as effects spell programs
	if program == name {
		return true
	}
	if !strings.ContainsAny(name, "*?[") {
		return false
	}
	ok, err := path.Match(name, program)
	return ok || err != nil
}

// Line is a run as a command line.
func Line(r *effects.Run) string {
	var b strings.Builder
	if b.WriteString(r.Path); r.Path == "" {
		b.WriteString("an unknown program")
	}
	for i := range r.Args {
		b.WriteByte(' ')
		if word := r.Args[i].Text; word == "" || strings.ContainsAny(word, " \t\n'\"\\|&;<>()") {
			b.WriteString("'" + strings.ReplaceAll(word, "'", `'\''`) + "'")
		} else {
			b.WriteString(word)
		}
	}
	return b.String()
}
