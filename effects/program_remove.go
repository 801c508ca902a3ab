package effects

import "strings"

// remove is rm and its relatives.
func remove(c *call) {
	o := options{short: "", long: "recursive force interactive? one-file-system no-preserve-root preserve-root? dir verbose help version"}
	switch c.name {
	case "shred", "wipe":
		o = options{short: "n:s:", long: "force iterations= random-source= size= remove? verbose exact zero help version"}
	case "rmdir":
		o.long = "ignore-fail-on-non-empty parents verbose help version"
	case "rimraf":
		o.long = "glob no-glob preserve-root no-preserve-root max-retries= retry-delay= backoff= impl= tmp= help version"
	case "del", "erase", "rd":
		c.args = slashOptions(c.args)
	case "remove-item", "ri":
		o = options{dash: true, long: "path= literalpath= recurse force filter= include= exclude= erroraction="}
		c.args = lowerOptions(c.args)
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	a.values(func(w Word) { a.operands = append(a.operands, w) }, "path", "literalpath")
	switch c.name {
	case "shred", "wipe":
		for _, w := range a.operands {
			c.add(File{Op: Write}, w)
		}
		if a.has("u", "remove") || c.name == "wipe" {
			c.remove(a.has("r"), a.operands...)
		}
		return
	case "rmdir", "unlink":
		c.remove(false, a.operands...)
		return
	}
	tree := a.has("r", "R", "recursive", "recurse", "s", "S")
	switch c.name {
	case "trash", "trash-put", "rimraf":
		tree = true
	}
	c.remove(tree, a.operands...)
}

// lowerOptions is for PowerShell, where options may be written in any case.
func lowerOptions(args []Word) []Word {
	out := append([]Word(nil), args...)
	for i := range out {
		if strings.HasPrefix(out[i].Text, "-") {
			out[i].Text = strings.ToLower(out[i].Text)
		}
	}
	return out
}

// slashOptions turns the options of cmd.exe (/s /q) into ours.
func slashOptions(args []Word) []Word {
	out := make([]Word, len(args))
	for i, w := range args {
		if w.Known && len(w.Text) == 2 && w.Text[0] == '/' {
			w.Text = "-" + strings.ToLower(w.Text[1:])
		}
		out[i] = w
	}
	return out
}

// gio is the file tool of GNOME.
func gio(c *call) {
	if len(c.args) < 2 {
		return
	}
	name := c.args[0].Text
	c.args = c.args[1:]
	switch name {
	case "trash", "remove":
		a, _ := c.options(options{})
		c.remove(true, a.operands...)
	case "copy", "move":
		c.name = map[bool]string{true: "mv", false: "cp"}[name == "move"]
		transfer(c)
	case "cat":
		c.read(c.args...)
	}
}

// find lists the places that find goes through, and what it does there itself.
// What it starts (-exec) is the interpreter's.
func find(c *call) {
	expression := findExpression(c.args)
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
		for _, w := range findRoots(c.args) {
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

// findRoots returns where a find begins.
func findRoots(args []Word) []Word {
	n := len(args) - len(findExpression(args))
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

// findExpression returns the part of find's arguments behind the places.
func findExpression(args []Word) []Word {
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
	roots := findRoots(args)
	var names []Word
	expression := findExpression(args)
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

// fd is find with other words.
func fd(c *call) {
	end := len(c.args)
	for i, w := range c.args {
		if w.Text == "-x" || w.Text == "-X" || w.Text == "--exec" || w.Text == "--exec-batch" {
			end = i
		}
	}
	rest := c.args[end:]
	c.args = c.args[:end]
	a, ok := c.options(options{short: "d:t:e:E:S:o:c:j:", long: "max-depth= min-depth= exact-depth= type= extension= exclude= size= owner= " +
		"color= threads= base-directory= search-path= changed-within= changed-before= max-results= glob hidden no-ignore help version"})
	if !ok {
		return
	}
	roots := []Word{word(".")}
	if len(a.operands) > 1 {
		roots = a.operands[1:]
	}
	a.values(func(w Word) { roots = append(roots, w) }, "search-path", "base-directory")
	for _, w := range roots {
		c.add(File{Op: Search, Tree: true}, w)
	}
	if len(rest) < 2 {
		return
	}
	var words []Word
	found := false
	put := func(w Word) {
		for _, root := range roots {
			below := Word{Text: strings.TrimRight(root.Text, "/") + "/**", Known: root.Known, Glob: true}
			if len(a.operands) > 0 && a.operands[0].Known && a.operands[0].Text != "." && a.operands[0].Text != "" {
				below.Text += "/*" + a.operands[0].Text + "*"
			}
			words = append(words, below)
		}
		found = true
	}
	for _, w := range rest[1:] {
		switch w.Text {
		case ";":
		case "{}", "{/}", "{//}", "{.}", "{/.}":
			put(w)
		default:
			words = append(words, w)
		}
	}
	if !found {
		put(Word{})
	}
	c.d.start(words, c.run, c.st, started{more: true})
}
