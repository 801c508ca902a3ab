package effects

import (
	"iter"
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// patch lists the files that a patch among the arguments changes, and reports
// whether the text is one that the tool applies.
func (w *argumentWalk) patch(name, text string) bool {
	if !strings.Contains(text, "*** ") && !strings.Contains(text, "+++ ") || !w.applies(name) {
		return false
	}
	strip := "0"
	if strings.Contains(text, "+++ b/") {
		strip = "1"
	}
	found := false
	for _, files := range []iter.Seq2[string, bool]{recipes.AgentPatch(text), recipes.Patch(text, strip)} {
		for file, removed := range files {
			found = true
			op := Write
			if removed {
				op = Delete
			}
			w.set.Files = append(w.set.Files, File{Op: op, Path: w.Paths.Resolve(w.Paths.Tilde(file), w.Dir), Tree: removed, Run: -1})
		}
	}
	return found && begins(text)
}

// begins reports whether a text is a patch from its beginning on. Another one may be a script, too.
func begins(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "*** ") || strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "diff ")
}

// applies reports whether a patch in an argument of this name is applied: the name or
// the tool's says that it is a patch, and the tool does more than show it.
func (w *argumentWalk) applies(name string) bool {
	tool := nameOf(w.call)
	if saysItLooks(tool) {
		return false
	}
	for word := range words(name + "_" + tool) {
		switch word {
		case "patch", "patches", "diff", "apply", "edit", "edits", "changes":
			return true
		}
	}
	return false
}
