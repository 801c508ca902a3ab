package config

import (
	"slices"

	"github.com/trammel-dev/trammel/plan"
)

// covers reports whether one match includes everything that another matches,
// judging by their lists.
func covers(wide, narrow *plan.Match) bool {
	return within(narrow.Tools, wide.Tools) && within(narrow.Hosts, wide.Hosts) && within(narrow.Agents, wide.Agents) &&
		within(narrow.Projects, wide.Projects) && within(narrow.Actions, wide.Actions) && within(narrow.Programs, wide.Programs) &&
		within(narrow.Paths, wide.Paths) && within(narrow.To, wide.To)
}

// within reports whether everything that a list matches, another matches, too;
// an empty list matches everything.
func within[T comparable](narrow, wide []T) bool {
	if len(wide) == 0 {
		return true
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, func(v T) bool { return !slices.Contains(wide, v) })
}
