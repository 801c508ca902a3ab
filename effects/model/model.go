// Package model holds the types of a reading: what a call does. Package effects
// documents and re-exports them.
package model

// Set is everything that a tool call does, as far as it is known.
type Set struct {
	// Runs are the programs that are started, in the order in which they are
	// reached, each wrapper (sudo, env, xargs, sh -c) before what it runs. A
	// command with several possible arguments is listed once for each.
	Runs []Run
	// Files are what happens to files, by the tool itself or by a run.
	Files []File
	// Far is what happens to files of other machines and of containers.
	Far []File
	// Nets are the hosts that are talked to.
	Nets []Net
	// Codes are texts that are executed as code and could not be interpreted
	// here, or come from somewhere that makes it matter.
	Codes []Code
	// Env are the variables of the agent's environment that are read, by name; *
	// is all of them.
	Env []string
	// Bombs are constructs that start processes without end, as written.
	Bombs []string
	// Traps are parts that deceive readers of the call, or that may be replaced
	// on the way here.
	Traps []Trap
	// Origins are files whose content has an origin that later calls need to know.
	Origins []FileOrigin
	// Doubts say what is unknown. None means full coverage.
	Doubts []Doubt
}

// FileOrigin is a file that is written with what came from a host, or as a copy of a
// program.
type FileOrigin struct {
	Path    string
	Program string // "" if it came from a host
}

// Full reports whether everything is known.
func (s *Set) Full() bool { return len(s.Doubts) == 0 }

// Reads are the files that a run reads, its standard input among them.
func (s *Set) Reads(run int) []Path {
	var out []Path
	in := s.Runs[run].Stdin
	for i := range s.Files {
		if f := &s.Files[i]; f.Op == Read && f.Run == run {
			out = append(out, f.Path)
			if in != nil && f.Path.Abs == in.Abs {
				in = nil
			}
		}
	}
	if in != nil {
		out = append(out, *in)
	}
	return out
}

// Run is one program that is started.
type Run struct {
	// Program is the base name in lower case without .exe, "" if it is unknown.
	Program string
	Path    string // as written, quotes and variables resolved
	Args    []Word
	Env     []Assign // variables set for this run only
	Dir     Path     // where it runs
	// Astray is true when it may run elsewhere, because a cd to a directory that is
	// not there yet may have failed.
	Astray bool
	// By is the index of the run that starts this one (sudo, xargs, sh), -1
	// for the command line itself.
	By int
	// Root is true when it runs with more rights than the agent: sudo, doas, su.
	Root bool
	// From is the run whose output is this run's standard input, -1 if none.
	From int
	// Sole is true when no other run has written to its standard input.
	Sole bool
	// Input is its standard input where that is a text of the line itself: a
	// here-document, a here-string, what echo or printf write into the pipe.
	Input *string
	// Stdin is its standard input where that is a file.
	Stdin *Path
	// Silent is true when its standard output is /dev/null.
	Silent bool
	// More is true when there may be arguments that cannot be seen: xargs, "$@",
	// an unquoted variable that is not known.
	More bool
	// Uses are the runs whose output is part of its arguments or variables:
	// those of substitutions, also on the way through variables.
	Uses []int
	// Data is true for a program that only prints or searches its arguments.
	Data bool
	// Remote is true when it runs on another machine or in a container: the
	// files it touches are not ours and are not listed.
	Remote bool
}

// Word is an argument.
type Word struct {
	// Text is the value, without quotes. If the word is not Known, unknown parts
	// are as written: $DIR/build.
	Text  string
	Known bool
	// Glob is true when Text holds a pattern or braces that the shell would expand.
	Glob bool

	Network bool // all of it was fetched from a host
	Some    bool // it is a pattern for more than is meant
	Names   bool // it is not known, but any of the names in some directory
	Splits  bool // it may be several words: the line gives a part of it an unknown value, and it stands without quotes
	Uses    Span // the runs whose output is part of it
}

// Rest is the text of a word that represents unknown arguments.
const Rest = "…"

// Span is a range of runs, from the first up to the last but one.
type Span struct{ From, To int }

// Add makes the span cover another one, too.
func (s *Span) Add(o Span) {
	switch {
	case o.From >= o.To:
	case s.From >= s.To:
		*s = o
	default:
		s.From, s.To = min(s.From, o.From), max(s.To, o.To)
	}
}

// Assign is a variable and its value.
type Assign struct {
	Name  string
	Value Word
}

// Path is a place in the file system.
type Path struct {
	// Text is as written.
	Text string
	// Abs is absolute and clean, with the home directory, the working directory
	// and simple variables resolved, and links in all parts but the last
	// followed. "" if it is not known.
	Abs string
	// Real is Abs with a link in the last part followed, too.
	Real string
	// Glob is true when Abs is a pattern.
	Glob bool
	// Some is true when only some of what the pattern matches is meant: find
	// has chosen them by more than their names.
	Some bool
}

// Known reports whether the place is known.
func (p *Path) Known() bool { return p.Abs != "" }

// Op is what happens to a file.
type Op uint8

// The operations.
const (
	Read   Op = iota + 1 // its content is read
	Write                // it is created or its content changed
	Delete               // it is removed
	Move                 // it is moved away; To is where
	Link                 // a link to it is made; To is the link
	Mode                 // its permissions, owner or attributes change
	Search               // names below it are listed or searched
)

var opNames = [...]string{"", "read", "write", "delete", "move", "link", "mode", "search"}

func (o Op) String() string { return opNames[o] }

// File is what happens to one file or tree.
type File struct {
	Op   Op
	Path Path
	To   Path // Move, Link: the other end; of a Read by code, where its copy goes
	// Tree is true when everything below is meant, too.
	Tree bool
	// Append is true for a Write that preserves the existing content.
	Append bool
	// Endless is true for a Write that goes on in a loop without end.
	Endless bool
	// Kept is true for a Write of a file that the program maintains for the
	// project, as npm install does with package.json.
	Kept bool
	// Device is true for raw devices and other special files.
	Device bool
	// Run is the index of the run that does it, -1 for the tool itself.
	Run int
	// Code is true when an inline script does it.
	Code bool
	// Shown is true for a Read by code that prints what it has read.
	Shown bool
	// Login is true for a Read that only logs in or is handed on as it is: ssh -i,
	// --env-file. Its content is not shown.
	Login bool
	// Shell is true for what a redirection of the run's input or output does, and not
	// the program itself.
	Shell bool
}

// Net is a host that is talked to.
type Net struct {
	Host string // lower case, without port; "" if unknown
	Port string
	URL  string
	// Sends is true when data of ours goes out in a body, an upload or a copy.
	Sends bool
	// InURL is true when all that code sends is a part of the URL that is unknown.
	InURL bool
	// Listens is true when it waits for others to connect.
	Listens bool
	// Own is true for a service that the program talks to by itself: a registry, a cloud.
	Own bool
	Run int // -1 for the tool itself
	// Shell is true for a redirection: > /dev/tcp/host/port.
	Shell bool
}

// Origin is where code comes from.
type Origin uint8

// The origins.
const (
	Inline  Origin = iota + 1 // an argument: python -c
	Piped                     // standard input, written by another run
	OnDisk                    // a file that was there before
	Made                      // a file that this command line has written
	Network                   // it was fetched from a host
)

var originNames = [...]string{"", "inline", "piped", "file", "made", "network"}

func (o Origin) String() string { return originNames[o] }

// Code is a text that is executed as code.
type Code struct {
	Language string // shell, python, node, perl, ruby, php, awk, sql, …
	Text     string // "" if it cannot be seen
	Origin   Origin
	File     Path // OnDisk, Made: where it is
	Run      int  // the interpreter
}

// PackageFile is the language of a package that was fetched to a file and is
// installed from there. Traps say what is known of its source.
const PackageFile = "package file"

// Trap is something that is not what it seems, or may become something else.
type Trap struct {
	// Code is one of: hidden (invisible characters), lookalike (a host, a path or
	// a program that resembles another), package (a name one letter from a famous
	// one), unchecked (code whose source nobody vouches for: no certificate, no
	// encryption, no name), foreign (code that is used as it comes from an
	// address), stranger (the same, from a host that is neither a registry nor
	// known for its projects).
	Code string
	What string // the name, as written
	Why  string // what is wrong with it, which completes "<name> …"
	Run  int    // -1 for the tool itself
}

// Doubt is something unknown.
type Doubt struct {
	// Code is one of: syntax, program, argument, path, code, stdin, size, depth,
	// failure. With size, depth, syntax and failure something was not looked at.
	Code string
	// What it is about, as written.
	What string
	Run  int // -1 for the line itself
}
