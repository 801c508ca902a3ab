package match

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// AsNamed reports whether a run is what a person means who allows a program by its
// name: the one that is installed, at work in the project, with no option that makes it
// run or load code or turns it to another place, host or account, and for a program that
// only reads, nothing that an option adds to that. What the rule asks for itself, in
// asked, is meant.
func AsNamed(ev *trammel.Event, run int, names, asked []string) bool {
	return Beyond(ev, run, names, asked) == ""
}

// Beyond says why a run is not what a person means who allows its program by name, "" if
// it is; see AsNamed.
func Beyond(ev *trammel.Event, run int, names, asked []string) string {
	set := effects.Of(ev)
	r := &set.Runs[run]
	reads := programs.OnlyReads(r)
	n := namedRun{effects.At(ev), r, asked}
	touches := func(is func(f *effects.File) bool) bool {
		return slices.ContainsFunc(set.Files, func(f effects.File) bool { return f.Run == run && is(&f) })
	}
	switch {
	case !installed(r, names):
		return notInstalled
	case sourced(r, names):
		return "it only reads a script of that name"
	case n.isAway(reads):
		return "it works in a directory outside of the project"
	case n.isTurned(), n.isLed(reads):
		return "an argument names code, an account, a host or a place outside of the project"
	case n.isPrefixed():
		return "an argument begins with a word that makes the program run, delete or contact something, or read outside of the project"
	case n.isExtended():
		return "it runs a task, or sets a variable, that the rule does not ask for"
	case n.isOpposite():
		return "it changes something, and the words that the rule asks for only show something"
	case slices.ContainsFunc(set.Nets, func(t model.Net) bool { return t.Run == run && n.isSent(&t) }):
		return "an argument sends it to another host"
	case slices.ContainsFunc(set.Nets, func(t model.Net) bool { return t.Run == run && t.Sends && n.readsAway(set, run) }):
		return "it sends a file from outside of the project"
	case reads && touches(func(f *effects.File) bool { return changes(f.Op) }):
		return "it changes a file, and the program is known for reading"
	case reads && touches(func(f *effects.File) bool { return n.Program == "git" && f.Path.Known() && n.outside(f.Path, false) }):
		return "it reads a file outside of the project"
	case !reads && programs.Turned(r):
		return "a variable turns it to another account, host or place"
	case !reads && touches(func(f *effects.File) bool { return f.Path.Known() && changes(f.Op) && n.outside(f.Path, true) }):
		return "it changes a file outside of the project"
	case !reads && touches(func(f *effects.File) bool {
		return f.Path.Known() && f.Op == effects.Read && f.Shell && n.outside(f.Path, false)
	}):
		return "its input is a file outside of the project"
	}
	return ""
}

const notInstalled = "the program is not one that is installed: the rule has to give its path"

func changes(op model.Op) bool { return op != effects.Read && op != effects.Search }

// readsAway reports whether a run reads a file outside of the project, and not just to log in.
func (n *namedRun) readsAway(set *model.Set, run int) bool {
	return slices.ContainsFunc(set.Files, func(f effects.File) bool {
		return f.Run == run && f.Op == effects.Read && !f.Login && f.Path.Known() && n.outside(f.Path, false)
	})
}

// installed reports whether a program is installed on the machine, or the rule
// gives its path.
func installed(r *effects.Run, names []string) bool {
	return !isPath(r.Path) || paths.OfSystem(r.Path, "") || slices.ContainsFunc(names, isPath)
}

func isPath(name string) bool { return strings.ContainsAny(name, `/\`) }

// sourced reports whether a run only reads a script that has the name of an allowed
// program: . ./ls.
func sourced(r *effects.Run, names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return isPath(name) || isProgram(r.Program, name) })
}

// namedRun is a run of a program that a rule allows by its name.
type namedRun struct {
	at *model.Setting
	*effects.Run
	asked []string // the words that the rule asks for
}

// isAway reports whether the program works in a directory outside of the project, where
// settings of others apply. Where a program only reads does not matter, except for git: settings of a
// repository can name programs.
func (n *namedRun) isAway(reads bool) bool {
	return (!reads || n.Program == "git") && !n.Remote && n.Dir.Known() && n.outside(n.Dir, false)
}

// isTurned reports whether an option names code that is run or loaded, a place outside of
// the project, or the account or host that the program uses instead of its own, or an
// operand code from outside of the project.
func (n *namedRun) isTurned() bool {
	if git, ok := programs.ReadGit(n.Run); ok { // its directories are before the sub-command
		before := n.Args[:max(0, len(n.Args)-len(git.Args))]
		if slices.ContainsFunc(before, func(w effects.Word) bool {
			return n.strays(w.Text, false) || w.Text == "/" || strings.HasSuffix(w.Text, "=/")
		}) {
			return true
		}
	}
	row, _ := programs.Lookup(n.Program)
	told := programs.Told(n.Run)
	read := programs.PlacesOf(told)
	all := row.Parse(told.Args)
	return slices.ContainsFunc(slices.Concat(read.Options(), all.Given), func(g programs.Given) bool {
		switch {
		case n.asksFor(&g):
			return false
		case loads(&g), strings.HasPrefix(g.Role, "N"), strings.HasPrefix(g.Role, "K") && !row.Addressed(), optnames.Unchecked(g.Spelled()),
			optnames.Unconfined(g.Spelled(), g.Value.Text):
			return true
		case g.Value.Text == "/" && optnames.Roots(g.Spelled()):
			return true
		case g.Role == "Z" && n.asksForCode(all.Given):
			return true
		case strings.HasPrefix(g.Role, "U"), strings.HasPrefix(g.Role, "H"):
			host, _ := paths.HostOfWord(g.Value)
			return !row.Addressed() && !paths.IsLocal(host)
		case g.Role == "O" && row.Homed(): // gh --repo example.com/a/b
			host, _, more := strings.Cut(g.Value.Text, "/")
			return more && strings.Contains(host, ".")
		}
		return !n.Data && g.Has && (!isMessage(&g) || g.Name == "" && isPlace(g.Value.Text)) &&
			n.strays(g.Value.Text, g.Role != "" && strings.Contains("WAE", g.Role[:1]))
	}) || row.Executes() && n.anyStrays(all.Operands) || n.anyStrays(read.Code()) || n.hasList(all.Operands)
}

// loads reports whether an option names code that the program loads or runs.
func loads(g *programs.Given) bool {
	return g.Role != "" && strings.Contains("XQ", g.Role[:1]) || g.Role == "" && optnames.LoadsCode(g.Spelled(), g.Value.Text)
}

// isLoaded reports whether an option of a run names code that the program loads or runs.
func isLoaded(r *effects.Run) bool {
	read := programs.PlacesOf(programs.Told(r))
	return slices.ContainsFunc(read.Options(), func(g programs.Given) bool { return loads(&g) })
}

// isPrefixed reports whether the beginning of an argument makes the program run, delete or
// contact what the rest of it names, or read it outside of the project: convert msl:x, convert
// label:@/etc/passwd.
func (n *namedRun) isPrefixed() bool {
	runs, reads := programs.Prefixed(n.Run)
	return len(runs) > 0 || n.anyStrays(reads)
}

func (n *namedRun) anyStrays(words []effects.Word) bool {
	return slices.ContainsFunc(words, func(w effects.Word) bool { return n.strays(w.Text, false) })
}

// hasList reports whether an operand is a file outside of the project with further
// arguments: pytest @/tmp/args.
func (n *namedRun) hasList(operands []effects.Word) bool {
	return slices.ContainsFunc(operands, func(w effects.Word) bool {
		name, ok := strings.CutPrefix(w.Text, "@")
		return ok && isPlace(name) && n.strays(name, false)
	})
}

// isLed reports whether a long option that no row lists names code that is loaded, or if the
// program does not only read, a place outside of the project: swift build --package-path /tmp/x.
// Of a program without a row, any argument may be such a place.
func (n *namedRun) isLed(reads bool) bool {
	_, known := programs.Lookup(n.Program)
	for i, w := range n.Args {
		place := isPlace(w.Text) || strings.HasPrefix(w.Text, "-") && !strings.ContainsAny(w.Text, " \n")
		if !known && place && n.strays(w.Text, i > 0 && optnames.Outputs(n.Args[i-1].Text)) {
			return true // any of its options may be about a place: hugo -s /tmp/x
		}
		name, value, given := strings.Cut(w.Text, "=")
		switch {
		case i == 0 && len(w.Text) > 1 && w.Text[0] == '+' && isPlace(w.Text[1:]): // cargo +/tmp/x build
			return true
		case !strings.HasPrefix(name, "--") || n.Data || slices.Contains(n.asked, name):
			continue
		case !given && i+1 < len(n.Args):
			value = n.Args[i+1].Text
		}
		if name != "--run" && optnames.LoadsCode(name, value) || !reads && isPlace(value) && n.strays(value, optnames.Outputs(name)) {
			return true
		}
	}
	return false
}

// isPlace reports whether a text can only be a place that is not below the working
// directory.
func isPlace(text string) bool {
	return text != "" && (text[0] == '/' || text[0] == '~' || strings.HasPrefix(text, "..")) && !strings.ContainsAny(text, " \n")
}

// isOpposite reports whether a run changes something, although each word that the rule asks
// for is one that only shows something: az vm delete -n list.
func (n *namedRun) isOpposite() bool {
	if _, class := programs.ClassOf(n.Run); class == "" || class == programs.Look {
		return false
	}
	some := false
	for _, text := range n.asked {
		if text == "" || text[0] == '-' {
			continue
		}
		some = true
		bare := model.Run{Program: n.Program, Path: n.Path, Args: []effects.Word{{Text: text, Known: true}}}
		if _, class := programs.ClassOf(&bare); class != programs.Look && !optnames.Shows(text) {
			return false
		}
	}
	return some
}

// asksForCode reports whether the rule asks for one of the options that are code, so that
// it does not mean the others: mysql -e 'select 1' --init-command 'drop table x'.
func (n *namedRun) asksForCode(given []programs.Given) bool {
	return slices.ContainsFunc(given, func(g programs.Given) bool { return g.Role == "Z" && n.asksFor(&g) })
}

// asksFor reports whether the rule asks for an option by one of its names, and for its
// value if it asks for one.
func (n *namedRun) asksFor(g *programs.Given) bool {
	names := append(programs.Aliases(n.Run, g.Spelled()), g.Spelled())
	return slices.ContainsFunc(n.asked, func(word string) bool {
		name, value, some := strings.Cut(word, "=")
		return slices.Contains(names, name) && (!some || value == g.Value.Text)
	})
}

// isExtended reports whether an operand adds a task to those that the rule asks for, or
// sets a variable that is no plain value: make lint deploy, make lint SHELL=./x.
func (n *namedRun) isExtended() bool {
	row, _ := programs.Lookup(n.Program)
	if !row.Tasks() {
		return false
	}
	return slices.ContainsFunc(row.Parse(n.Args).Operands, func(w effects.Word) bool {
		name, value, sets := strings.Cut(w.Text, "=")
		if sets {
			set := model.Run{Env: []model.Assign{{Name: name}}}
			return set.Replaced() || strings.ContainsAny(value, " \t\n$`;|&<>()/")
		}
		return len(n.asked) > 0 && !slices.Contains(n.asked, w.Text)
	})
}

// isSent reports whether an argument makes a program that has a host of its own talk to
// another one, or an option one that has none: psql postgres://example.com/x, bazel
// --remote_cache=grpc://example.com.
func (n *namedRun) isSent(t *model.Net) bool {
	row, _ := programs.Lookup(n.Program)
	if git, ok := programs.ReadGit(n.Run); ok && git.Sub != "push" && git.Sub != "fetch" && git.Sub != "pull" {
		return false
	}
	if t.Host == "" || t.Own || paths.IsLocal(t.Host) || row.Addressed() {
		return false
	}
	for i, w := range n.Args {
		before, _, found := strings.Cut(strings.ToLower(w.Text), t.Host)
		optional := strings.HasPrefix(w.Text, "-") || i > 0 && n.Args[i-1].Text != "" && n.Args[i-1].Text[0] == '-' &&
			!strings.Contains(n.Args[i-1].Text, "=")
		if (row.Homed() || optional) && found && before != "" && !strings.HasSuffix(before, "s3://") && !strings.HasSuffix(before, "gs://") &&
			strings.ContainsRune("/@=", rune(before[len(before)-1])) && !slices.Contains(n.asked, w.Text) {
			return true
		}
	}
	return false
}

// unchecked reports whether an option stops a program from checking whom it talks to.
func unchecked(r *effects.Run) bool {
	read := programs.PlacesOf(programs.Told(r))
	return slices.ContainsFunc(read.Options(), func(g programs.Given) bool {
		return optnames.Unchecked(g.Spelled()) || slices.ContainsFunc(programs.Aliases(r, g.Spelled()), optnames.Unchecked)
	})
}

func isMessage(g *programs.Given) bool { return optnames.Message(g.Spelled()) }

// strays reports whether a text names a place outside of the project.
func (n *namedRun) strays(text string, writes bool) bool {
	if strings.Contains(text, "://") {
		return false
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,=:'\"", r) }) {
		if len(part) > 3 && part[0] == '-' && (part[2] == '/' || part[2] == '~') {
			part = part[2:] // -B/tmp
		}
		above := strings.HasPrefix(path.Clean(part), "..")
		if len(part) < 2 || !strings.ContainsRune("/~", rune(part[0])) && !above {
			continue
		}
		if above && n.Dir.Known() {
			part = path.Join(n.Dir.Abs, part)
		}
		if n.outside(effects.Resolve(n.at, part), writes) {
			return true
		}
	}
	return false
}

// outside reports whether a place lies outside of the project. What is written may lie
// among temporary files.
func (n *namedRun) outside(p effects.Path, writes bool) bool {
	if n.at.Project == "" || paths.Quiet(p.Abs) {
		return false
	}
	project := effects.Resolve(n.at, n.at.Project)
	if paths.Within(cmp.Or(p.Real, p.Abs), project.Real) {
		return false
	}
	ground := paths.On(n.at)
	return !writes || !ground.Scratch(p)
}
