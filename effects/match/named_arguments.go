package match

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

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
		case loads(&g), strings.HasPrefix(g.Role, "N"), strings.HasPrefix(g.Role, "K") && !row.Addressed(),
			optnames.Unchecked(g.Spelled(), g.Value.Text), optnames.Unconfined(g.Spelled(), g.Value.Text):
			return true
		case g.Value.Text == "/" && optnames.Roots(g.Spelled()):
			return true
		case g.Role == "Z" && n.asksForCode(all.Given):
			return true
		case strings.HasPrefix(g.Role, "U"), strings.HasPrefix(g.Role, "H"):
			host, _ := paths.HostOfWord(g.Value)
			return !row.Addressed() && !hostname.Local(host)
		case g.Role == "O" && row.Homed(): // gh --repo example.com/a/b
			host, _, more := strings.Cut(g.Value.Text, "/")
			return more && strings.Contains(host, ".")
		}
		return !n.Data && g.Has && (!isMessage(&g) || g.Name == "" && isPlace(g.Value.Text)) &&
			n.strays(g.Value.Text, g.Role != "" && strings.Contains("WAE", g.Role[:1]))
	}) || row.Executes() && n.anyStrays(all.Operands) || n.anyStrays(read.Code()) || n.hasList(all.Operands)
}

// loads reports whether an option names code that the program loads or runs, or a command.
func loads(g *programs.Given) bool {
	return g.Role != "" && strings.Contains("XQSC", g.Role[:1]) || g.Role == "" && optnames.LoadsCode(g.Spelled(), g.Value.Text)
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
