// Package importers turns the permission rules and hooks of other systems into
// hooks of trammel.yaml, tests of them and a report. A package for each system
// reads its files and says what its rules mean, as Rules; what comes of a Rule is
// decided here, for all systems alike:
//
//   - Rules that deny or ask become hooks. They may hold for more calls than they
//     do in the system that they come from, and the report says so.
//   - Rules that allow are only reported, or become hooks that grant, which never
//     hold for a call that the system would not allow.
package importers

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers/document"
)

// Source is a system whose rules can be read.
type Source struct {
	// Name is what people call it on the command line.
	Name string
	// Host is the host whose calls its rules are about, "" if it is none.
	Host string
	// Files are where it keeps its rules: below the project, or with ~/ below the
	// home directory. A * stands for any part of a name.
	Files []string
	// Ranked: of several rules for a call only that with the highest rank counts,
	// and of several such ones the last. Otherwise the strictest does.
	Ranked bool
	// Read reads one file. Errors are of type *document.Problem.
	Read func(File) ([]Rule, error)
}

// File is a file of a system.
type File struct {
	Path string
	Data []byte
	// User: it is the user's own, and not a project's.
	User bool
	// Grants: rules that allow are wanted, too.
	Grants bool
}

// Settings is the Read of a system whose files are JSON with comments.
func Settings(read func(root *document.Node, f File) ([]Rule, error)) func(File) ([]Rule, error) {
	return func(f File) ([]Rule, error) {
		root, err := document.Settings(f.Data)
		if err != nil {
			return nil, err
		}
		return read(root, f)
	}
}

// Rule is one rule of another system.
type Rule struct {
	Line     int
	Text     string           // as the system spells it
	Decision trammel.Decision // None for a rule that is only reported
	Calls    Calls
	// Program is a hook that the system starts, instead of a decision.
	Program *Program
	Reason  string // what the system says to the model, if anything
	// Own is true for the wiring that Trammel itself has written. It is not
	// reported.
	Own     bool
	Rank    float64
	Outcome Outcome
	Why     string
	// Matches and Misses are examples of command lines that the system's own
	// file gives.
	Matches, Misses []string
}

// Refuse makes a rule one that cannot be imported.
func (r Rule) Refuse(why string) Rule {
	r.Decision, r.Program, r.Outcome, r.Why = trammel.None, nil, Refused, why
	return r
}

// Ignore makes a rule one that its own system ignores.
func (r Rule) Ignore(why string) Rule {
	r = r.Refuse(why)
	r.Outcome = Ignored
	return r
}

// Calls are the calls that a rule is about. All that is set must hold; the zero
// Calls are all calls.
type Calls struct {
	// Command is for calls of a shell.
	Command *Command
	// Tools are names and patterns, as in a match.
	Tools []string
	// Actions and Paths are about files, and To about hosts, as in a match.
	Actions, Paths, To []string
	// Agents are the agents that make the call.
	Agents []string
	// When is a further condition.
	When string
	// Example and Miss are a call that is meant and one that is not quite, where
	// they do not follow from the above.
	Example, Miss *Call
}

// Call is a call of a tool.
type Call struct {
	Tool  string
	Input map[string]string
}

// Program is a program that another system starts for an event.
type Program struct {
	Event   string
	Match   []string // lines of the match, as YAML
	Run     string   // a command line, or
	Exec    []string // a program with its arguments, or
	Check   string   // a command line that must succeed, or
	URL     string   // a server, or
	Lines   []string // a declaration that is written already, and
	ID      string   // its id
	Dialect string
	Seconds string
	OnError string
	May     string
}

// Outcome is what became of a rule.
type Outcome string

// The outcomes.
const (
	Imported Outcome = "imported" // it means the same
	Wider    Outcome = "wider"    // it holds for more calls
	Narrower Outcome = "narrower" // it holds for fewer calls
	Noted    Outcome = "noted"    // it allows something, which is not imported
	Refused  Outcome = "refused"  // it cannot be imported
	Ignored  Outcome = "ignored"  // its own system ignores it
)

// Entry is a line of the report.
type Entry struct {
	File    string  `json:"file"`
	Line    int     `json:"line"`
	Rule    string  `json:"rule"`
	Outcome Outcome `json:"outcome"`
	Hook    string  `json:"hook,omitempty"`
	Why     string  `json:"why,omitempty"`

	order int
}

// Result is what was imported.
type Result struct {
	Hooks  []Hook
	Tests  []Test
	Report []Entry
}

// Test is a call, and what has to come of it.
type Test struct {
	Name     string
	Call     Call
	Decision trammel.Decision
	hook     string
	// Masked: a rule that comes before it may decide instead.
	Masked bool
}

// Everything makes a rule for all calls: one for commands, from which exceptions
// for commands can be made, and one for all other tools.
func (r Rule) Everything() []Rule {
	other := r
	r.Calls.Command = &Command{}
	other.Calls.Tools, other.Calls.When = everything, `action.kind != "shell"`
	if r.Decision == trammel.Allow {
		other.Calls.When = ""
	}
	other.Calls.Example = &Call{Tool: "mcp__any__tool"}
	return []Rule{r, other}
}

// Term reads Name, or Name(inner). ok is false if it is neither.
func Term(text string) (name, inner string, has, ok bool) {
	name, inner, has = strings.Cut(strings.TrimSpace(text), "(")
	if has {
		if inner, ok = strings.CutSuffix(inner, ")"); !ok {
			return "", "", false, false
		}
	}
	name = strings.TrimSpace(name)
	return name, strings.TrimSpace(inner), has, name != "" && !strings.ContainsAny(name, ") ")
}
