// Package handed finds the files that an agent has written in a session and that a
// call then gives to a program: as an argument, through a variable, by a name that the
// program looks for. What such files say is read, whatever their format is.
package handed

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// How says how a program comes to a file.
type How int

// The ways.
const (
	Named     How = iota // an argument, a variable or its input names it
	Loaded               // it has a name that the program looks for
	Built                // it is code of the language that the program builds and runs
	Mentioned            // another one of these files names it
	Started              // it is a program that the program starts by its name: git-x, kubectl-x
)

// File is a file that a run is given.
type File struct {
	Path model.Path
	Run  int
	How  How
	Text string
	// Option is what names it if that is an option or a variable: config, RIPGREP_CONFIG_PATH.
	Option string
	// Long is true if only the beginning was read.
	Long bool
	// Idle is true if the program runs nothing of what it is given: the file can only
	// hold options for it.
	Idle bool
}

// Limits of what is read for one call. What is beyond them is not read, and Long says so.
const (
	maxFiles = 24
	maxText  = 128 << 10 // of one file
	maxFile  = 4 << 20   // what is longer is not read at all
	maxArgs  = 256
	maxNames = 128
)

// Files lists what the runs of a call are given of what the session has written. more
// is true if there is more than is read.
func Files(set *model.Set, at *model.Setting) (files []File, more bool) {
	f := &finder{set: set, at: at, resolver: paths.Resolver{World: at.World}, asked: map[string]bool{}}
	if len(set.Runs) == 0 || !f.remember() {
		return nil, false
	}
	for i := range set.Runs {
		r := &set.Runs[i]
		if r.Program == "" || r.Remote || f.starter(i) {
			continue
		}
		f.idle = looks(r)
		f.named(i, r)
		f.loaded(i, r)
	}
	f.idle = false
	for k := 0; k < len(f.files); k++ { // grows
		f.mentioned(f.files[k])
	}
	return f.files, f.more
}

type finder struct {
	set      *model.Set
	at       *model.Setting
	resolver paths.Resolver
	wrote    []string          // what earlier calls have written
	made     map[string]string // what this call writes
	forgot   bool
	asked    map[string]bool
	idle     bool // the run that is looked at runs nothing that it is given
	files    []File
	more     bool
}

// remember collects what the session has written. It reports whether there is anything.
func (f *finder) remember() bool {
	if f.at.Past != nil {
		all, err := f.at.Past.Recall(trammel.WroteFile)
		f.forgot = err != nil || all.Forgot
		for _, r := range all.Items {
			f.wrote = append(f.wrote, r.What)
		}
	}
	for i := range f.set.Files {
		w := &f.set.Files[i]
		if w.Op != model.Write || w.Run < 0 || !w.Path.Known() || w.Path.Glob {
			continue
		}
		if text := Printed(&f.set.Runs[w.Run]); text != "" {
			if f.made == nil {
				f.made = map[string]string{}
			}
			f.made[w.Path.Abs] = text
		}
	}
	return len(f.wrote) > 0 || f.forgot || len(f.made) > 0
}

// starter reports whether a run does nothing but start another one, which its arguments
// name: npx x, sudo x.
func (f *finder) starter(i int) bool {
	if !wrappers[f.set.Runs[i].Program] {
		return false
	}
	for k := i + 1; k < len(f.set.Runs); k++ {
		if inner := &f.set.Runs[k]; inner.By == i && inner.Program != "" {
			if slices.ContainsFunc(f.set.Runs[i].Args, func(w model.Word) bool {
				return w.Text == inner.Path || strings.HasSuffix(strings.ToLower(w.Text), inner.Program)
			}) {
				return true
			}
		}
	}
	return false
}

// Printed is what a run writes of the call itself: its standard input, or what it is
// told to print.
func Printed(r *model.Run) string {
	if r.Input != nil {
		return *r.Input
	}
	var text []string
	for _, w := range r.Args {
		if r.Data {
			text = append(text, strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(w.Text))
		}
	}
	return strings.Join(text, " ")
}

// written reports whether the session has written a file.
func (f *finder) written(p *model.Path) bool {
	if !p.Known() || p.Glob {
		return false
	}
	if f.made[p.Abs] != "" {
		return true
	}
	return slices.ContainsFunc(f.wrote, func(what string) bool { return what == p.Real || what == p.Abs }) ||
		f.forgot && f.at.Project != "" && paths.Within(p.Real, f.at.Project)
}

// below are the written files of a folder.
func (f *finder) below(dir string) (out []string) {
	add := func(name string) {
		if paths.Below(name, dir) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for name := range f.made {
		add(name)
	}
	slices.Sort(out)
	for _, name := range f.wrote {
		add(name)
	}
	return out
}

// mayConfigure reports whether a file may hold options of a program that only looks at
// what it is given, or is a program that it starts.
func mayConfigure(p *model.Path, how How, option string) bool {
	if how == Named {
		return configures(option)
	}
	return how == Started || strings.HasSuffix(p.Abs, "rc")
}

// take lists a file, once.
func (f *finder) take(p model.Path, run int, how How, option string) {
	if f.asked[p.Abs] || f.idle && !mayConfigure(&p, how, option) {
		return
	}
	f.asked[p.Abs] = true
	if len(f.files) >= maxFiles {
		f.more = true
		return
	}
	text, made := f.made[p.Abs]
	long := false
	if !made {
		data, err := f.at.ReadFile(p.Real, maxFile)
		if err != nil {
			info, missing := f.at.Lstat(p.Real)
			if missing != nil || !info.Mode().IsRegular() {
				return
			}
		}
		text, long = string(data), err != nil
	}
	if len(text) > maxText {
		text, long = text[:maxText], true
	}
	if strings.IndexByte(text, 0) < 0 {
		f.files = append(f.files, File{Path: p, Run: run, How: how, Text: text, Option: option, Long: long, Idle: f.idle && how != Started})
	}
}

func (f *finder) place(text string, dir model.Path) model.Path {
	return f.resolver.Resolve(f.resolver.Tilde(text), dir)
}

// named takes the files that a run's arguments and variables name, and what is right
// below the folders that they name.
func (f *finder) named(i int, r *model.Run) {
	_, known := programs.Lookup(r.Program)
	option := ""
	for k, w := range r.Args {
		if k >= maxArgs {
			f.more = true
			break
		}
		if !w.Known {
			option = ""
			continue
		}
		name, value := option, w.Text
		if option = ""; strings.HasPrefix(value, "-") {
			attached := false
			if name, value, attached = strings.Cut(value, "="); !attached {
				option = name
				value = attachedTo(name)
			}
		} else if before, behind, ok := strings.Cut(value, "="); ok {
			name, value = before, behind
		}
		for _, text := range spellings(value) {
			f.given(i, r, text, name, known)
		}
	}
	for _, e := range r.Env {
		if e.Value.Known {
			f.given(i, r, e.Value.Text, e.Name, false)
		}
	}
	if known || !r.Fed {
		return
	}
	for k := range f.set.Files {
		if in := &f.set.Files[k]; in.Op == model.Read && in.Run < -1 && f.written(&in.Path) && !prose(in.Path.Abs) && !data(in.Path.Abs) {
			f.take(in.Path, i, Named, "<")
		}
	}
}

// attachedTo is what stands behind the letter of an option: -fx.
func attachedTo(option string) string {
	if len(option) > 2 && option[1] != '-' {
		return option[2:]
	}
	return ""
}

// spellings are the names of files that a word may hold: x, @x, file:x, source x.
func spellings(word string) []string {
	for _, sign := range [...]string{"@", "file://", "file:", "path:"} {
		word = strings.TrimPrefix(word, sign)
	}
	words := []string{word}
	if fields := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n,;:'\"()", r) }); len(fields) > 1 {
		words = append(words, fields[:min(len(fields), 16)]...)
	}
	return words
}

// given takes one file or folder that a run is given. Of a program that the table
// describes, it is left out if the table says that it is only read, or written.
func (f *finder) given(i int, r *model.Run, text, option string, known bool) {
	if text == "" || len(text) > 1024 || strings.Contains(text, "://") {
		return
	}
	p := f.place(text, r.Dir)
	if f.written(&p) {
		if known && !configures(option) && f.listed(i, &p) {
			return
		}
		if writes(option) || prose(p.Abs) && !runsProse(r) && !configures(option) || own(r) && data(p.Abs) {
			return
		}
		f.take(p, i, Named, option)
		return
	}
	here := text == "." || p.Abs == r.Dir.Abs // whatever is right there, if the program is not known
	if here && (known || own(r)) && !configures(option) || !p.Known() || len(f.wrote)+len(f.made) == 0 || known && f.listed(i, &p) {
		return
	}
	for n, name := range f.below(p.Abs) {
		if n >= maxNames {
			f.more = true
			return
		}
		if !prose(name) && !writes(option) && (configures(option) || !own(r) || !data(name)) && (!here || path.Dir(name) == p.Abs) {
			f.take(model.Path{Text: name, Abs: name, Real: name}, i, Named, option)
		}
	}
}

// listed reports whether the effects say what a run does with a file.
func (f *finder) listed(run int, p *model.Path) bool {
	return slices.ContainsFunc(f.set.Files, func(e model.File) bool {
		return e.Run == run && (e.Path.Abs == p.Abs || e.To.Abs == p.Abs)
	})
}

// runsProse reports whether a run is told to run what a text shows: runme run x.md.
func runsProse(r *model.Run) bool {
	a := programs.Parse(r)
	return a.Says("run", "exec", "execute", "test", "task") || a.Has("execute", "exec", "run")
}

// loaded takes the files that a program finds by their names.
func (f *finder) loaded(i int, r *model.Run) {
	_, known := programs.Lookup(r.Program)
	called := calledBy(r)
	all := f.below(cmpRoot(f.at.Project, r.Dir.Abs))
	for n, name := range all {
		if n >= maxNames {
			f.more = true
			break
		}
		how := Loaded
		switch {
		case starts(r, path.Base(name)):
			how = Started
		case len(called) > 0 && carries(called, rest(name, r.Dir.Abs)):
		case !known && configuration(name) && path.Dir(name) == r.Dir.Abs && !own(r):
		case extension(name, r.Dir.Abs) && !own(r):
		case builds(r, name):
			how = Built
		default:
			continue
		}
		f.take(model.Path{Text: path.Base(name), Abs: name, Real: name}, i, how, "")
	}
}

func cmpRoot(project, dir string) string {
	if project != "" && paths.Within(dir, project) {
		return project
	}
	return dir
}

// rest is a name without the folder that it is in.
func rest(name, dir string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
}

// mentioned takes the written files that a file names.
func (f *finder) mentioned(file File) {
	if prose(file.Path.Abs) || file.How == Built || file.Idle {
		return
	}
	dir := f.set.Runs[file.Run].Dir
	own := path.Dir(file.Path.Abs)
	seen := 0
	for word := range strings.FieldsFuncSeq(file.Text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,;:=()[]{}<>@", r) }) {
		if word = strings.TrimPrefix(word, "--"); len(word) < 3 || !strings.ContainsAny(word, "./") || strings.Contains(word, "://") {
			continue
		}
		if seen++; seen > 4*maxArgs {
			f.more = true
			return
		}
		for _, from := range [...]model.Path{dir, {Text: own, Abs: own, Real: own}} {
			if p := f.place(word, from); f.written(&p) && !prose(p.Abs) && recipes.Language(p.Abs) != "unknown" {
				f.take(p, file.Run, Mentioned, "")
			}
		}
	}
}
