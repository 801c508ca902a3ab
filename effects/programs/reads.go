package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// OnlyReads reports whether a run changes nothing but what its effects say.
// Programs that start others here count as such: what they start is a run, too.
// Those that start something elsewhere do not: its effects are not listed.
func OnlyReads(r *model.Run) bool {
	row, ok := Lookup(r.Program)
	switch {
	case !ok:
		return false
	case row.data:
		return true
	case row.writes() && open(r):
		return false
	case row.Name == "git":
		return gitReads(row, r)
	}
	a := row.Parse(r.Args)
	return row.class(&a) == Look || row.has("lang") && inline(r, &a)
}

// Turned reports whether options make a run change or start something that would only
// read without them: git diff --output=x.
func Turned(r *model.Run) bool {
	if OnlyReads(r) {
		return false
	}
	bare := model.Run{Program: r.Program, Path: r.Path}
	if g, ok := ReadGit(r); ok && g.Sub != "" {
		bare.Args = append([]Word{word(g.Sub)}, g.Options().Operands...)
	} else if !ok {
		bare.Args = Parse(r).Operands
	}
	return OnlyReads(&bare)
}

// SkipsHidden reports whether a run that searches trees leaves out files and
// directories that begin with a dot.
func SkipsHidden(r *model.Run) bool {
	if r.Program != "rg" && r.Program != "ag" {
		return false
	}
	row, _ := Lookup("rg")
	a := row.Parse(r.Args)
	return !r.More && !a.Has("hidden", ".", "u", "unrestricted", "g", "glob", "iglob")
}

// writes reports whether an option can make the program change or run something.
func (r *Row) writes() bool {
	if r.special != "" {
		return true
	}
	return options.Writes(r.opt)
}

// open reports whether there may be an option among the arguments that cannot
// be seen. What follows an option is taken for its value.
func open(r *model.Run) bool {
	if r.More {
		return true
	}
	for i, w := range r.Args {
		if !w.Known && startsUnknown(w.Text) && (i == 0 || !strings.HasPrefix(r.Args[i-1].Text, "-")) {
			return true
		}
	}
	return false
}

// startsUnknown reports whether the first letter of a word is not known.
func startsUnknown(text string) bool { return text == "" || strings.IndexByte("$`\"*", text[0]) >= 0 }

// inline reports whether an interpreter gets its code as an argument or on its
// standard input, so that its effects are known, or only says what version it is.
func inline(r *model.Run, a *Args) bool {
	for i := range a.Given {
		if a.Given[i].Role == "Z" {
			return true
		}
	}
	if r.Program == "sqlite3" && len(a.Operands) > 1 {
		return true
	}
	return a.Has("V", "version", "v") || len(a.Operands) == 0 && r.Input != nil
}

// gitReads reports whether a call of git only shows something. Settings can run
// programs.
func gitReads(row *Row, r *model.Run) bool {
	g, _ := ReadGit(r)
	switch {
	case len(g.Config) > 0:
		return false
	case g.Sub == "":
		return g.Help || len(r.Args) > 0 && r.Args[0].Text == "--exec-path"
	case slices.ContainsFunc(r.Args[:len(r.Args)-len(g.Args)], func(w Word) bool { return strings.HasPrefix(w.Text, "--exec-path") }):
		return false
	}
	a := g.Options()
	a.Operands = append([]Word{word(g.Sub)}, a.Operands...)
	if a.Separator >= 0 {
		a.Separator++
	}
	return row.class(&a) == Look
}
