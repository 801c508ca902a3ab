// Package shell is the interpreter: it follows a command line through everything
// that it starts, without running anything, and lists what that does.
package shell

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"mvdan.cc/sh/v3/syntax"
)

// Limits of the interpreter. Whatever goes beyond them is a Doubt, because a guard
// has to answer soon.
const (
	maxWork    = 200_000 // statements, words and expansions that are looked at
	maxInner   = 1 << 20 // bytes of scripts within scripts, and of texts that are computed
	maxRuns    = 5_000
	maxNested  = 24   // scripts, functions and wrappers within each other
	maxWays    = 32   // alternatives of one command that are examined
	maxChoices = 8    // possible values of a variable, or contents of a file
	maxBraces  = 1024 // words that the braces of one word become
)

// Machine is where command lines and code run, and in which directory.
type Machine struct {
	*model.Setting
	Paths *paths.Resolver
	Dir   model.Path
}

// Interpret lists what a command line does in a set that has no runs yet. It
// accepts any input, never runs anything, and always returns soon.
func (m *Machine) Interpret(set *model.Set, line parse.Source) {
	d, st := m.start(set)
	defer d.failed()
	d.line(line, st)
	d.end()
	d.set.Environment()
	d.origins()
	set.Doubts = slices.DeleteFunc(set.Doubts, func(x model.Doubt) bool { return x.Code == "code" && set.Initialises(x.Run) })
}

// Code lists what code in another language does, for tools that run code.
func (m *Machine) Code(set *model.Set, language, text string) {
	own := &model.Set{} // the interpreter has lists of its own beside the runs of a set
	defer func() { set.Add(own) }()
	d, st := m.start(own)
	defer d.failed()
	d.inline(language, text, -1, st)
}

func (m *Machine) start(set *model.Set) (*deriver, *state) {
	return &deriver{set: set, world: m.Setting, paths: m.Paths},
		&state{scope: &scope{}, dir: m.Dir, in: stream{run: -1}, by: -1, name: "bash"}
}

// failed is deferred: a bug in the interpreter must not take the guard down, and
// must be visible.
func (d *deriver) failed() {
	if p := recover(); p != nil {
		d.set.Doubt("failure", fmt.Sprintf("the interpreter failed: %v", p), -1)
	}
}

// deriver interprets one command line.
//
// It expands words as far as they are known, tracks variables, functions, aliases
// and the working directory, looks through wrappers, and lists a Run for each
// program. Package programs knows what each does with its arguments, package
// languages what inline code does; both pass scripts that they find back to it.
type deriver struct {
	set   *model.Set
	world *model.Setting
	paths *paths.Resolver

	source   string              // the script that is being read
	in       []stream            // the standard input of each run
	rows     []*programs.Row     // the table's row for each run, if its program is known
	held     map[string][]stream // possible contents of files written by this line, by absolute path
	last     int                 // the last run listed for a command in the source
	steps    int
	inner    int
	uses     int      // runs that were listed as used by others
	pipes    int      // process substitutions so far
	scripts  int      // files that were there before and were read
	scripted int      // and their size
	loaded   []string // those of them that others load
	readers  []reader // those of them that wait for input
	full     bool
	cut      bool    // a script that runs was not read completely
	frames   []frame // functions and scripts that are being run
	traps    []trapped
	choice   *choice
	spare    *choice
	prints   map[int]string    // output of inline code by run, if it is plain text
	programs map[string]string // files that this line has put into program directories, by name
	doors    map[string]string // links that this line has made to open descriptors
	copies   map[string]string // programs that this line has copied or linked, by path

	// first is space for the runs of most lines. One allocation is cheaper than
	// several of different sizes, each of which needs a new page.
	first struct {
		runs [3]model.Run
		in   [3]stream
		rows [3]*programs.Row
	}
}

// step counts a unit of work, and reports whether more is allowed.
func (d *deriver) step() bool {
	d.steps++
	if d.steps > maxWork || len(d.set.Runs) > maxRuns {
		d.exhausted("it is too large to be looked at in full")
	}
	return !d.full
}

// spend counts bytes of computed text against the limit.
func (d *deriver) spend(n int) bool {
	d.inner += n
	if d.inner > maxInner {
		d.exhausted("the scripts in it are too large")
	}
	return !d.full
}

func (d *deriver) exhausted(what string) {
	if !d.full {
		d.full = true
		d.set.Doubt("size", what, -1)
	}
}

// doubt notes that something about a run is unknown; -1 is the line itself.
func (d *deriver) doubt(code, what string, run int) { d.set.Doubt(code, what, run) }

// text is the source text of a node.
func (d *deriver) text(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(d.source) {
		return ""
	}
	return d.source[from:to]
}
