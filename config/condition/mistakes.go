package condition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/plan"
)

// Mistake is a part of a condition that asks for what there never is.
type Mistake struct {
	Text   string
	Spaced bool // it asks for several words in one argument
}

// Mistakes finds the parts of a condition that ask for what there never is: two
// words in one argument, the program's name among its own arguments, a host with a
// scheme, the output of a tool that has not run yet.
func Mistakes(when string, on []trammel.Kind, aboutTools bool, matched *plan.Match) []Mistake {
	tree, err := parse(when, settings())
	if when == "" || err != nil {
		return nil
	}
	m := &mistakes{on: on, aboutTools: aboutTools, programs: matched.Programs, absolute: len(matched.Paths) > 0}
	ast.Walk(&tree.Node, visitor(func(node ast.Node) {
		switch n := node.(type) {
		case *ast.CallNode:
			m.call(n)
		case *ast.MemberNode:
			m.member(n)
		case *ast.BinaryNode:
			m.compared(n)
		}
	}))
	return m.found
}

type mistakes struct {
	on         []trammel.Kind
	aboutTools bool
	programs   []string
	absolute   bool // the match names paths, and then path is the whole one
	found      []Mistake
}

func (m *mistakes) never(format string, args ...any) {
	m.found = append(m.found, Mistake{Text: fmt.Sprintf(format, args...)})
}

// own reports whether a word is the name of the program. Of several, one may take another's
// name as its argument: uv pip install.
func (m *mistakes) own(word string) bool { return len(m.programs) == 1 && m.programs[0] == word }

// call looks at the texts that a question is asked with.
func (m *mistakes) call(n *ast.CallNode) {
	name, of := "", ast.Node(nil)
	switch callee := n.Callee.(type) {
	case *ast.IdentifierNode:
		name = callee.Value
	case *ast.MemberNode:
		name, of = textOf(callee.Property), callee.Node
	}
	if isQuestion(name) && of == nil && !m.aboutTools {
		m.never("%s asks about a tool call, and the hook's events have none", name)
		return
	}
	if name == "begins" && len(n.Arguments) > 0 && m.own(textOf(n.Arguments[0])) {
		m.never("the arguments of %s do not begin with its own name", textOf(n.Arguments[0]))
	}
	for _, a := range n.Arguments {
		if text := textOf(a); text != "" {
			m.asked(name, text, of != nil && isName(of, "session"))
		}
	}
}

// asked looks at one text that a question is asked with.
func (m *mistakes) asked(name, text string, session bool) {
	var err error
	switch {
	case slices.Contains([]string{"reads", "writes", "deletes", "sends", "wrote", "fetched"}, name):
		err = match.CheckGlob(text)
	case name == "talks_to":
		err = match.CheckHost(text)
	case name == "value" && strings.Contains(text, "="):
		m.never("args.value(%q) asks for an option of that name, expected %q", text, text[:strings.IndexByte(text, '=')])
	case name == "value" && m.bare(text):
		m.never("args.value(%q) asks for no option, expected %q", text, "--"+text)
	case (isAbout(name) && !session || name == "runs") && len(strings.Fields(text)) > 1 && !strings.Contains(text, "="):
		m.found = append(m.found, Mistake{Spaced: true, Text: fmt.Sprintf(
			"%q is looked for in single arguments, but in a command line it is several: %s", text, strings.Join(strings.Fields(text), ", "))})
	}
	if err != nil {
		m.never("%s(%q): %s", name, text, err)
	}
}

// bare reports whether a text is the name of an option without its dashes. Programs
// that take name=value as an operand have no dashes.
func (m *mistakes) bare(text string) bool {
	pairs := slices.ContainsFunc(m.programs, func(p string) bool { return p == "dd" || p == "make" || p == "gmake" })
	return len(m.programs) > 0 && !pairs && len(text) > 1 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz-") == "" && text[0] != '-'
}

// member looks at what is only there after a tool has run.
func (m *mistakes) member(n *ast.MemberNode) {
	name := textOf(n.Property)
	early := len(m.on) > 0 && !slices.ContainsFunc(m.on, func(k trammel.Kind) bool { return k != trammel.PreToolUse })
	if early && isName(n.Node, "tool") && slices.Contains([]string{"output", "error", "failed", "done"}, name) {
		m.never("tool.%s is only there after the tool has run, and the hook is asked before", name)
	}
}

// operations are what can happen to a file.
var operations = [...]string{"read", "write", "delete", "move", "link", "mode", "search"}

// compared looks at what is compared with a text.
func (m *mistakes) compared(n *ast.BinaryNode) {
	text := textOf(n.Right)
	if text == "" {
		return
	}
	if m.absolute && isName(n.Left, "path") && (n.Operator == "==" || n.Operator == "startsWith") && !strings.ContainsAny(text[:1], `/\`) &&
		!strings.Contains(text, ":") {
		m.never("path is absolute where the match names a path, and %q is not: expected endsWith, or the path in the match", text)
	}
	member, ok := n.Left.(*ast.MemberNode)
	if !ok {
		return
	}
	if of, ok := member.Node.(*ast.MemberNode); ok && isName(of.Node, "args") && member.Property.String() == "0" && n.Operator == "==" &&
		m.own(text) {
		m.never("the arguments of %s do not begin with its own name", text)
	}
	first, _, more := strings.Cut(strings.TrimPrefix(text, "^"), " ")
	switch name := textOf(member.Property); {
	case name == "op" && n.Operator == "==" && !slices.Contains(operations[:], text):
		m.never("no file is ever touched by %q, expected one of %s", text, strings.Join(operations[:], ", "))
	case name == "text" && isName(member.Node, "args") && more && m.own(first) &&
		(n.Operator == "startsWith" || n.Operator == "matches" && text[0] == '^'):
		m.never("the arguments of %s do not begin with its own name", first)
	}
}
