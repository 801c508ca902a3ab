package condition

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/file"

	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/expression"
	"github.com/trammel-dev/trammel/internal/nearest"
)

// unknownName says that there is no such variable, field or function, in place of
// an error that names Go types. node is the expression, at the place of the error.
type unknownName struct {
	at       file.Location
	called   map[ast.Node]bool // the functions of calls
	message  string
	expected string
}

func (v *unknownName) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		if n.Location() == v.at && (n.Type() == nil || n.Type().Kind() == reflect.Interface) {
			v.say("there is no ", "variable", n, n.Value, namesOf(reflect.TypeFor[rule.Vocabulary]()))
		}
	case *ast.MemberNode:
		name, known := n.Property.(*ast.StringNode)
		if t := n.Node.Type(); n.Location() == v.at && known && t != nil {
			v.say(subject(n.Node)+" has no ", "field", n, name.Value, namesOf(t))
		}
	}
}

// say describes a name that is not known.
func (v *unknownName) say(before, what string, node ast.Node, name string, known []string) {
	if v.called[node] {
		what = "function"
		if _, alone := node.(*ast.IdentifierNode); alone {
			known = append(known, builtins()...)
		}
	}
	v.message, v.expected = before+what+" "+name, ""
	switch meant := nearest.Word(name, known); {
	case meant != "":
		v.message += "; did you mean " + meant + "?"
	case len(known) > 0:
		v.expected = "one of " + strings.Join(known, ", ")
		if what == "variable" {
			v.expected = fmt.Sprintf("%q in quotes, if it is a text; or %s", name, v.expected)
		}
	}
}

// calls collects the functions of calls.
type calls map[ast.Node]bool

func (c calls) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.CallNode); ok {
		c[n.Callee] = true
	}
}

// subject is the value before a dot, as its author wrote it.
func subject(n ast.Node) string {
	if _, pointer := n.(*ast.PointerNode); pointer {
		return "an element of the list"
	}
	return n.String()
}

func namesOf(t reflect.Type) (names []string) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("expr"))
	}
	return names
}

// builtins are the functions of the expression language that conditions can use.
func builtins() (names []string) {
	for _, name := range builtin.Names {
		if _, known := expression.FunctionOp(name); known {
			names = append(names, name)
		}
	}
	return names
}

// typesInWords turns errors of the expr package about types into plain words.
func typesInWords(message string) string {
	message = strings.TrimSpace(message)
	for _, form := range []struct{ pattern, words string }{
		{`^invalid operation: (\S+) \(mismatched types (.+) and (.+)\)$`, "%s does not work with %s and %s"},
		{`^invalid operation: (\S+) \(mismatched type (.+)\)$`, "%s does not work with %s"},
		{`^cannot use (.+) as argument \(type (.+)\) to call (.+)$`, "found %s, and not %s, as an argument of %s"},
		{`^type (.+)\[.+\] is undefined$`, "%s has no elements for [ ] to take"},
	} {
		if parts := regexp.MustCompile(form.pattern).FindStringSubmatch(message); parts != nil {
			var words []any
			for _, part := range parts[1:] {
				words = append(words, typeInWords(part))
			}
			return fmt.Sprintf(form.words, words...)
		}
	}
	return message
}

// typeInWords is the name of a Go type in plain words; other texts are left as they are.
func typeInWords(name string) string {
	words := map[string]string{"string": "text", "int": "a number", "float64": "a number", "bool": "true or false", "nil": "nothing",
		"interface {}": "a value of any type", "[]string": "a list of texts"}
	return cmp.Or(words[name], strings.TrimPrefix(name, "rule."))
}
