package match

import (
	"strings"

	"github.com/trammel-dev/trammel"
)

// Projects holds for events of a project whose root one of the globs matches.
func Projects(globs []string) trammel.Condition { return projects(globs) }

type projects []string

func (p projects) Holds(ev *trammel.Event) bool {
	for _, root := range Look(ev).roots() {
		if root != "" && Globs(p, root, "") {
			return true
		}
	}
	return false
}

func (p projects) String() string { return strings.Replace(describePaths(p), "path", "the project", 1) }
