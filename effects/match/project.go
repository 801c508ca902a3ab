package match

import (
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

// Projects holds for events of a project whose root one of the globs matches.
func Projects(globs []string) trammel.Condition { return projects(globs) }

type projects []string

func (p projects) Holds(ev *trammel.Event) bool {
	root, g := Look(ev).root(), In(world.Of(ev), "")
	return root != "" && (g.Match(p, root) || g.Match(p, g.real(root)))
}

func (p projects) String() string { return strings.Replace(describePaths(p), "path", "the project", 1) }
