// Package shell says what a command line runs: every simple command in it,
// wherever it stands, with wrappers looked through and quotes removed. It
// never runs anything and never expands what only a running shell can know;
// where it does not know, it says so, and its callers count doubt as yes.
package shell

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"mvdan.cc/sh/v3/syntax"
)

// Limits of what is looked into. What goes beyond them is Unknown, because a
// guard has to answer soon and must not run out of stack.
const (
	maxSource   = 256 << 10
	maxNesting  = 256   // brackets within brackets
	maxBrackets = 20000 // opening brackets in all
	maxKeywords = 8000  // words that may open a compound command
	maxDepth    = 16    // wrappers and scripts within each other
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
	src := ev.Tool.Action.Command
	return ev.Memo(lineKey{src}, func() any { return Parse(src) }).(*Line)
}

// Parse reads a command line as bash would. It takes any input, and always
// returns soon.
func Parse(src string) (line *Line) {
	if strings.TrimSpace(src) == "" {
		return &Line{}
	}
	defer func() {
		if p := recover(); p != nil { // a parser's mistake must not take the guard down
			line = unknown(src, fmt.Sprintf("the parser failed: %v", p))
		}
	}()
	file, err := parse(src)
	if err != nil {
		return unknown(src, err.Error())
	}
	w := walker{state: new(state), source: src, origin: []string{src}}
	w.walk(file)
	if len(w.commands) > maxCommands {
		return unknown(src, fmt.Sprintf("it runs more than %d commands", maxCommands))
	}
	return &Line{Commands: w.commands}
}

func unknown(src, why string) *Line {
	return &Line{Unknown: true, Why: why, Commands: []Command{{Dynamic: true, hidden: []string{src}}}}
}

func parse(src string) (*syntax.File, error) {
	switch {
	case len(src) > maxSource:
		return nil, fmt.Errorf("it has %d bytes, more than %d are not read", len(src), maxSource)
	case !utf8.ValidString(src):
		return nil, fmt.Errorf("it is not valid UTF-8")
	case strings.IndexByte(src, 0) >= 0:
		return nil, fmt.Errorf("it contains a NUL byte")
	case tooNested(src):
		return nil, fmt.Errorf("it is nested too deeply")
	}
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
}

// tooNested keeps the parser, which is recursive, from exhausting the stack.
// It also counts what stands in quotes, which errs on the side of not reading.
func tooNested(src string) bool {
	if len(src) > maxKeywords {
		keywords := 0
		for _, word := range [...]string{"if", "for", "case", "time", "while", "until", "select", "coproc"} {
			keywords += strings.Count(src, word)
		}
		if keywords > maxKeywords {
			return true
		}
	}
	depth, all := 0, 0
	for i := range len(src) {
		switch src[i] {
		case '(', '{', '[':
			depth++
			all++
			if depth > maxNesting || all > maxBrackets {
				return true
			}
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return false
}
