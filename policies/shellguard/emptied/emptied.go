// Package emptied says of which runs nothing is left of the files that they are
// given.
package emptied

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// By reports whether nothing is left of the files that a run is given.
func By(r *effects.Run) bool {
	w := programs.Parse(r)
	switch r.Program {
	case "rm", "unlink", "shred", ":", "true":
		return true
	case "dd":
		from, _ := w.Value("if")
		return from.Text == "/dev/null" || from.Text == "/dev/zero" || strings.HasSuffix(from.Text, "random")
	case "truncate":
		size, _ := w.Value("size")
		return size.Text == "0"
	case "cp", "install":
		return w.Word(0) == "/dev/null"
	case "sed", "gsed":
		script, given := w.Value("e", "expression")
		if !given {
			script.Text = w.Word(0)
		}
		return w.Has("i", "in-place") && (all(script.Text) || w.Has("n", "quiet") && strings.Trim(script.Text, " ;") == "")
	case "perl", "ruby":
		code, ok := w.Value("e", "E")
		return ok && w.Has("i") && code.Known && (w.Has("n") && !prints(code.Text) || w.Has("p") && blanks(code.Text))
	case "awk", "gawk":
		library, _ := w.Value("i", "include")
		program := strings.TrimSpace(w.Word(0))
		return strings.HasPrefix(library.Text, "inplace") && (program == "0" || !prints(program) &&
			strings.HasPrefix(program, "{") && strings.IndexByte(program, '}') == len(program)-1)
	case "ed", "ex", "vi", "vim", "nvim":
		if r.Input != nil {
			for line := range strings.Lines(*r.Input) {
				if edited(line) {
					return true
				}
			}
		}
		return slices.ContainsFunc(r.Args, func(a effects.Word) bool { return edited(a.Text) })
	}
	return false
}

// all reports whether a command of sed, ed or vi removes every line, or all in it.
func all(command string) bool {
	switch strings.ReplaceAll(strings.TrimSpace(command), " ", "") {
	case "d", "1,$d", "0,$d", "/.*/d", "/^/d", "s/.*//", "s/.*//g", "%d", "%d_", "%delete", "%delete_", ",d", ",delete",
		"%s/.*//", "%s/.*//g", "normal!ggdG", "normalggdG":
		return true
	}
	return false
}

// edited reports whether one of the commands of an editor removes every line. A
// single d removes one.
func edited(text string) bool {
	for command := range strings.SplitSeq(strings.TrimLeft(text, "+:"), "|") {
		command = strings.TrimLeft(command, " :")
		for _, each := range [...]string{"argdo ", "bufdo ", "windo ", "tabdo ", "silent! ", "silent "} {
			command = strings.TrimLeft(strings.TrimPrefix(command, each), " ")
		}
		if command != "d" && all(command) {
			return true
		}
	}
	return false
}

// prints reports whether code that prints only what it is told to can print. What
// says "if 0" never does.
func prints(code string) bool {
	code = strings.TrimRight(code, " ;")
	if strings.HasSuffix(code, " if 0") || strings.HasSuffix(code, " unless 1") || strings.HasSuffix(code, " if false") {
		return false
	}
	return slices.ContainsFunc([]string{"print", "say", "puts", "putc", "write", "<<", "p ", "$<", "$stdout", "eval", "require", "do "},
		func(name string) bool { return strings.Contains(code, name) })
}

// blanks reports whether code makes each line an empty one.
func blanks(code string) bool {
	switch strings.ReplaceAll(strings.Trim(code, " ;"), " ", "") {
	case `$_=""`, `$_=''`, "$_=q()", "$_=undef", "undef$_", "s/.*//s", "s/.*//", "s/.*//gs", "s/.+//s", "$_=nil", "$_.clear",
		"$_.replace('')", `$_.replace("")`, "nextLINE":
		return true
	}
	return false
}
