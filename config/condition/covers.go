package condition

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/plan"
)

// Covers reports whether one match includes everything that another matches,
// judging by their lists.
func Covers(wide, narrow *plan.Match) bool {
	return Includes(narrow.Tools, wide.Tools) && Includes(narrow.Hosts, wide.Hosts) && Includes(narrow.Agents, wide.Agents) &&
		Includes(narrow.Projects, wide.Projects) && Includes(narrow.Actions, wide.Actions) && Includes(narrow.Programs, wide.Programs) &&
		patternsWithin(narrow.Paths, wide.Paths) && patternsWithin(narrow.To, wide.To)
}

// patternsWithin is Includes for patterns, which can have exceptions: with those,
// one list includes another only if they are the same.
func patternsWithin(narrow, wide []string) bool {
	if len(wide) > 0 && slices.ContainsFunc(slices.Concat(narrow, wide), func(s string) bool { return strings.HasPrefix(s, "!") }) {
		return slices.Equal(narrow, wide)
	}
	return Includes(narrow, wide) || len(narrow) > 0 && !slices.ContainsFunc(narrow, func(n string) bool {
		return !slices.ContainsFunc(wide, func(w string) bool { return n == w || Within(n, w) })
	})
}

// Includes reports whether everything that a list matches, another matches, too;
// an empty list matches everything.
func Includes[T comparable](narrow, wide []T) bool {
	if len(wide) == 0 {
		return true
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, func(v T) bool { return !slices.Contains(wide, v) })
}
