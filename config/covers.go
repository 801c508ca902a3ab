package config

import (
	"slices"

	"github.com/trammel-dev/trammel/plan"
)

// covers reports whether whatever one match takes, another does, too, as far as
// that can be seen in their lists.
func covers(wide, narrow *plan.Match) bool {
	return within(narrow.Tools, wide.Tools) && within(narrow.Hosts, wide.Hosts) && within(narrow.Agents, wide.Agents) &&
		within(narrow.Projects, wide.Projects) && within(narrow.Actions, wide.Actions) && within(narrow.Programs, wide.Programs) &&
		within(narrow.Paths, wide.Paths) && within(narrow.To, wide.To)
}

// within reports whether what a list lets through, another does; an empty one
// lets everything through.
func within[T comparable](narrow, wide []T) bool {
	if len(wide) == 0 {
		return true
	}
	return len(narrow) > 0 && !slices.ContainsFunc(narrow, func(v T) bool { return !slices.Contains(wide, v) })
}
