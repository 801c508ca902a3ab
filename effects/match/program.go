package match

import (
	"cmp"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/languages/windows"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
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
		switch {
		case name == r.Program:
			return Yes
		case strings.IndexByte(name, '/') >= 0 || strings.IndexByte(name, '\\') >= 0:
			if m.programAt(r, name) {
				return Yes
			}
		case isProgram(r.Program, name):
			return Yes
		}
	}
	return truthOf(m.script(run))
}

// script reports whether a run interprets a file that is one of the demanded
// programs: bash deploy.sh runs deploy.sh, and so does cat deploy.sh | bash.
func (m *matcher) script(run int) bool {
	for i := range m.set.Codes {
		c := &m.set.Codes[i]
		if c.Run != run {
			continue
		}
		if c.File.Known() && m.isScript(&c.File) {
			return true
		}
		for j := range m.set.Files {
			f := &m.set.Files[j]
			if c.Origin == model.Piped && f.Run >= 0 && f.Run == m.set.Runs[run].From && f.Op == effects.Read && m.isScript(&f.Path) {
				return true
			}
		}
	}
	return false
}

// isScript reports whether a file is one of the demanded programs.
func (m *matcher) isScript(p *effects.Path) bool {
	for _, name := range m.Programs {
		if strings.ContainsRune(name, '/') && m.fileAt(p, name) || isProgram(strings.ToLower(path.Base(p.Abs)), name) {
			return true
		}
	}
	return false
}

// programAt reports whether a run is the program at a path: ./deploy.sh from the
// project, or the same file by another name.
func (m *matcher) programAt(r *effects.Run, name string) bool {
	if r.Path == name {
		return true
	}
	found := strings.Contains(r.Path, "/**") // by find, which runs it
	at := r.Path
	if strings.ContainsRune(at, '/') && !path.IsAbs(at) && r.Dir.Known() {
		at = path.Join(r.Dir.Abs, at)
	}
	if !strings.ContainsRune(at, '/') { // as it is found in PATH
		return path.Base(name) == path.Base(at) && path.IsAbs(name) && paths.Programs(name) && isProgram(r.Program, path.Base(name))
	}
	p := effects.Resolve(effects.At(m.call.ev), at)
	p.Glob = p.Glob || found
	return m.fileAt(&p, name)
}

// fileAt reports whether a file is the one at a path of a Spec.
func (m *matcher) fileAt(p *effects.Path, name string) bool {
	for _, file := range []string{p.Abs, p.Real} {
		if file != "" && m.call.globs().any([]string{name}, file) {
			return true
		}
	}
	return p.Glob && m.call.globs().meets([]string{name}, p.Abs, false)
}

// isProgram matches a name or a pattern of one against a program.
func isProgram(program, name string) bool {
	name = strings.TrimSuffix(strings.ToLower(name), ".exe") // as effects spell programs
	if program == name || strings.IndexByte(program, '-') > 0 && program == windows.Alias(name) || ofVersion(program, name) ||
		usual(program) == usual(name) {
		return true
	}
	if !strings.ContainsAny(name, "*?[") {
		return false
	}
	ok, err := path.Match(name, program)
	return ok || err != nil
}

// CalledAs is the name of a program as a condition spells it: pip for pip3, if that is the only
// of these names that the program has.
func CalledAs(program string, names []string) string {
	if program == "" || slices.Contains(names, program) {
		return program
	}
	best := ""
	for _, name := range names {
		if len(name) > len(best) && !strings.ContainsAny(name, "*?[") && isProgram(program, name) {
			best = name
		}
	}
	return cmp.Or(best, program)
}

// ofVersion reports whether a program is one of another name with its version: pip3.11. A
// version without a dot may be part of the name (base64), unless the table knows both as one
// program: pip3.
func ofVersion(program, name string) bool {
	version, ok := strings.CutPrefix(program, name)
	if !ok || name == "" || version == "" || strings.Trim(version, "0123456789.-") != "" {
		return false
	}
	return strings.IndexByte(version, '.') >= 0 || sameRow(program, name)
}

// usual is the name under which people know a program that systems install under
// several: python3 is also python, vim is also vi. Programs that only take the same
// arguments are others: podman is not docker.
func usual(name string) string {
	switch name {
	case "python":
		return "python3"
	case "py.test":
		return "pytest"
	case "nodejs":
		return "node"
	case "yarnpkg":
		return "yarn"
	case "vi":
		return "vim"
	case "netcat":
		return "nc"
	case "gpg2":
		return "gpg"
	case "fdfind":
		return "fd"
	case "batcat":
		return "bat"
	case "pwsh":
		return "powershell"
	case "mariadb":
		return "mysql"
	case "mariadb-dump":
		return "mysqldump"
	case "apt-get":
		return "apt"
	case "yum":
		return "dnf"
	case "fly":
		return "flyctl"
	case "gmake", "gsed", "gtar", "ggrep", "gfind", "gxargs", "gcp", "gmv", "grm", "gln", "gdd", "gcat", "gtee", "gchmod", "gchown",
		"gmkdir", "grmdir", "gtouch", "gshred", "gtruncate", "gls", "ghead", "gtail", "gsort", "gcut", "genv", "gtimeout", "gstat", "gdate":
		return name[1:] // GNU programs on macOS
	case "gawk", "mawk", "nawk":
		return "awk"
	}
	return name
}

func sameRow(a, b string) bool {
	one, ok := programs.Lookup(a)
	other, also := programs.Lookup(b)
	return ok && also && one.Name == other.Name
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
