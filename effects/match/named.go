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
// run a file or turns it to another place or host, and for a program that only reads,
// nothing that an option adds to that.
func AsNamed(ev *trammel.Event, run int, names []string) bool {
	set := effects.Of(ev)
	r := &set.Runs[run]
	reads := programs.OnlyReads(r)
	switch n := (namedRun{effects.At(ev), r}); {
	case !installed(r, names) || sourced(r, names) || n.isAway(reads) || n.isTurned():
		return false
	case reads:
		return !slices.ContainsFunc(set.Files, func(f effects.File) bool {
			return f.Run == run && (changes(f.Op) || n.Program == "git" && f.Path.Known() && n.outside(f.Path, false))
		})
	default:
		return !programs.Turned(r) && !slices.ContainsFunc(set.Files, func(f effects.File) bool {
			return f.Run == run && changes(f.Op) && f.Path.Known() && n.outside(f.Path, true)
		})
	}
}

func changes(op model.Op) bool { return op != effects.Read && op != effects.Search }

// installed reports whether a program is installed on the machine, or the rule
// gives its path.
func installed(r *effects.Run, names []string) bool {
	return !isPath(r.Path) || paths.OfSystem(r.Path) || slices.ContainsFunc(names, isPath)
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
}

// isAway reports whether the program works in a directory outside of the project, where
// settings of others apply. Where a program only reads does not matter, except for git: settings of a
// repository can name programs.
func (n *namedRun) isAway(reads bool) bool {
	return (!reads || n.Program == "git") && !n.Remote && n.Dir.Known() && n.outside(n.Dir, false)
}

// isTurned reports whether an option names a file that is run, a place outside of the
// project, or the host that the program talks to instead of its own, or an operand code
// from outside of the project.
func (n *namedRun) isTurned() bool {
	if git, ok := programs.ReadGit(n.Run); ok { // its directories are before the sub-command
		before := n.Args[:max(0, len(n.Args)-len(git.Args))]
		if slices.ContainsFunc(before, func(w effects.Word) bool { return n.strays(w.Text, false) }) {
			return true
		}
	}
	row, _ := programs.Lookup(n.Program)
	told := programs.Told(n.Run)
	read := programs.PlacesOf(told)
	all := row.Parse(told.Args)
	return slices.ContainsFunc(slices.Concat(read.Options(), all.Given), func(g programs.Given) bool {
		switch {
		case strings.HasPrefix(g.Role, "X"):
			return true
		case strings.HasPrefix(g.Role, "U"), strings.HasPrefix(g.Role, "H"):
			host, _ := paths.HostOfWord(g.Value)
			return !row.Addressed() && !paths.IsLocal(host)
		}
		return !n.Data && g.Has && !isMessage(&g) && n.strays(g.Value.Text, g.Role != "" && strings.Contains("WAE", g.Role[:1]))
	}) || row.Executes() && slices.ContainsFunc(all.Operands, func(w effects.Word) bool { return n.strays(w.Text, false) })
}

func isMessage(g *programs.Given) bool {
	if g.Name == "" {
		return optnames.Message("-" + string(rune(g.Letter)))
	}
	return optnames.Message("--" + g.Name)
}

// strays reports whether a text names a place outside of the project.
func (n *namedRun) strays(text string, writes bool) bool {
	if strings.Contains(text, "://") {
		return false
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,=:'\"", r) }) {
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
