package dialects

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Facts is the first part of a host's text: one fact per line, a key and its
// value. Lists are separated by a comma and a space, and continue where the key
// is repeated.
type Facts struct {
	Title string // what people call it
	// Project is the variable in which it tells its hooks where the project is.
	// That is more stable than the directory in the payload, which an agent can
	// change. "" if it tells them nothing.
	Project string
	// Programs are the names that it is started under, Packages the npm
	// packages that they come in. Ordinary: a program's name is an ordinary
	// word, which means nothing in a pattern.
	Programs, Packages []string
	Ordinary           bool
	// Marks are variables that are set in the shells which it starts.
	Marks []string
	// Dirs are where its user's settings are: the first whose variable is set.
	Dirs []Dir
	// Settings are the files that wire it, and others that could switch the
	// wiring off: paths by their last parts, in lower case. A ** at the end
	// stands for everything below.
	Settings []string
	// Off is what makes it run without its hooks, its settings or its questions.
	Off Off
	// Windows is what it runs commands with there; elsewhere it is sh.
	Windows Shell
	// Comments: it is known to read comments in its JSON.
	Comments bool
	// Disabled is the key of its settings that switches all hooks off.
	Disabled string
	// Locks are the keys that switch off hooks which no administrator has set,
	// and LockFiles are where they may be: an absolute path, one in the host's
	// own directory ({dir}), or one in the project. A key may be a path with
	// dots; with =false at its end it locks if it is false.
	Locks, LockFiles []string
	// PluginServers are files in which its plugins name MCP servers, below its
	// directory, and ManagedServers those of an administrator. There may be a * in
	// them.
	PluginServers, ManagedServers []string
	// Consent: it runs our hooks only after its user has approved them, and
	// does not say whether that has happened.
	Consent bool
	// Patience is how long it waits for a hook if it is told to, as was measured
	// (TestPatience): for calls that people may have to decide about. That is at
	// most a little longer than a request is open, if nobody says otherwise. 0: as
	// long as usual.
	Patience time.Duration
	// Denial is the JSON that denies if a hook is ClosedByJSON, with %s for the
	// reason.
	Denial string
	// Readers are other hosts that read its settings and so call what is wired
	// there: the name, and the fields that distinguish their payload, -FIELD
	// for one that is not in it.
	Readers []string
	// NoUser and NoProject say why a scope has no file, and what to do instead.
	NoUser, NoProject string
	// Notes tell the user what is left to do once it is wired, ProjectNotes what
	// is for a project alone; {project} stands for its directory.
	Notes, ProjectNotes []string
	// Gaps are what hooks cannot control: what the host does not report at all,
	// or lets through whatever is answered.
	Gaps []string
}

// Dir is a directory of a host's user: Below the directory that a variable
// names ($VARIABLE/below), or without a variable below the home directory.
type Dir struct{ Variable, Below string }

// Off are the options and variables that start a host unguarded: an option
// (--bare), one with its value (-s danger-full-access), or a variable
// (OPENCODE_PURE). With Hooks it runs no hooks, with Settings it reads other
// settings, with Approval it asks nobody, or its commands run unconfined, and
// with Code it runs what it is given: servers, plugins, a shell.
type Off struct{ Hooks, Settings, Approval, Code []string }

// Facts reads the host's facts, once. A text that cannot be read is a bug and
// panics; the tests of every dialect read it.
func (h *Host) Facts() *Facts {
	if f := h.facts.Load(); f != nil {
		return f
	}
	f := &Facts{}
	if h.About != nil {
		head, _, _ := strings.Cut(*h.About, tableTitle)
		words := f.words()
		for line := range strings.Lines(head) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if name == "" {
				continue
			}
			at := slices.IndexFunc(words[:], func(w word) bool { return w.name == name })
			if at < 0 || !words[at].take(strings.TrimLeft(value, " ")) {
				panic(fmt.Sprintf("the facts of %s: %q", h.System, line))
			}
		}
	}
	h.facts.Store(f)
	return f
}

// Starts reports whether a program of this name is the host. Every command is
// asked about for every host, so this reads no more than the lines that say it.
func (h *Host) Starts(program string) bool {
	if at := strings.LastIndexByte(program, '@'); at > 0 { // npx name@latest
		program = program[:at]
	}
	if f := h.facts.Load(); f != nil {
		is := func(name string) bool { return named(name, program) }
		return slices.ContainsFunc(f.Programs, is) || slices.ContainsFunc(f.Packages, is)
	}
	if h.About == nil || program == "" {
		return false
	}
	_, rest, _ := strings.Cut(*h.About, "\nprograms ")
	for range 2 { // the programs, and the packages right below them
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		for name := range strings.SplitSeq(strings.TrimSpace(line), ", ") {
			if named(name, program) {
				return true
			}
		}
		var packages bool
		if rest, packages = strings.CutPrefix(rest, "packages "); !packages {
			break
		}
	}
	return false
}

// named reports whether a program or a package has a name, without its owner.
func named(full, name string) bool {
	at := len(full) - len(name)
	return at >= 0 && name != "" && full[at:] == name && (at == 0 || full[at-1] == '/')
}

// word is a key that a line may begin with, and the field for its value.
type word struct {
	name string
	to   any
}

// texts are a list with one line each, which may have commas.
type texts struct{ list *[]string }

func (f *Facts) words() [28]word {
	return [...]word{
		{"title", &f.Title}, {"project", &f.Project}, {"programs", &f.Programs}, {"packages", &f.Packages}, {"ordinary", &f.Ordinary},
		{"marks", &f.Marks}, {"dirs", &f.Dirs}, {"settings", &f.Settings},
		{"off-hooks", &f.Off.Hooks}, {"off-settings", &f.Off.Settings}, {"off-approval", &f.Off.Approval}, {"off-code", &f.Off.Code},
		{"windows", &f.Windows}, {"comments", &f.Comments}, {"disabled", &f.Disabled}, {"locks", &f.Locks}, {"lock-files", &f.LockFiles},
		{"plugin-mcp", &f.PluginServers}, {"managed-mcp", &f.ManagedServers},
		{"consent", &f.Consent},
		{"patience", &f.Patience}, {"denial", &f.Denial},
		{"no-user", &f.NoUser}, {"no-project", &f.NoProject},
		{"reader", texts{&f.Readers}}, {"note", texts{&f.Notes}}, {"project-note", texts{&f.ProjectNotes}}, {"gap", texts{&f.Gaps}},
	}
}

// take reports whether the key can have the value.
func (w word) take(value string) bool {
	switch to := w.to.(type) {
	case *string:
		*to = value
	case *Shell:
		*to = Shell(value)
		return *to == PowerShell || *to == CmdExe
	case *bool:
		*to = value == "yes"
		return *to
	case *time.Duration:
		var err error
		*to, err = time.ParseDuration(value)
		return err == nil
	case *[]string:
		*to = append(*to, strings.Split(value, ", ")...)
	case texts:
		*to.list = append(*to.list, value)
	case *[]Dir:
		for name := range strings.SplitSeq(value, ", ") {
			d := Dir{Below: name}
			if rest, ok := strings.CutPrefix(name, "$"); ok {
				d.Variable, d.Below, _ = strings.Cut(rest, "/")
			}
			*to = append(*to, d)
		}
	}
	return true
}
