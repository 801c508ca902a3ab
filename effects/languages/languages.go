// Package languages says what code in languages other than the shell does: the
// text after python -c, a script piped into node, an awk program. Nothing is run.
// Anything unknown is a doubt and never harmless.
package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/calls"
	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/languages/host"
	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/languages/within"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Host is the interpreter that found the code. What is found is reported to it.
type (
	Host    = host.Host
	Content = host.Content
	Start   = host.Start
)

// Hole marks the part of a text that a shell would fill in.
const Hole = within.Hole

// Language is everything that is known of one language. To add one, write a
// file with its Language and name it in find, and one with its Syntax in lex; put what its functions do into
// calls/<name>.txt, and an example for each of these rows into
// testdata/<name>.txt (go test -update fills in what the examples do).
//
// A language that resembles most others has flags, a table of calls and a few
// functions, and the walker reads its code. Any other has its own read function.
//
// Lists of words have a space around each word.
type Language struct {
	*lex.Syntax // how it is cut into tokens

	name string
	read func(h Host, l *Language, text string) // nil: the walker

	// How it is written.
	freeLines    bool   // the end of a line means nothing
	indented     bool   // blocks have no brackets; braces hold values
	blocksBehind bool   // a call may have a block behind it: { |x| … }, do |x| … end
	loopsBehind  bool   // f x for y
	loopsOver    bool   // -n and -p go through the lines of files as $_
	tilde        bool   // a ~ in front of the name of a file is the home directory
	flattens     bool   // lists within lists are one list
	commaEnds    bool   // a comma ends an assignment
	adjacent     bool   // strings next to each other are one
	callsAny     bool   // any value may be called
	annotates    bool   // x: T = y
	base         int    // the number of the first element of a list
	joins        string // puts strings together
	members      string // marks in front of a member
	continues    string // marks with which a line goes on with the one before
	named        string // the marks behind the name of an argument
	bareCalls    string // functions that are called without brackets; * all, " those in front of a string
	prefixes     string // words in front of a value
	operators    string // words between values
	functions    string // words that begin a function
	keywords     string // words that begin a statement, each with what is to be done: import:import

	// What it does.
	calls     *string // calls/<name>.txt; table.go explains it
	values    string  // names that stand for a text, or for the environment: os.sep:/ os.environ:env
	scopes    string  // names of what holds all names
	arguments string  // where the program's arguments are; with a name in front of them if it has a dot or a $
	stdin     string  // files that are the standard input
	implicit  string  // functions that without arguments are about $_
	loop      func(w *walker)
	imports   func(w *walker)
	lookup    func(w *walker, name string) (value, bool)
	canonical func(ref string) string // the one name of a function that has several
	verb      func(w *walker, c *call, verb string) (value, bool)
}

// find returns the language of that name, nil if it is unknown.
func find(name string) *Language {
	for _, l := range [...]*Language{&python, &node, &ruby, &perl, &php, &lua, &r, &awk, &applescript, &tclLanguage, &vim} {
		if l.name == name {
			return l
		}
	}
	if has(" fish elvish xonsh nu ", name) {
		return &otherShell
	}
	return nil
}

// Limits for reading code. Exceeding one leaves a doubt.
const (
	maxCode   = 1 << 18 // bytes of one program
	maxSteps  = 1 << 16 // values that are worked out per program
	maxNest   = 100     // brackets within each other
	maxNames  = 4096    // variables
	maxString = 1 << 14 // bytes of a string that is put together
	maxList   = 256     // elements of a list, alternatives of a value
	maxArgs   = 1024    // arguments of a call
	maxChoice = 16      // alternatives of a text that are looked at
	maxFields = 64      // of an object
	maxAhead  = 512     // tokens that are looked at in advance
	maxCalls  = 8       // calls of a function that are looked at for its arguments
	maxOutput = 1 << 18 // bytes of what code prints
)

// Read lists what a text does that is executed as code of a language.
func Read(language, text string, h Host) {
	l := find(language)
	switch {
	case len(text) > maxCode || !h.Spend(len(text)):
		h.Doubt("size", language)
	case language == Typed:
		typed(h, text)
	case l == nil:
		guess.Read(h, language, text)
	case l.read != nil:
		l.read(h, l, text)
	default:
		if l == &python && strings.Contains(text, "!") {
			notebookLines(h, text)
		}
		walk(h, l, text)
		guess.Interfaces(h, text)
		if l == &node && strings.Contains(text, "Application(") { // osascript -l JavaScript
			guess.AppleWays(h, text)
		}
		for _, code := range recipes.InPatterns(text) {
			if l == &perl {
				Read(language, code, h)
			}
		}
		if words := recipes.Task(text); len(words) > 0 && l == &node {
			h.Start(guess.Words(h, words), Start{})
		}
		if place := recipes.FinderScript(text); place != "" && l == &node {
			h.File(model.File{Op: model.Delete, Tree: true, Code: true, Path: h.Resolve(word(guess.Tilde(h, place)))})
		}
		if l == &perl && strings.Contains(text, "@ARGV") { // <> reads what it names
			guess.Secrets(h, recipes.AtHome(text))
		}
		if l == &lua && recipes.Controlled(text) {
			served(h)
		}
	}
}

// notebookLines lists the lines that IPython gives to a shell: !ls. In Python itself
// no line begins with this mark, but one of a text may: ![a picture](of.png).
func notebookLines(h Host, text string) {
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "!")
		if picture := strings.HasPrefix(command, "[") && !strings.HasPrefix(command, "[ "); ok && command != "" && !picture {
			h.Shell(strings.TrimPrefix(command, "!"), nil)
		}
	}
}

// otherShell is a language similar enough to the shell to find the commands it runs.
var otherShell = Language{name: "shell", read: func(h Host, l *Language, text string) {
	h.Shell(recipes.Bourne(text), nil)
	h.Doubt("code", text)
}}

// opaque lists code that cannot be read here.
func opaque(h Host, language, text string) {
	h.Code(model.Code{Language: language, Text: text, Origin: model.Inline})
	h.Doubt("code", text)
}

// served notes that a host provides a program's standard input.
func served(h Host) { h.Code(model.Code{Language: "shell", Origin: model.Network}) }

func word(text string) model.Word { return model.Word{Text: text, Known: true} }

// has reports whether a list of words, each between spaces, holds a word.
func has(list, word string) bool { return calls.Has(list, word) }
