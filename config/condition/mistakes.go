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

// Mistake is a part of a rule that is probably not what its author means. Code and Fix are those of
// the finding.
type Mistake struct{ Code, Text, Fix string }

// Mistakes finds the parts of a condition that ask for what there never is: two
// words in one argument, the program's name among its own arguments, a host with a
// scheme, the output of a tool that has not run yet, a misspelled option, a name
// that no agent has. tools are the tools of all agents, none if they are unknown.
func Mistakes(when string, on []trammel.Kind, matched *plan.Match, aboutTools bool, tools map[string]trammel.ActionKind) []Mistake {
	tree, err := parse(when, settings())
	if when == "" || err != nil {
		return nil
	}
	m := &mistakes{on: on, aboutTools: aboutTools, matched: matched, programs: matched.Programs, absolute: len(matched.Paths) > 0}
	m.demand(tree.Node)
	ast.Walk(&tree.Node, visitor(func(node ast.Node) {
		switch n := node.(type) {
		case *ast.CallNode:
			m.call(n)
		case *ast.IdentifierNode:
			m.aboutCall(n)
		case *ast.MemberNode:
			m.member(n)
			m.argumentOf(n, tools)
		case *ast.BuiltinNode:
			m.traps(n)
		case *ast.BinaryNode:
			m.shaped(n)
			m.compared(n)
		}
	}))
	m.unknownTools(tools)
	return m.found
}

type mistakes struct {
	on         []trammel.Kind
	aboutTools bool
	matched    *plan.Match
	programs   []string
	demanded   map[ast.Node]bool // what has to be true for the whole to be
	absolute   bool              // the match names paths, and then path is the whole one
	begins     string            // with what the arguments have to begin
	tools      []string          // with what tool.name is compared
	found      []Mistake
}

// demand notes the operands of &&.
func (m *mistakes) demand(node ast.Node) {
	if m.demanded == nil {
		m.demanded = map[ast.Node]bool{}
	}
	m.demanded[node] = true
	if n, ok := node.(*ast.BinaryNode); ok && isAnd(n.Operator) {
		m.demand(n.Left)
		m.demand(n.Right)
	}
}

func (m *mistakes) never(format string, args ...any) {
	m.found = append(m.found, Mistake{Code: "never-matches", Text: fmt.Sprintf(format, args...)})
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
	if isQuestion(name) && of == nil && len(n.Arguments) == 0 {
		m.never("%s() asks for nothing", name)
	}
	if len(n.Arguments) == 0 && of != nil && (isName(of, "session") || isName(of, "args")) {
		m.never("%s() asks for nothing", name)
	}
	if name == "begins" && len(n.Arguments) > 0 && m.demanded[n] && of != nil && isName(of, "args") {
		m.begin(textOf(n.Arguments[0]))
	}
	if name == "begins" && len(n.Arguments) > 0 && m.own(textOf(n.Arguments[0])) {
		m.never("the arguments of %s do not begin with its own name", textOf(n.Arguments[0]))
	}
	for _, a := range n.Arguments {
		if text := textOf(a); text != "" {
			m.asked(name, text, of != nil && isName(of, "session"))
		}
	}
	m.words(name, of, n)
}

// begin notes a word with which the arguments have to begin. They cannot begin with two.
func (m *mistakes) begin(word string) {
	if m.begins != "" && word != "" && word != m.begins && m.begins[0] != '-' && word[0] != '-' {
		m.never("the arguments do not begin with both %s and %s: write || between them", m.begins, word)
	}
	if word != "" {
		m.begins = word
	}
}

// words looks at the arguments of programs that a question is about.
func (m *mistakes) words(name string, of ast.Node, n *ast.CallNode) {
	by, asked := m.programs, n.Arguments
	switch {
	case name == "runs" && of == nil && len(asked) > 0:
		m.found = append(m.found, MisspelledProgram(textOf(asked[0]))...)
		if len(asked) == 1 {
			m.repeated(n, "program", textOf(asked[0]))
		}
		by, asked = []string{textOf(asked[0])}, asked[1:]
		if len(asked) > 0 {
			m.command(textOf(asked[0]), by)
		}
	case of == nil || !isName(of, "args") || !slices.Contains([]string{"has", "begins", "value"}, name):
		return
	default:
		if name == "begins" && len(asked) > 0 {
			m.command(textOf(asked[0]), by)
		}
		name = "args." + name
	}
	for _, a := range asked {
		if text := textOf(a); text != "" && (text[0] == '-' || name == "args.has") {
			m.argument(name, text, by)
			if name == "args.has" {
				m.command(text, by)
			}
		}
	}
}

// asked looks at one text that a question is asked with.
func (m *mistakes) asked(name, text string, session bool) {
	var err error
	switch {
	case slices.Contains([]string{"reads", "writes", "deletes", "sends", "wrote", "fetched"}, name):
		err = match.CheckGlob(text)
		m.found = append(m.found, MistakenPath(text)...)
	case name == "talks_to":
		err = match.CheckHost(text)
		m.found = append(m.found, MistakenHost(text)...)
	case name == "value" && strings.Contains(text, "="):
		m.never("args.value(%q) asks for an option of that name, expected %q", text, text[:strings.IndexByte(text, '=')])
	case name == "value" && m.bare(text):
		m.never("args.value(%q) asks for no option, expected %q", text, "--"+text)
	case name == "starts" && strings.HasSuffix(text, " ") && len(strings.Fields(text)) == 1:
		m.found = append(m.found, Mistake{Code: "spaced-argument", Fix: "leave the blank out",
			Text: fmt.Sprintf("%q ends in a blank, and in a command line the argument ends before it", text)})
	case (isAbout(name) && !session || name == "runs") && len(strings.Fields(text)) > 1 && !strings.Contains(text, "="):
		m.found = append(m.found, Mistake{Code: "spaced-argument", Text: fmt.Sprintf(
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

// repeated looks for a part of the condition that says what the match says.
func (m *mistakes) repeated(n ast.Node, name, text string) {
	said := map[string]string{}
	if len(m.programs) == 1 {
		said["program"] = m.programs[0]
	}
	if len(m.matched.Hosts) == 1 {
		said["host"] = m.matched.Hosts[0]
	}
	if len(m.matched.Actions) == 1 && !slices.Contains([]string{"read", "write", "edit", "delete", "search", "fetch"}, text) {
		said["action.kind"] = m.matched.Actions[0].String()
	}
	if m.demanded[n] && said[name] == text {
		m.found = append(m.found, Mistake{Code: "always-true", Fix: "leave it out",
			Text: fmt.Sprintf("the match already says this: %s is %s", name, text)})
	}
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
	if list, ok := n.Right.(*ast.ArrayNode); ok && n.Operator == "in" && isName(n.Left, "program") {
		for _, one := range list.Nodes {
			m.found = append(m.found, MisspelledProgram(textOf(one))...)
		}
	}
	if list, ok := n.Right.(*ast.ArrayNode); ok && n.Operator == "in" {
		for _, one := range list.Nodes {
			m.named(n.Left.String(), textOf(one))
		}
	}
	text := textOf(n.Right)
	if text == "" {
		m.empty(n)
		return
	}
	name := n.Left.String()
	if n.Operator == "==" || n.Operator == "!=" {
		m.named(name, text)
	}
	if call, ok := n.Left.(*ast.CallNode); ok && strings.HasPrefix(name, "args.value(") && (n.Operator == "==" || n.Operator == "startsWith") {
		for _, option := range call.Arguments {
			if value, repeats := strings.CutPrefix(text, textOf(option)+"="); repeats {
				m.never("args.value(%q) is only the value: expected %q", textOf(option), value)
			}
		}
	}
	if n.Operator == "==" {
		m.repeated(n, name, text)
		exact := []string{"program", "host", "tool.name", "action.kind", "session.mode"}
		if strings.TrimSpace(text) != text && slices.Contains(exact, name) {
			m.never("%s never begins or ends with a blank: %q", name, text)
		}
	}
	if member, ok := n.Left.(*ast.MemberNode); n.Operator == "==" && (name == "program" || ok && textOf(member.Property) == "program") {
		m.found = append(m.found, MisspelledProgram(text)...)
	}
	member, ok := n.Left.(*ast.MemberNode)
	if !ok {
		return
	}
	own, _, _ := strings.Cut(text, " ")
	if of, ok := member.Node.(*ast.MemberNode); ok && isName(of.Node, "args") && member.Property.String() == "0" && n.Operator == "==" &&
		m.own(own) {
		m.never("the arguments of %s do not begin with its own name", own)
	}
	first, _, more := strings.Cut(strings.TrimPrefix(text, "^"), " ")
	switch name = textOf(member.Property); {
	case name == "host" && n.Operator == "==" && (strings.Contains(text, "/") || strings.Count(text, ":") == 1):
		m.never("a host has neither a scheme nor a port nor a path: %q", text)
	case name == "program" && n.Operator == "==" && strings.Contains(text, " "):
		m.never("a program has no arguments in its name: %q", text)
	case name == "op" && n.Operator == "==" && !slices.Contains(operations[:], text):
		m.never("no file is ever touched by %q, expected one of %s", text, strings.Join(operations[:], ", "))
	case name == "text" && isName(member.Node, "args") && more && m.own(first) &&
		(n.Operator == "startsWith" || n.Operator == "==" || n.Operator == "matches" && text[0] == '^'):
		m.never("the arguments of %s do not begin with its own name", first)
	}
}
