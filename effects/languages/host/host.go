// Package host is what readers of code ask for and report to.
package host

import "github.com/trammel-dev/trammel/effects/model"

// Host is the interpreter that found the code. What the code does is listed
// there, for the run that executes it.
type Host interface {
	// Resolve finds the place that a word names, seen from Dir.
	Resolve(w model.Word) model.Path
	// Dir is the working directory; Chdir moves to another one, which may be
	// unknown.
	Dir() model.Path
	Chdir(p model.Path)
	// Home and User are the account's, "" if unknown.
	Home() string
	User() string
	// Args are the arguments of the run; more is true if there may be others.
	Args() (args []model.Word, more bool)
	// Input is the standard input, as far as it is known, and Listed are the paths that
	// a file names, or - for the standard input.
	Input() string
	Listed(w model.Word) []model.Word

	// File lists what happens to a file. A place that is unknown leaves a doubt.
	File(f model.File)
	// Wrote notes what a file holds from here on, Copied that it holds what
	// another one held. Holds returns what the line has put into a file.
	Wrote(p model.Path, c Content)
	Copied(from, to model.Path)
	Holds(p model.Path) []string
	// Net lists a host, URL the host of a URL that may be known in part.
	Net(n model.Net)
	URL(w model.Word, sends bool)
	// Code lists text that is executed and was not read here.
	Code(c model.Code)
	// Env notes that a variable of the environment is read; * is all of them.
	Env(name string)
	// RunnerFile is what a variable of the environment holds that names a file of a CI
	// runner: GITHUB_OUTPUT. ok is false for all others, and if that is unknown.
	RunnerFile(name string) (text string, ok bool)
	// Bomb notes code that starts processes without end.
	Bomb(text string)
	// Printed notes plain text that the code writes to standard output.
	Printed(text string)
	// Doubt notes something that is unknown: "code", "size", "depth".
	Doubt(kind, what string)

	// Shell runs a text as a shell script; in is its input, nil for the code's own.
	Shell(text string, in *Content)
	// Start runs a program, which is the first of the words.
	Start(words []model.Word, s Start)
	// Run executes a text as code of a language, RunFile a file.
	Run(language, text string)
	RunFile(language string, w model.Word)
	// Spend counts bytes that are read; false means that no more may be read.
	Spend(n int) bool
}

// Content is what a file or a stream holds.
type Content struct {
	Text    string
	Known   bool // Text is all of it
	Network bool // it comes from a host
	Added   bool // what was there before stays
}

// Start says how a program is started.
type Start struct {
	Dir   *model.Path // nil: where the code runs
	Input *Content    // nil: the code's own
	Piped bool        // its input is what the program before it has written
	More  bool        // there are arguments that are unknown
}
