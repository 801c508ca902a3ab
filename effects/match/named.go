package match

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
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
	case slices.ContainsFunc(set.Codes, func(c model.Code) bool {
		return c.Run == run && c.File.Known() && n.outside(c.File, false) && !paths.OfSystem(c.File.Abs, "") &&
			!slices.Contains(n.asked, c.File.Text)
	}):
		return "it runs code from outside of the project"
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

// isLoaded reports whether an option of a run names code that the program loads or runs.
func isLoaded(r *effects.Run) bool {
	read := programs.PlacesOf(programs.Told(r))
	return slices.ContainsFunc(read.Options(), func(g programs.Given) bool { return loads(&g) })
}

// isSent reports whether an argument makes a program talk to another host than its own, or to
// one although it is about files: psql postgres://example.com/x, bazel
// --remote_cache=grpc://example.com, tar tf example.com:x.
func (n *namedRun) isSent(t *model.Net) bool {
	row, _ := programs.Lookup(n.Program)
	if git, ok := programs.ReadGit(n.Run); ok && git.Sub != "push" && git.Sub != "fetch" && git.Sub != "pull" {
		return false
	}
	if t.Host == "" || t.Own || hostname.Local(t.Host) || row.Addressed() {
		return false
	}
	for i, w := range n.Args {
		before, after, found := strings.Cut(strings.ToLower(w.Text), t.Host)
		optional := strings.HasPrefix(w.Text, "-") || i > 0 && n.Args[i-1].Text != "" && n.Args[i-1].Text[0] == '-' &&
			!strings.Contains(n.Args[i-1].Text, "=")
		address := before == "" && strings.HasPrefix(after, ":") && row.AboutFiles() ||
			before != "" && strings.ContainsRune("/@=", rune(before[len(before)-1]))
		bucket := strings.HasSuffix(before, "s3://") || strings.HasSuffix(before, "gs://")
		if (row.Homed() || row.AboutFiles() || optional) && found && address && !bucket && !slices.Contains(n.asked, w.Text) {
			return true
		}
	}
	return false
}

// unchecked reports whether an option stops a program from checking whom it talks to.
func unchecked(r *effects.Run) bool {
	read := programs.PlacesOf(programs.Told(r))
	return slices.ContainsFunc(read.Options(), func(g programs.Given) bool {
		is := func(name string) bool { return optnames.Unchecked(name, g.Value.Text) }
		return is(g.Spelled()) || slices.ContainsFunc(programs.Aliases(r, g.Spelled()), is)
	})
}
