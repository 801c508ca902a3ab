package trammel

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"
)

// IsPattern reports whether a name in a Match stands for more than itself.
func IsPattern(name string) bool {
	_, is := Expression(name)
	return is || strings.ContainsAny(name, "*?")
}

// Expression is the regular expression that a name in a Match is: /text/.
func Expression(name string) (text string, is bool) {
	if len(name) < 3 || name[0] != '/' || name[len(name)-1] != '/' {
		return "", false
	}
	return name[1 : len(name)-1], true
}

// CompileExpression makes a regular expression that matches whole names.
func CompileExpression(text string) (*regexp.Regexp, error) {
	x, err := regexp.Compile("^(?:" + text + ")$")
	if wrong, ok := errors.AsType[*syntax.Error](err); ok { // its text would show the expression with our own brackets
		return nil, fmt.Errorf("%q is not a regular expression: %s", text, wrong.Code)
	}
	return x, err
}

// expressions are those that were asked for, each compiled once.
var expressions sync.Map

// expression is nil for one that cannot be compiled, which matches nothing.
func expression(text string) *regexp.Regexp {
	if x, ok := expressions.Load(text); ok {
		return x.(*regexp.Regexp)
	}
	x, err := CompileExpression(text)
	if err != nil {
		x = nil
	}
	expressions.Store(text, x)
	return x
}
