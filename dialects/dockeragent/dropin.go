package dockeragent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// dropIn is a bare block of hooks, a file of its own, so that the user's own
// YAML is never touched. Before a tool runs we stand in the lane that comes
// before --yolo; in the other one, hooks are not asked there.
func dropIn(calls []dialects.Call) []byte {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "%s:\n", c.Name)
		indent, closed := "  ", c.Wire != dialects.Open
		if Matched(c.Name) {
			b.WriteString("  - matcher: \"*\"\n")
			if closed {
				b.WriteString("    preempt_yolo: true\n")
			}
			b.WriteString("    hooks:\n")
			indent = "      "
		}
		// A JSON string is a YAML string.
		fmt.Fprintf(&b, "%[1]s- name: trammel\n%[1]s  type: command\n%[1]s  command: %[2]s\n%[1]s  timeout: %[3]d\n", indent,
			canonical.AppendString(nil, c.Command), c.Seconds())
		if closed {
			fmt.Fprintf(&b, "%s  on_error: block\n", indent)
		}
	}
	return []byte(b.String())
}

// Matched reports whether hooks of an event stand under a matcher for tools.
func Matched(event string) bool {
	return slices.Contains([]string{"pre_tool_use", "permission_request", "post_tool_use", "tool_response_transform",
		"tool_input_transform", "tool_guard"}, event)
}
