package condition

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// Error is what is wrong with an expression, and where.
type Error struct {
	// Where names the expression: when, reason, text, output, input.NAME.
	Where    string
	Line     int // from 1
	Column   int // from 1, in characters
	Message  string
	Expected string // "" if the message says it
}

func (e *Error) Error() string {
	at := fmt.Sprintf("column %d", e.Column)
	if e.Line > 1 {
		at = fmt.Sprintf("line %d, %s", e.Line, at)
	}
	s := fmt.Sprintf("%s: %s: %s", e.Where, at, e.Message)
	if e.Expected != "" {
		s += ", expected " + e.Expected
	}
	return s
}

// within converts the position to one in the text that contains the expression.
func (e *Error) within(before string) *Error {
	if e.Line == 1 {
		e.Column += utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	}
	e.Line += strings.Count(before, "\n")
	return e
}

// place turns an error of the expr package into ours. node is the parsed
// expression, if it got that far.
func place(err error, node ast.Node) error {
	out := &Error{Line: 1, Column: 1, Message: err.Error()}
	var f *file.Error
	if errors.As(err, &f) {
		out.Line, out.Column, out.Message = f.Line, f.Column+1, inWords(f.Message)
		if node != nil && (strings.HasPrefix(f.Message, "unknown name ") || strings.Contains(f.Message, " has no ")) {
			v := &unknownName{at: f.Location, called: calls{}}
			ast.Walk(&node, calls(v.called))
			if ast.Walk(&node, v); v.message != "" {
				out.Message, out.Expected = v.message, v.expected
			}
		}
	}
	return out
}

// inWords turns errors of the expr package's parser into plain words.
func inWords(message string) string {
	token, ok := strings.CutPrefix(message, "unexpected token ")
	switch kind, value, _ := strings.Cut(strings.TrimSuffix(token, ")"), "("); {
	case token == "EOF", message == "unexpected end of expression":
		return "the expression ends too early; something must follow here"
	case ok && value == `"="`:
		return "= does not compare; write =="
	case ok && kind == "Identifier":
		return fmt.Sprintf("%s cannot follow here; an operator such as &&, ||, == or contains is missing before it", strings.Trim(value, `"`))
	case ok && value != "":
		return strings.Trim(value, `"`) + " is not allowed here"
	case message == "literal not terminated":
		return "the text is not closed; a quote is missing at its end"
	}
	return typesInWords(message)
}

func typeName(t reflect.Type) string {
	words := map[reflect.Kind]string{
		reflect.Interface: "of a type that is known only at run time (compare it: input.x == true)", reflect.String: "text", reflect.Map: "a map",
		reflect.Int: "a number", reflect.Float64: "a number", reflect.Slice: "a list", reflect.Array: "a list",
	}
	return cmp.Or(words[t.Kind()], "not a value")
}
