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

// touches reports whether what happens to a file is such an action. Who moves a
// file reads and deletes it; who links to it opens it to both under another
// name; whatever changes a file edits it, unless it is a tool that rewrites it whole.
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

// Verb says in words what happens to a file, for the name of an Op.
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
