package effects

import (
	"github.com/trammel-dev/trammel"
)

// Unreadable reports whether a call that changes files names them, or its command,
// in a form that effects cannot read, and in which argument.
func Unreadable(ev *trammel.Event) (string, bool) {
	a := &ev.Tool.Action
	var part trammel.Part
	switch {
	case a.Is(trammel.WriteAction), a.Is(trammel.EditAction), a.Is(trammel.DeleteAction):
		part = trammel.PathPart
	case a.Kind == trammel.ShellAction && a.Command == "":
		part = trammel.CommandPart
	default:
		return "", false
	}
	for name, v := range ev.Tool.Input {
		if p, _ := trammel.PartOf(name); p == part && v != nil && !isText(v) {
			return name, true
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
