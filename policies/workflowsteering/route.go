package workflowsteering

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/trammel-dev/trammel/internal/flow"
)

// The kinds of work for which kits can have a route, by their names there.
const (
	implementation = "implementation-work-detected"
	knowledge      = "knowledge-capture-detected"
)

// routes says which workflows of the project's kits are for what a prompt asks for.
func routes(w flow.Workspace, prompt string) string {
	said := words(prompt)
	var lines []string
	for _, kind := range [...]struct {
		name, about string
		is          bool
	}{{implementation, "asks for a change of the project", asksForChange(said)}, {knowledge, "asks to keep something", asksToKeep(said)}} {
		if !kind.is {
			continue
		}
		for _, r := range w.Routes(kind.name) {
			lines = append(lines, route(r, kind.about))
		}
	}
	return strings.Join(lines, "\n")
}

func route(r flow.Route, about string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "KIT WORKFLOW ROUTE: this prompt %s, for which the kit %s has a workflow", about, r.Kit)
	if r.Flow != "" {
		fmt.Fprintf(&b, ": %s. Stay with it", r.Flow)
	}
	b.WriteString(".")
	for _, s := range r.When {
		fmt.Fprintf(&b, " If %s, use the skill %s.", s.Case, s.Skill)
	}
	if r.Skill != "" {
		fmt.Fprintf(&b, " Begin with the skill %s.", r.Skill)
	}
	if len(r.Sequence) > 0 {
		fmt.Fprintf(&b, " Leave nothing out of %s.", strings.Join(r.Sequence, " -> "))
	}
	if len(r.After) > 0 {
		fmt.Fprintf(&b, " When the checks have passed, continue with %s: it is not delivered until then.", strings.Join(r.After, " and "))
	}
	return b.String()
}

// maxWords limits how much of a prompt is read.
const maxWords = 400

// words returns the words of a text in lower case.
func words(text string) []string {
	const most = 8 << 10
	list := strings.FieldsFunc(strings.ToLower(text[:min(len(text), most)]), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	return list[:min(len(list), maxWords)]
}

// asksForChange guesses whether a prompt wants the project changed: it has a word
// for that, is not a question, and does not rule it out.
func asksForChange(said []string) bool {
	if len(said) == 0 || rulesOut(said) {
		return false
	}
	switch said[0] {
	case "what", "what's", "why", "how", "when", "where", "who", "which", "is", "are", "was", "were", "does", "do", "did", "has", "have",
		"explain", "describe", "summarize", "summarise", "list", "show", "tell", "review", "read":
		return false
	}
	return slices.ContainsFunc(said, func(word string) bool {
		switch word {
		case "build", "create", "implement", "ship", "deliver", "fix", "debug", "refactor", "add", "update", "change", "modify", "migrate",
			"install", "write", "rename", "remove", "delete", "replace", "extend", "scaffold", "port", "rewrite", "support", "wire":
			return true
		}
		return false
	})
}

// rulesOut reports whether a prompt says that nothing should be changed.
func rulesOut(said []string) bool {
	for i := 1; i < len(said); i++ {
		switch said[i-1] + " " + said[i] {
		case "read only", "don't change", "don't modify", "don't edit", "don't write", "not change", "not modify", "not edit", "no changes",
			"without changing", "no code", "report only":
			return true
		}
	}
	return false
}

// asksToKeep guesses whether a prompt asks to save something that was learned.
func asksToKeep(said []string) bool {
	for i := 1; i < len(said); i++ {
		switch said[i-1] {
		case "remember", "capture", "save", "bookmark", "note":
			switch said[i] {
			case "this", "that", "the", "my", "our", "decision", "learning", "lesson", "context", "down":
				return true
			}
		case "lessons", "lesson":
			return said[i] == "learned" || said[i] == "learnt"
		}
	}
	return false
}
