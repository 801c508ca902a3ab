package dockeragent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// dropIn is a separate file with only hooks, so that the user's own YAML is
// never changed. Before a tool runs, the hooks are in the preempting lane,
// because those in the other lane are not asked under --yolo.
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

// Matched reports whether hooks of an event have a matcher for tools.
func Matched(event string) bool {
	return slices.Contains([]string{"pre_tool_use", "permission_request", "post_tool_use", "tool_response_transform",
		"tool_input_transform", "tool_guard"}, event)
}
