package trammel

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
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

// ServerTools adds to mcp__server__tool the names that some agents use instead:
// server_tool, server-tool. Some agents use only the tool's name, which is
// enough to stop a call but not to allow one; the same is true of a pattern for
// the tools of any server.
func ServerTools(names []string, stops bool) []string {
	out := slices.Clip(names)
	for _, name := range names {
		if _, is := Expression(name); is {
			continue
		}
		rest := strings.TrimPrefix(name, "mcp__")
		for _, between := range []string{"__", "/", ":"} {
			server, tool, ok := strings.Cut(rest, between)
			stops := stops && strings.Trim(tool, "*") != ""
			if !ok || server == "" || server == "*" && !stops || server == "MCP" {
				continue
			}
			if out = append(out, server+"_"+tool, server+"-"+tool); stops {
				out = append(out, "MCP:"+tool)
			}
			break
		}
	}
	return out
}

// DeclaredTools are the names in a Match without those that ServerTools has added.
func DeclaredTools(names []string) []string {
	added := ServerTools(names, true)[len(names):]
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(added, name) })
}
