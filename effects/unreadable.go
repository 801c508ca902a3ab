package effects

import (
	"github.com/trammel-dev/trammel"
)

// Unreadable reports whether a call that changes files names them, or its
// command, in a form that nobody here reads.
func Unreadable(ev *trammel.Event) (string, bool) {
	a := &ev.Tool.Action
	switch {
	case a.Is(trammel.WriteAction), a.Is(trammel.EditAction), a.Is(trammel.DeleteAction):
		for _, name := range [...]string{"file_path", "path", "notebook_path", "filePath", "target_file", "absolute_path", "filename", "file",
			"paths", "files"} {
			if v := ev.Tool.Input[name]; v != nil && !isText(v) {
				return name, true
			}
		}
	case a.Kind == trammel.ShellAction && a.Command == "":
		for _, name := range [...]string{"command", "cmd", "script"} {
			if v := ev.Tool.Input[name]; v != nil && !isText(v) {
				return name, true
			}
		}
	}
	return "", false
}

func isText(v any) bool {
	if list, ok := v.([]any); ok {
		for _, e := range list {
			if _, ok := e.(string); !ok {
				return false
			}
		}
		return true
	}
	_, ok := v.(string)
	return ok
}
