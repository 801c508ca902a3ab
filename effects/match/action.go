package match

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// byEffect reports whether an action is something that programs do as well as tools.
func byEffect(a trammel.ActionKind) bool {
	switch a {
	case trammel.ReadAction, trammel.WriteAction, trammel.EditAction, trammel.DeleteAction, trammel.SearchAction, trammel.FetchAction:
		return true
	}
	return false
}

// touches reports whether a touch counts as an action. A move reads and deletes the
// file. A link allows both under another name. Any change is an edit, unless a tool
// rewrites the whole file.
func touches(a trammel.ActionKind, t *effects.Touch, by *trammel.Action) bool {
	switch a {
	case trammel.ReadAction:
		return t.Op == effects.Read || t.Op == effects.Move || t.Op == effects.Link
	case trammel.WriteAction:
		return t.Op == effects.Write || t.Op == effects.Link || t.Op == effects.Mode
	case trammel.EditAction:
		whole := t.Run < 0 && by.Is(trammel.WriteAction) && !by.Is(trammel.EditAction)
		return (t.Op == effects.Write || t.Op == effects.Link || t.Op == effects.Mode) && !whole
	case trammel.DeleteAction:
		return t.Op == effects.Delete || t.Op == effects.Move
	case trammel.SearchAction:
		return t.Op == effects.Search
	}
	return false
}

// Verb describes an Op in words.
func Verb(op string) string {
	switch op {
	case "search":
		return "searches"
	case "mode":
		return "changes the permissions of"
	case "":
		return "names"
	}
	return op + "s"
}
