// Package handed finds the files that an agent has written in a session, or that lie where
// everybody can put files, and that a call then gives to a program: as an argument, through a
// variable, by a name that the program looks for. What such files say is read, whatever their
// format is.
package handed

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/varnames"
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
	// Idle is true if the program does not run what it is given: the file can only
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

// Files lists what the runs of a call are given of what the session has written, and of
// what lies in /tmp. more is true if there is more than is read.
func Files(set *model.Set, at *model.Setting) (files []File, more bool) {
	f := &finder{set: set, at: at, resolver: paths.Resolver{World: at.World}, asked: map[string]bool{}}
	if len(set.Runs) == 0 || !f.remember() && !f.outside() {
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
	shared   bool // a run may be given what lies where everybody can put files
	ground   paths.Ground
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

// outside reports whether a run names a place where everybody can put files.
func (f *finder) outside() bool {
	temp := func(w *model.Word) bool {
		return strings.Contains(w.Text, "/tmp/") || strings.Contains(w.Text, "/shm/") || strings.Contains(w.Text, "/folders/")
	}
	for i := range f.set.Runs {
		r := &f.set.Runs[i]
		f.shared = f.shared || paths.Temp(model.Path{Abs: r.Dir.Abs + "/x"}) || r.Stdin != nil && paths.Temp(*r.Stdin) ||
			slices.ContainsFunc(r.Args, func(w model.Word) bool { return temp(&w) }) ||
			slices.ContainsFunc(r.Env, func(e model.Assign) bool { return temp(&e.Value) })
	}
	if f.shared {
		f.ground = paths.On(f.at)
	}
	return f.shared
}

// starter reports whether a run does nothing but start another one, which its arguments
// name: npx x, sudo x.
func (f *finder) starter(i int) bool {
	if !wrappers.has(f.set.Runs[i].Program) {
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

// written reports whether the session has written a file, or anybody may have.
func (f *finder) written(p *model.Path) bool {
	if !p.Known() || p.Glob {
		return false
	}
	if f.made[p.Abs] != "" {
		return true
	}
	if f.shared && f.ground.Scratch(*p) {
		info, err := f.at.Lstat(p.Real)
		return err == nil && info.Mode().IsRegular()
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

// sharedIn are the files of a folder where everybody can put files, if an option or a
// variable says that a program looks there for what it runs.
func (f *finder) sharedIn(dir, option string) (out []string) {
	if !f.shared || !configures(option) && !strings.HasSuffix(option, "PATH") || !f.ground.Scratch(model.Path{Abs: dir}) {
		return nil
	}
	entries, _ := f.at.ReadDir(dir, maxNames)
	for _, e := range entries {
		if e.Type().IsRegular() {
			out = append(out, path.Join(dir, e.Name()))
		}
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
	if folder, _ := varnames.Loads(option); f.idle && how == Named && (folder || strings.HasPrefix(option, "-I")) &&
		programs.Language(&f.set.Runs[run]) != "" {
		how = Started // perl -Ilib -MFast -e 1
	}
	if strings.HasSuffix(strings.ToLower(option), "kubeconfig") { // it names the program that logs in
		how = Started
	}
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
