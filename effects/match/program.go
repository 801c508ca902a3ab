// Package match has the conditions that a hook's match can name beside tools
// and actions: which programs a command line runs, and which files a call names.
package match

import (
	"path"
	"runtime"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/shell"
)

// folds is true where the file system does not tell upper from lower case. A
// guard must not be passed by writing GIT or Biome.JSON there.
const folds = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

func fold(s string, folds bool) string {
	if folds {
		return strings.ToLower(s)
	}
	return s
}

// Programs holds for events whose command line runs one of the programs, or
// one that is not known: doubt counts as yes. Names may contain * and ?.
func Programs(names []string) trammel.Condition { return programs(names) }

type programs []string

func (p programs) Holds(ev *trammel.Event) bool { return RunsAny(ev, p) }

// RunsAny reports whether a command of the event's line runs one of the
// programs, or one that is not known.
func RunsAny(ev *trammel.Event, names []string) bool {
	line := shell.Of(ev)
	for i := range line.Commands {
		if Runs(&line.Commands[i], names) {
			return true
		}
	}
	return false
}

func (p programs) String() string { return "program is " + strings.Join(p, " or ") }

// Runs reports whether the command runs one of the programs, or one that is
// not known.
func Runs(c *shell.Command, names []string) bool {
	if c.Dynamic {
		return true
	}
	for _, name := range names {
		if isProgram(c.Program, name, folds) {
			return true
		}
	}
	return false
}

func isProgram(program, name string, folds bool) bool {
	if program == name {
		return true
	}
	program = fold(strings.TrimSuffix(program, ".exe"), folds)
	name = fold(name, folds)
	if !strings.ContainsAny(name, "*?") {
		return program == name
	}
	ok, err := path.Match(name, program)
	return ok || err != nil
}
