package config

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/plan"
)

// covers reports whether one match includes everything that another matches,
// judging by their lists.
func covers(wide, narrow *plan.Match) bool {
	return within(narrow.Tools, wide.Tools) && within(narrow.Hosts, wide.Hosts) && within(narrow.Agents, wide.Agents) &&
		within(narrow.Projects, wide.Projects) && within(narrow.Actions, wide.Actions) && within(narrow.Programs, wide.Programs) &&
		patternsWithin(narrow.Paths, wide.Paths) && patternsWithin(narrow.To, wide.To)
}

// patternsWithin is within for patterns, which can have exceptions: with those,
// one list includes another only if they are the same.
func patternsWithin(narrow, wide []string) bool {
	if len(wide) > 0 && slices.ContainsFunc(slices.Concat(narrow, wide), func(s string) bool { return strings.HasPrefix(s, "!") }) {
		return slices.Equal(narrow, wide)
	}
	return within(narrow, wide) || len(narrow) > 0 && !slices.ContainsFunc(narrow, func(n string) bool {
		return !slices.ContainsFunc(wide, func(w string) bool { return n == w || condition.Within(n, w) })
	})
}

// within reports whether everything that a list matches, another matches, too;
// an empty list matches everything.
func within[T comparable](narrow, wide []T) bool {
	if len(wide) == 0 {
		return true
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, func(v T) bool { return !slices.Contains(wide, v) })
}
