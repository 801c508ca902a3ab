package yamldoc

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"
)

// Syntax is what the YAML library says, at the place it says it about, in words that
// say what to do.
func Syntax(err error) *Problem {
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		return problem(Mark{Line: 1, Column: 1}, "", "%v", err)
	}
	at := syntax.GetToken()
	message, expected := syntax.GetMessage(), ""
	for _, m := range mistakes {
		if strings.Contains(message, m.library) && (m.only == nil || m.only(at)) {
			message, expected = m.message, m.expected
			break
		}
	}
	return problem(tokenMark(at), expected, "%s", message)
}

// mistakes are the usual ones, by what the library says about them; the first that
// fits counts.
var mistakes = []struct {
	library, message, expected string
	only                       func(at *token.Token) bool
}{
	{library: "'\t' that cannot start any token", message: "a tab indents this line", expected: "spaces"},
	{library: "is not allowed in this context", only: afterQuote, message: "there is text after the closing quote",
		expected: `\" for a quote inside double quotes, or single quotes around the whole text`},
	{library: "mapping value is not allowed in this context", message: "a colon and a blank inside text look like a key",
		expected: "quotes around the text"},
	{library: "is not allowed in this context", message: misplaced, expected: sameColumn},
	{library: "found an invalid key for this map", message: misplaced, expected: sameColumn},
	{library: "non-map value is specified", message: "this line is not a key with a value", expected: "a colon and a blank after the key"},
	{library: "unexpected key name", message: "this line is not a key with a value", expected: "a colon and a blank after the key"},
	{library: "is a reserved character", message: "plain text cannot begin with this character", expected: "quotes around the text"},
	{library: "end character of double-quoted text", message: "the text is not closed", expected: `a double quote at its end`},
	{library: "end character of single-quoted text", message: "the text is not closed", expected: `a single quote at its end`},
	{library: "',' or '}' must be specified", message: "the mapping in braces is not closed", expected: "a comma or } before this"},
	{library: "',' or ']' must be specified", message: "the list in brackets is not closed", expected: "a comma or ] before this"},
	{library: "flow mapping end token '}'", message: "the mapping in braces is not closed", expected: "} at its end"},
	{library: "sequence end token ']'", message: "the list in brackets is not closed", expected: "] at its end"},
}

const (
	misplaced  = "the indentation does not fit the lines above"
	sameColumn = "all keys of a mapping, and all dashes of a list, in one column"
)

// afterQuote reports whether quoted text ends just before, in the same line.
func afterQuote(at *token.Token) bool {
	for t := at; t != nil && t.Position.Line == at.Position.Line; t = t.Prev {
		if t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType {
			return t != at
		}
	}
	return false
}
