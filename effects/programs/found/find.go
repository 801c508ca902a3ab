// Package found says what find looks for: where it starts, and which names pass its
// tests.
package found

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Roots returns where a find begins.
func Roots(args []model.Word) []model.Word {
	n := len(args) - len(Expression(args))
	var roots []model.Word
	for i := 0; i < n; i++ {
		switch t := args[i].Text; {
		case t == "-H" || t == "-L" || t == "-P" || strings.HasPrefix(t, "-O"), t == "--" || t == "-E" || t == "-X" || t == "-x" || t == "-s" ||
			t == "-d":
		case t == "-D" || t == "-f":
			i++
			if t == "-f" && i < n {
				roots = append(roots, args[i])
			}
		default:
			roots = append(roots, args[i])
		}
	}
	if len(roots) == 0 {
		return []model.Word{model.Word{Text: ".", Known: true}}
	}
	return roots
}

// Expression returns find's arguments after its starting points.
func Expression(args []model.Word) []model.Word {
	for i := 0; i < len(args); i++ {
		switch t := args[i].Text; {
		case t == "-H" || t == "-L" || t == "-P" || t == "--" || strings.HasPrefix(t, "-O") && len(t) == 3:
		case t == "-E" || t == "-X" || t == "-x" || t == "-s" || t == "-d":
		case t == "-D" || t == "-f":
			i++
		case strings.HasPrefix(t, "-") && t != "-" || t == "(" || t == ")" || t == "!" || t == ",":
			return args[i:]
		}
	}
	return nil
}

// fixed returns a pattern of names. Of one that is not fully known the ending is
// left, which no value before it changes: *$py.class.
func fixed(w model.Word) (pattern string, ok bool) {
	end := path.Ext(w.Text)
	switch {
	case w.Known:
		return w.Text, true
	case !w.Splits && len(end) > 2 && strings.Trim(end[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == "":
		return "*" + end, true
	}
	return "", false
}

// Places returns what a find with these arguments finds: each of its roots
// with all below, or, where only certain names are asked for, a pattern of
// these: ROOT/**/NAME. Other tests make it some files: ROOT/**/*.
func Places(args []model.Word) []model.Word {
	roots := Roots(args)
	var names []model.Word
	expression := Expression(args)
	for i := 0; i < len(expression); i++ {
		switch t := expression[i].Text; t {
		case "-o", "-or", "!", "-not", ",":
			if t == "!" || t == "-not" {
				i += 2 // the test that is turned round narrows nothing
				continue
			}
			if t == "," {
				return roots
			}
		case "-name", "-iname":
			if i++; i < len(expression) {
				names = append(names, expression[i])
			}
		case "-exec", "-execdir", "-ok", "-okdir":
			for i+1 < len(expression) && expression[i].Text != ";" && !(expression[i].Text == "+" && expression[i-1].Text == "{}") {
				i++
			}
		default:
			if TakesValue(t) {
				i++
			}
		}
	}
	if len(names) == 0 || !findNamed(expression) {
		if !findSome(expression) {
			return roots
		}
		return foundBelow(roots, model.Word{Text: "*", Known: true})
	}
	for i, name := range names {
		pattern, ok := fixed(name)
		if !ok || strings.Trim(pattern, "*") == "" {
			return roots
		}
		names[i] = model.Word{Text: pattern, Known: true}
	}
	if len(roots)*len(names) > 256 {
		return roots
	}
	return foundBelow(roots, names...)
}

// foundBelow are the patterns ROOT/**/NAME.
func foundBelow(roots []model.Word, names ...model.Word) []model.Word {
	var out []model.Word
	for _, root := range roots {
		for _, name := range names {
			out = append(out, model.Word{Text: strings.TrimRight(root.Text, "/") + "/**/" + name.Text, Known: root.Known, Glob: true})
		}
	}
	return out
}

// findSome reports whether only some files pass the tests, whatever they are
// called. An alternative, or a test turned round, may let everything pass.
func findSome(expression []model.Word) bool {
	some := false
	for i := 0; i < len(expression); i++ {
		switch t := expression[i].Text; t {
		case "-o", "-or", "!", "-not", ",", "(":
			return false
		case "-empty":
			some = true
		case "-type":
			some = some || i+1 < len(expression) && expression[i+1].Text == "d" // which have to be empty
			i++
		case "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-newer", "-newermt", "-size", "-path", "-ipath", "-regex", "-iregex",
			"-perm", "-user", "-group", "-inum", "-samefile":
			some = true
			i++
		default:
			if TakesValue(t) {
				i++
			}
		}
	}
	return some
}

// findNamed reports whether every alternative of a find expression has a test
// by name, so that nothing else is found.
func findNamed(expression []model.Word) bool {
	named, depth := false, 0
	acted := false
	for i := 0; i < len(expression); i++ {
		switch t := expression[i].Text; t {
		case "(":
			depth++
		case ")":
			depth--
		case "!", "-not":
			i++
			if i < len(expression) && TakesValue(expression[i].Text) {
				i++
			}
		case "-name", "-iname":
			named = true
			i++
		case "-delete", "-exec", "-execdir":
			if !named {
				return false
			}
			acted = true
		case "-o", "-or":
			// -name a -prune -o -delete: what comes behind is another case
			if !named {
				return false
			}
			named = false
		default:
			if TakesValue(t) {
				i++
			}
		}
	}
	return named || acted
}

func TakesValue(t string) bool {
	switch t {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname", "-type",
		"-xtype", "-size", "-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-newer", "-anewer", "-cnewer", "-newermt",
		"-newerat", "-newerct", "-user", "-group", "-uid", "-gid", "-perm", "-maxdepth", "-mindepth", "-fstype", "-inum",
		"-links", "-samefile", "-used", "-regextype", "-printf", "-context", "-files0-from":
		return true
	}
	return false
}

// maxSides limits how many alternatives of -o are distinguished.
const maxSides = 8

// Below is what find finds: root/** for everything below a root, root/**/*.log
// where names are asked for, root/**/* where only some files are meant.
func Below(root model.Word, tests []model.Word) []model.Word {
	base := strings.TrimSuffix(root.Text, "/")
	var out []model.Word
	for _, c := range choices(tests) {
		w := root
		w.Text, w.Glob, w.Some = base+c.pattern, true, c.some
		out = append(out, w)
	}
	return out
}

// found is what one side of an -o lets through.
type found struct {
	pattern string
	some    bool // not all of what the pattern matches
}

// choices are the patterns of what the tests of find let through, one for each
// side of an -o. What is pruned is not found.
func choices(tests []model.Word) []found {
	var out []found
	name, some, most, pruned := "", false, false, false
	add := func() {
		switch {
		case name != "":
			out = append(out, found{pattern: "/**/" + name})
		case some || most:
			out = append(out, found{"/**/*", some})
		default:
			out = append(out, found{pattern: "/**"})
		}
	}
	for i := 0; i < len(tests) && len(out) < maxSides; i++ {
		switch t := tests[i].Text; t {
		case "-type", "-maxdepth", "-mindepth", "-xtype":
			i++
		case "-depth", "-print", "-print0", "-xdev", "-mount", "-follow", "-ignore_readdir_race", "-noleaf", "-a", "-and", "(", ")":
		case "-name", "-iname":
			if i++; i < len(tests) && name == "" && tests[i].Text != "*" {
				name, _ = fixed(tests[i])
			}
		case "!", "-not": // all but those
			most = true
			i += 2
		case "-o", "-or":
			if !pruned {
				add()
			}
			name, some, most, pruned = "", false, false, false
		case ",":
			return []found{{pattern: "/**/*"}}
		case "-prune":
			pruned = true
		default: // it narrows what is found
			some = true
			if TakesValue(t) {
				i++
			}
		}
	}
	add()
	return out
}

// Named is what find and ls name: places, or names without the directory they
// are in.
func Named(r *model.Run) (places []model.Word, names bool) {
	if r.Program == "ls" || r.Program == "eza" {
		for i := range r.Args {
			switch w := &r.Args[i]; {
			case strings.HasPrefix(w.Text, "-"):
			case w.Glob && !strings.HasSuffix(w.Text, "/"): // files, as they are called
				places = append(places, *w)
			default:
				return nil, true
			}
		}
		if len(places) == 0 {
			places = []model.Word{{Text: "./*", Known: true, Glob: true}}
		}
		return places, false
	}
	var out []model.Word
	roots, tests := Roots(r.Args), Expression(r.Args)
	for i := range tests {
		if tests[i].Text == "-printf" && i+1 < len(tests) && strings.HasPrefix(tests[i+1].Text, "%f") {
			return nil, true
		}
	}
	for _, root := range roots {
		out = append(out, Below(root, tests)...)
	}
	return out, false
}

// Matching returns what a text search that lists files can name, given where it
// searches: grep -rl x src. deep is true if it is recursive.
func Matching(deep bool, in []model.Word) (places []model.Word) {
	if len(in) == 0 && deep {
		in = []model.Word{{Text: ".", Known: true}}
	}
	for _, w := range in {
		if deep {
			w.Text, w.Glob, w.Some = strings.TrimSuffix(w.Text, "/")+"/**/*", true, true
		}
		places = append(places, w)
	}
	return places
}
