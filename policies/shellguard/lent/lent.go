// Package lent says which files a run loads or starts because an option names them.
package lent

import (
	"cmp"
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// File is a place that an option names.
type File struct{ Option, Place string }

// Options are the files of code that the options of a run name, by the program's row or,
// where that says nothing, by the name of the option and of the file.
func Options(r *model.Run) (out []File) {
	places := programs.PlacesOf(r)
	var said map[string]saying // of values; looking through all options for each word takes long
	for k, w := range r.Args {
		option, value := optnames.Split(r.Args, k)
		if value == "" || !w.Known {
			continue
		}
		if said == nil {
			said = sayings(places.Options())
		}
		role := byte(' ') // that the row gives it
		for _, text := range [...]string{w.Text, value} {
			role = cmp.Or(said[text].role, role)
			option = cmp.Or(said[text].option, option)
		}
		for part := range strings.FieldsFuncSeq(value, func(c rune) bool { return strings.ContainsRune(",:;|", c) }) {
			name, place, named := strings.Cut(part, "=") // tap,script=/tmp/up
			if !named {
				name, place = option, part
			} else if name == strings.ToUpper(name) { // a text, or a variable of somewhere else
				name = option
			}
			place = strings.Trim(place, `"'`) // --config 'build.rustc-wrapper="/tmp/w"'
			if strings.IndexByte("XYQ", role) >= 0 || strings.IndexByte("CS", role) >= 0 && part == value && !named ||
				role == ' ' && (optnames.Lends("-"+strings.TrimLeft(name, "-")) || Library(place) && !optnames.Outputs(option)) {
				out = append(out, File{option, place})
			}
		}
	}
	return out
}

// saying is what the row of a program says about a value.
type saying struct {
	role   byte   // 0 if it says nothing
	option string // the long name of the option that it belongs to, if it has no role
}

func sayings(given []options.Given) map[string]saying {
	out := make(map[string]saying, len(given))
	for _, g := range given {
		s := out[g.Value.Text]
		switch {
		case !g.Has:
			continue
		case g.Role != "":
			s.role = g.Role[0]
		case g.Name != "":
			s.option = "--" + g.Name
		}
		out[g.Value.Text] = s
	}
	return out
}

// Operands are the variables that a run takes among its operands: make SHELL=/tmp/sh.
func Operands(r *model.Run) (out []model.Assign) {
	for k, w := range r.Args {
		name, value, ok := strings.Cut(w.Text, "=")
		if ok && w.Known && strings.IndexByte(name, '-') < 0 && (k == 0 || !strings.HasPrefix(r.Args[k-1].Text, "-")) {
			w.Text = value
			out = append(out, model.Assign{Name: name, Value: w})
		}
	}
	return out
}

// Library reports whether a file is one that programs load by name.
func Library(abs string) bool {
	switch path.Ext(abs) {
	case ".dylib", ".dll":
		return true
	}
	return strings.HasSuffix(abs, ".so") || strings.Contains(path.Base(abs), ".so.")
}
