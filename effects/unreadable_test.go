package effects

import (
	"testing"

	"github.com/trammel-dev/trammel"
)

// code.md, argument spellings: whatever spelling the action knows is refused if
// it holds something that is not read.
func TestUnreadable(t *testing.T) {
	odd := map[string]any{"a": 1.0}
	for kind, names := range map[trammel.ActionKind][]string{
		trammel.ShellAction:  {"command", "cmd", "shell_command", "script", "commandLine"},
		trammel.WriteAction:  {"path", "file_path", "source", "destination", "old_path", "new_path", "files", "filepath", "absolutePath"},
		trammel.DeleteAction: {"target_file", "filename"},
	} {
		for _, name := range names {
			ev := &trammel.Event{Tool: &trammel.ToolCall{Input: map[string]any{name: odd}, Action: trammel.Action{Kind: kind}}}
			if got, bad := Unreadable(ev); !bad || got != name {
				t.Errorf("%s with an odd %s: got %q %v", kind, name, got, bad)
			}
			ev.Tool.Input = map[string]any{name: []any{"x"}, "limit": odd}
			if got, bad := Unreadable(ev); bad {
				t.Errorf("%s: %s is refused", kind, got)
			}
		}
	}
}
