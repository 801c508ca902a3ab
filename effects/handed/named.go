package handed

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/varnames"
)

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
			if module := varnames.Module(e.Name, e.Value.Text); module != "" {
				f.given(i, r, module, e.Name, false)
			}
		}
	}
	if in := r.Stdin; !known && in != nil && f.written(in) && !prose(in.Abs) && !data(in.Abs) {
		f.take(*in, i, Named, "<")
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
	if here && (known || own(r)) && !configures(option) || !p.Known() || known && f.listed(i, &p) {
		return
	}
	for n, name := range append(f.below(p.Abs), f.sharedIn(p.Abs, option)...) {
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
