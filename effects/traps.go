package effects

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/names"
)

// traps lists the deceptive parts of the call.
func (r *reading) traps() {
	a := &r.call.Action
	r.hidden(a.Command)
	r.hidden(a.URL)
	for _, p := range a.Paths {
		r.hidden(p)
	}
	for i := range r.set.Nets {
		n := &r.set.Nets[i]
		if strings.Contains(n.URL, "://") {
			r.trap("lookalike", n.URL, names.URL(n.URL), n.Run)
		} else {
			r.trap("lookalike", n.Host, names.Host(n.Host), n.Run)
		}
	}
	for i := range r.set.Files {
		f := &r.set.Files[i]
		r.trap("lookalike", f.Path.Text, names.Word(f.Path.Text), f.Run)
	}
	for i := range r.set.Runs {
		run := &r.set.Runs[i]
		r.trap("lookalike", run.Path, names.Word(run.Path), i)
		r.installs(i, run)
		r.sources(i, run)
	}
}

func (r *reading) hidden(text string) {
	if why := names.Hidden(text); why != "" {
		r.trap("hidden", r.call.Name, why, -1)
	}
}

// trap adds a trap, unless why is empty.
func (r *reading) trap(code, what, why string, run int) {
	next := model.Trap{Code: code, What: what, Why: why, Run: run}
	if n := len(r.set.Traps); why != "" && (n == 0 || r.set.Traps[n-1] != next) {
		r.set.Traps = append(r.set.Traps, next)
	}
}

// installs checks the names of packages that a run installs. Packages that the
// project already uses are not suspicious.
func (r *reading) installs(i int, run *Run) {
	registry, words := packagesOf(run)
	for _, w := range words {
		if r.packages++; r.packages > maxPackages {
			r.set.Doubt("size", "more packages than are looked at", i)
			return
		}
		name := packageName(registry, w.Text)
		if !w.Known || name == "" {
			continue
		}
		if famous := names.Package(registry, name); famous != "" && !r.uses(registry, name, run.Dir.Abs) {
			r.trap("package", name, "is one letter from "+famous+", which everybody uses", i)
		}
	}
}

// maxPackages limits how many package names are checked.
const maxPackages = 500

// packageName returns the name in name@1.2, name[extra]>=2 or name==3; "" if a
// word is a file, an address or a scoped name.
func packageName(registry, text string) string {
	if strings.ContainsAny(text, `/\:`) || strings.HasPrefix(text, ".") || strings.HasPrefix(text, "@") {
		return ""
	}
	if end := strings.IndexAny(text, "@=<>~![;, "); end >= 0 {
		text = text[:end]
	}
	if registry == "pypi" && strings.HasSuffix(text, ".whl") {
		return ""
	}
	return text
}

// uses reports whether the project names a package in its manifest or lock file.
func (r *reading) uses(registry, name, dir string) bool {
	files := map[string][]string{
		"npm":    {"package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"},
		"pypi":   {"requirements.txt", "pyproject.toml", "poetry.lock", "uv.lock", "Pipfile.lock"},
		"crates": {"Cargo.toml", "Cargo.lock"},
	}[registry]
	for _, file := range files {
		if dir == "" {
			break
		}
		data, err := r.World.ReadFile(path.Join(dir, file), maxLock)
		if err == nil && namesWord(string(data), name) {
			return true
		}
	}
	return false
}

// maxLock is the size above which a lock file is not read, and vouches for nothing.
const maxLock = 8 << 20

// namesWord reports whether a text contains a name as a whole word.
func namesWord(text, name string) bool {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		if (at == 0 || !inName(text[at-1])) && (at+len(name) == len(text) || !inName(text[at+len(name)])) {
			return true
		}
	}
}

func inName(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
