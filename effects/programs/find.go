package programs

import "strings"

// find lists the places that find goes through, and what it does there itself.
// What it starts (-exec) is the interpreter's.
func find(c *call) {
	expression := FindExpression(c.args)
	if findPrintsHelp(c.args) {
		return
	}
	places := findPlaces(c.args)
	deletes := false
	for i := 0; i < len(expression); i++ {
		switch t := expression[i].Text; t {
		case "-delete":
			deletes = true
		case "-exec", "-execdir", "-ok", "-okdir":
			for i+1 < len(expression) && !(expression[i].Text == ";" || expression[i].Text == "+" && expression[i-1].Text == "{}") {
				i++
			}
		case "-fprint", "-fls", "-fprint0", "-fprintf":
			if i+1 < len(expression) {
				i++
				c.write(expression[i])
			}
		default:
			if findTakesValue(t) {
				i++
			}
		}
	}
	if !deletes {
		for _, w := range FindRoots(c.args) {
			c.add(File{Op: Search, Tree: true}, w)
		}
		return
	}
	for _, w := range places {
		c.add(File{Op: Delete, Tree: !strings.HasSuffix(w.Text, "/**/*")}, w)
	}
}

func findPrintsHelp(args []Word) bool {
	return len(args) > 0 && (args[0].Text == "--help" || args[0].Text == "--version" || args[0].Text == "-help")
}

// FindRoots returns where a find begins.
func FindRoots(args []Word) []Word {
	n := len(args) - len(FindExpression(args))
	var roots []Word
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
		return []Word{word(".")}
	}
	return roots
}

// FindExpression returns the part of find's arguments behind the places.
func FindExpression(args []Word) []Word {
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

// findPlaces returns what a find with these arguments finds: each of its roots
// with all below, or, where only certain names are asked for, a pattern of
// these: ROOT/**/NAME. Other tests make it some files: ROOT/**/*.
func findPlaces(args []Word) []Word {
	roots := FindRoots(args)
	var names []Word
	expression := FindExpression(args)
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
			if findTakesValue(t) {
				i++
			}
		}
	}
	if len(names) == 0 || !findNamed(expression) {
		if !findSome(expression) {
			return roots
		}
		return foundBelow(roots, word("*"))
	}
	for _, name := range names {
		if !name.Known || strings.Trim(name.Text, "*") == "" {
			return roots
		}
	}
	if len(roots)*len(names) > 256 {
		return roots
	}
	return foundBelow(roots, names...)
}

// foundBelow are the patterns ROOT/**/NAME.
func foundBelow(roots []Word, names ...Word) []Word {
	var out []Word
	for _, root := range roots {
		for _, name := range names {
			out = append(out, Word{Text: strings.TrimRight(root.Text, "/") + "/**/" + name.Text, Known: root.Known, Glob: true})
		}
	}
	return out
}

// findSome reports whether only some files pass the tests, whatever they are
// called. An alternative, or a test turned round, may let everything pass.
func findSome(expression []Word) bool {
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
			if findTakesValue(t) {
				i++
			}
		}
	}
	return some
}

// findNamed reports whether every alternative of a find expression has a test
// by name, so that nothing else is found.
func findNamed(expression []Word) bool {
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
			if i < len(expression) && findTakesValue(expression[i].Text) {
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
			if findTakesValue(t) {
				i++
			}
		}
	}
	return named || acted
}

func findTakesValue(t string) bool {
	switch t {
	case "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-ilname", "-type", "-xtype",
		"-size",
		"-mtime", "-atime", "-ctime", "-mmin", "-amin", "-cmin", "-newer", "-anewer", "-cnewer", "-newermt", "-newerat", "-newerct", "-user",
		"-group",
		"-uid", "-gid", "-perm", "-maxdepth", "-mindepth", "-fstype", "-inum", "-links", "-samefile", "-used", "-regextype", "-printf",
		"-context", "-files0-from":
		return true
	}
	return false
}

// maxSides are the sides of -o that are told apart.
const maxSides = 8

// Below is what find finds: root/** for everything below a root, root/**/*.log
// where names are asked for, root/**/* where only some files are meant.
func Below(root Word, tests []Word) []Word {
	base := strings.TrimSuffix(root.Text, "/")
	var out []Word
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
func choices(tests []Word) []found {
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
			if i++; i < len(tests) && tests[i].Known && name == "" && tests[i].Text != "*" {
				name = tests[i].Text
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
			if findTakesValue(t) {
				i++
			}
		}
	}
	add()
	return out
}
