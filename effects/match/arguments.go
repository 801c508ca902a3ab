package match

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// Arguments is the condition of an exception for calls of MCP tools and for fetches:
// it holds for a call that has exactly one of these sets of arguments. See
// NormalArguments.
func Arguments(list []string) trammel.Condition { return arguments(list) }

type arguments []string

func (a arguments) String() string { return "the arguments are " + strings.Join(a, " or ") }

// Holds implements trammel.Condition.
func (a arguments) Holds(ev *trammel.Event) bool {
	if ev.Tool == nil {
		return false
	}
	text, ok := NormalArguments(ev.Tool)
	return ok && slices.Contains(a, text)
}

// NormalArguments are the arguments of a call in canonical JSON, without its
// description. It reports false for tools that do more than their arguments say:
// those that start programs, or work on files.
func NormalArguments(t *trammel.ToolCall) (string, bool) {
	if k := t.Action.Kind; k != trammel.MCPAction && k != trammel.FetchAction {
		return "", false
	}
	rest := make(map[string]any, len(t.Input))
	for name, v := range t.Input {
		if _, text := v.(string); name != "description" || !text {
			rest[name] = v
		}
	}
	text, err := canonical.Append(nil, rest)
	return string(text), err == nil
}
