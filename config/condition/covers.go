package condition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/plan"
)

// Covers reports whether one match includes everything that another matches,
// judging by their lists.
func Covers(wide, narrow *plan.Match) bool {
	return Includes(narrow.Actions, wide.Actions) && patternsWithin(narrow.Paths, wide.Paths, Within) && coversRest(wide, narrow)
}

// Outdoes is Covers for two rules of one file: a tool stands for what it does, and a
// name for itself rather than for a folder. tools maps the tools of all agents to what they do.
func Outdoes(wide, narrow *plan.Match, tools map[string]trammel.ActionKind) bool {
	named := func(narrow, wide string) bool {
		own := narrow[strings.LastIndexByte(narrow, '/')+1:]
		name := strings.TrimPrefix(wide, "**/")
		return Within(narrow, wide) || inFolder(narrow, wide) ||
			name != "**" && !strings.ContainsAny(name, "/{") && !strings.ContainsAny(own, `*?[{\`) && doublestar.MatchUnvalidated(name, own)
	}
	return (Includes(narrow.Actions, wide.Actions) || toolsWithin(wide.Actions, narrow, tools)) &&
		patternsWithin(narrow.Paths, wide.Paths, named) && coversRest(wide, narrow)
}

// inFolder reports whether a glob matches only files below the folder of another one:
// src/gen/*.go and src/**.
func inFolder(narrow, wide string) bool {
	folder, all := strings.CutSuffix(wide, "**")
	return all && folder != "" && !strings.ContainsAny(folder, `*?[{\`) && strings.HasPrefix(narrow, folder) && len(narrow) > len(folder)
}

// leftOut is the exception because of which a list of patterns matches nothing, "" if there is none.
func leftOut(list []string, within func(narrow, wide string) bool) string {
	by := ""
	for _, pattern := range list {
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		i := slices.IndexFunc(list, func(s string) bool {
			wide, out := strings.CutPrefix(s, "!")
			return out && (wide == pattern || wide == "**" || wide == "*" || within(pattern, wide))
		})
		if i < 0 {
			return ""
		}
		by = list[i]
	}
	return by
}

// Nothing finds patterns that match nothing, because exceptions leave out all that the others match.
func Nothing(m *plan.Match) (found []Mistake) {
	for i, by := range [...]string{leftOut(m.Paths, inFolder), leftOut(m.To, hostWithin)} {
		if key := [...]string{"path", "to"}[i]; by != "" {
			found = append(found, Mistake{Code: "never-matches", Text: fmt.Sprintf("%q leaves out all that %s names", by, key)})
		}
	}
	return found
}

// coversRest is Covers without actions and paths.
func coversRest(wide, narrow *plan.Match) bool {
	return Includes(narrow.Tools, wide.Tools) && Includes(narrow.Hosts, wide.Hosts) && Includes(narrow.Agents, wide.Agents) &&
		Includes(narrow.Projects, wide.Projects) && Includes(narrow.Programs, wide.Programs) &&
		patternsWithin(narrow.To, wide.To, hostWithin)
}

// toolsWithin reports whether all tools of a match do one of the actions.
func toolsWithin(actions []trammel.ActionKind, m *plan.Match, tools map[string]trammel.ActionKind) bool {
	kinds := ownKinds(m.Tools, tools)
	return len(m.Actions) == 0 && len(kinds) > 0 && !slices.ContainsFunc(kinds, func(kind string) bool {
		return !slices.ContainsFunc(actions, func(a trammel.ActionKind) bool { return a.String() == kind })
	})
}

// hostWithin reports whether all hosts that one pattern matches, another matches, too.
func hostWithin(narrow, wide string) bool {
	below, some := strings.CutPrefix(wide, "*.")
	if !some {
		below, some = strings.CutPrefix(wide, ".")
	}
	return wide == "*" || some && !strings.ContainsAny(below, "*?[") && strings.HasSuffix(narrow, "."+below) && narrow != "."+below
}

// patternsWithin is Includes for patterns, which can have exceptions: with those,
// one list includes another only if they are the same.
func patternsWithin(narrow, wide []string, within func(narrow, wide string) bool) bool {
	if len(wide) > 0 && slices.ContainsFunc(slices.Concat(narrow, wide), func(s string) bool { return strings.HasPrefix(s, "!") }) {
		return slices.Equal(narrow, wide)
	}
	return Includes(narrow, wide) || len(narrow) > 0 && !slices.ContainsFunc(narrow, func(n string) bool {
		return !slices.ContainsFunc(wide, func(w string) bool { return n == w || within(n, w) })
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

// Demands reports whether a condition can hold only if another one does, judging by their
// terms: one of those that it joins by && is one of those that the other joins by ||.
func Demands(when, other string) bool {
	if other == "" || when == "" {
		return other == ""
	}
	tree, err := parse(when, settings())
	wider, err2 := parse(other, settings())
	if err != nil || err2 != nil {
		return false
	}
	var terms []string
	eachTerm(wider.Node, false, func(n ast.Node) { terms = append(terms, n.String()) })
	holds := false
	eachTerm(tree.Node, true, func(n ast.Node) {
		every := true // an operand that is itself joined by || needs all of its own to be there
		eachTerm(n, false, func(one ast.Node) {
			every = every && slices.ContainsFunc(terms, func(term string) bool { return asksFor(one.String(), term) })
		})
		holds = holds || every
	})
	return holds || tree.Node.String() == wider.Node.String()
}

// asksFor reports whether a term is another one, or args.begins with more words.
func asksFor(term, other string) bool {
	return term == other || strings.HasPrefix(other, "args.begins(") && strings.HasPrefix(term, strings.TrimSuffix(other, ")")+", ")
}
