package claudecode

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// A tool of another host that happens to have a name of Claude Code's may keep
// its arguments elsewhere. A guard that looks for file_path must find it there,
// or it would let the call through (FLOW-60).
func TestSameNameOtherArguments(t *testing.T) {
	for name, c := range map[string]struct {
		tool  trammel.ToolCall
		wants []string
	}{
		"read": {trammel.ToolCall{Name: "Read", Input: map[string]any{"target_file": "/etc/passwd"},
			Action: trammel.Action{Kind: trammel.ReadAction, Paths: []string{"/etc/passwd"}}}, []string{`"tool_name":"Read"`,
			`"file_path":"/etc/passwd"`}},
		"write": {trammel.ToolCall{Name: "Write", Input: map[string]any{"path": "a", "contents": "x"},
			Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"a"}, Content: "x"}}, []string{`"file_path":"a"`, `"content":"x"`}},
		"shell": {trammel.ToolCall{Name: "Bash", Input: map[string]any{"cmd": "rm x"}, Action: trammel.Action{Kind: trammel.ShellAction,
			Command: "rm x"}}, []string{`"tool_name":"Bash"`, `"command":"rm x"`}},
		"same": {trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": "ls", "timeout": int64(5)},
			Action: trammel.Action{Kind: trammel.ShellAction, Command: "ls"}}, []string{`"command":"ls"`, `"timeout":5`}},
	} {
		out, err := Dialect.EncodeEvent(&trammel.Event{Kind: trammel.PreToolUse, Host: "cursor", Tool: &c.tool})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.wants {
			if !strings.Contains(string(out), want) {
				t.Errorf("%s: %s is not in %s", name, want, out)
			}
		}
	}
}
