package programs

import "github.com/trammel-dev/trammel/effects/model"

// Types that are used throughout this package.
type (
	Word = model.Word
	Path = model.Path
	File = model.File
)

const Read, Search, Write, Delete, Move, Link, Mode = model.Read, model.Search, model.Write, model.Delete, model.Move, model.Link,
	model.Mode

// Host is the interpreter, as one run of a program sees it. Everything that is
// listed through it belongs to that run.
type Host interface {
	// Run is the run itself. It must not be changed.
	Run() *model.Run
	// Resolve returns the path that a word means for a program that runs in dir.
	Resolve(w Word, dir Path) Path
	// IsDir reports whether a place is known to be a directory.
	IsDir(p Path) bool
	// IsThere reports whether there is something at a place.
	IsThere(p Path) bool
	// Text is what a small file of this machine holds.
	Text(file string) (string, bool)
	// Names returns the sorted names in a directory, if it is small.
	Names(dir Path) []string
	// Home and User are those of the account, "" if they are unknown.
	Home() string
	User() string
	// Tilde is the word for a name whose ~ the program itself expands.
	Tilde(name string) Word

	// AddFile, AddNet, AddCode and Doubt list an effect of the run. A file whose
	// path is not known is a doubt as well.
	AddFile(f File)
	AddNet(n model.Net)
	AddCode(c model.Code)
	Doubt(code, what string)

	// Input is what is known of the standard input, and Fed reports whether
	// there is any.
	Input() Stream
	Fed() bool
	// Given is the text of files that are there already and come in on standard
	// input. Secrets are left out: what they hold remains unknown.
	Given() (text string, ok bool)
	// Listed returns the paths in a list: a file, or - for standard input. An
	// unknown word represents those that are unknown.
	Listed(w Word) []Word
	// Holds is what a file may hold if the same line has written it, and Written
	// reports whether there is any such file, other than /dev/stdin and the like.
	Holds(p Path) []Stream
	Written() bool
	// Wrote notes where the new content of a file comes from, Copied that a file
	// now holds what another one held.
	Wrote(to Path, content Content)
	Copied(from, to Path)

	// Enter makes another directory the one that what follows runs in.
	Enter(dir Path)
	// Start runs another program, whose words these are.
	Start(words []Word, how Start)
	// Script reads a text as shell code, Command a word, which may not be known;
	// Served reads it with a host as its standard input.
	Script(text string)
	Command(w Word)
	Served(w Word)
	// Inline reads code of another language, RunText that of a word, RunFile
	// that of a file, RunInput that on standard input. Opaque lists code that
	// cannot be read here.
	Inline(language, text string)
	RunText(language string, w Word)
	RunFile(language string, w Word)
	RunInput(language string)
	Opaque(language string, w Word)
	// OnDisk reads text from a file of this machine that the program runs. Its
	// effects count, doubts about it do not.
	OnDisk(language, text string)
}

// Stream is what is known about some data.
type Stream struct {
	Text    string
	Known   bool // Text is all of it
	Network bool // some of it comes from a host
}

// Content is where the new content of a file comes from.
type Content uint8

// The origins of content.
const (
	Own     Content = iota // the program itself
	Stdin                  // its standard input
	Added                  // the same, behind what was there
	Fetched                // a host
)

// fetchedIf is content that comes from a host if a condition holds.
func fetchedIf(remote bool) Content {
	if remote {
		return Fetched
	}
	return Own
}

// Start says how a program differs from the one that starts it.
type Start struct {
	More   bool // it gets further arguments that cannot be seen
	Served bool // its standard input is a host
}
