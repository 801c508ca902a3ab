// Package shell says what a command line runs: every simple command in it,
// wherever it stands, with wrappers looked through and quotes removed. It
// never runs anything and never expands what only a running shell can know;
// where it does not know, it says so, and its callers count doubt as yes.
package shell

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	effects "github.com/trammel-dev/trammel/effects/shell"
)

// Limits of what is looked into. What goes beyond them is Unknown, because a
// guard has to answer soon and must not run out of stack.
const (
	maxSource   = 256 << 10
	maxDepth    = 16 // wrappers and scripts within each other
	maxCommands = 4096
)

// Line is what a command line runs.
type Line struct {
	// Commands are all simple commands in source order. A wrapper (sudo, env,
	// sh -c) stands before what it runs; both are listed.
	Commands []Command
	// Unknown is true when the line could not be read; Why says why. Then it
	// has one Command, which is Dynamic and has no Args.
	Unknown bool
	Why     string
}

// Command is a simple command.
type Command struct {
	// Program is the base name of what runs, "" if only a running shell knows.
	Program string
	// Path is the program as written, quotes removed.
	Path   string
	Args   []Word
	Assign []string // the names of variables set for this command only
	// Dynamic is true when the program is not known: it comes from a variable,
	// a substitution, a pattern or standard input.
	Dynamic bool

	// hidden are pieces of source in which arguments may be that only a
	// running shell would see. Anything in them counts as given.
	hidden []string
}

// Words returns the command's arguments for questions.
func (c *Command) Words() Words { return Words{args: c.Args, hidden: c.hidden, dynamic: c.Dynamic} }

type lineKey struct{ command string }

var none Line

// Of returns what the event's command line runs, parsed once per dispatch. An
// event without a command has an empty Line. It must not be changed.
func Of(ev *trammel.Event) *Line {
	if ev.Tool == nil || ev.Tool.Action.Command == "" {
		return &none
	}
	src := effects.SourceOf(ev)
	return ev.Memo(lineKey{src.Text}, func() any { return list(src) }).(*Line)
}

// Parse reads a command line as bash would. It takes any input, and always
// returns soon.
func Parse(src string) *Line { return list(effects.Parse(src)) }

func list(source effects.Source) (line *Line) {
	src := source.Text
	if strings.TrimSpace(src) == "" {
		return &Line{}
	}
	defer func() {
		if p := recover(); p != nil { // a mistake of ours must not take the guard down
			line = unknown(src, fmt.Sprintf("the parser failed: %v", p))
		}
	}()
	if source.File == nil {
		return unknown(src, source.Why)
	}
	w := walker{state: new(state), source: src, origin: []string{src}}
	w.walk(source.File)
	if len(w.commands) > maxCommands {
		return unknown(src, fmt.Sprintf("it runs more than %d commands", maxCommands))
	}
	return &Line{Commands: w.commands}
}

func unknown(src, why string) *Line {
	return &Line{Unknown: true, Why: why, Commands: []Command{{Dynamic: true, hidden: []string{src}}}}
}
