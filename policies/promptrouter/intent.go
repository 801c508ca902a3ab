package promptrouter

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// intent describes the request in the terms of knowledge routing: where, about
// what, and at which stage of the work.
func intent(prompt string, said words, reg *registry.Registry, abilities, documents []suggestion) map[string]any {
	scope, topic := "repository", ""
	if len(documents) > 0 {
		if dir := path.Dir(documents[0].name); dir != "." {
			scope = dir
		}
		topic = documents[0].name
	}
	if len(abilities) > 0 {
		topic = abilities[0].name
		if modules := modulesOf(reg, topic); len(modules) > 0 {
			scope = modules[0]
		}
	}
	return map[string]any{"scope": scope, "topic": topic, "stage": stage(said), "intent": firstLine(prompt),
		"signals": map[string]any{"user_raw_input": clip.Runes(strings.TrimSpace(prompt), maxRaw)}}
}

func modulesOf(reg *registry.Registry, id string) []string {
	if a := reg.Abilities[id]; a != nil {
		return a.Scope.Modules
	}
	if o := reg.Operations[id]; o != nil {
		return o.Scope.Modules
	}
	return nil
}

// stage is determined by the first word that indicates one. By default something
// is to be implemented.
func stage(said words) string {
	for _, word := range said.list {
		switch word {
		case "explain", "why", "what", "how", "understand", "describe", "show", "where", "summarize":
			return "understand"
		case "plan", "design", "propose", "outline", "estimate":
			return "plan"
		case "review", "verify", "audit", "inspect", "compare":
			return "review"
		case "add", "fix", "implement", "change", "write", "run", "create", "remove", "delete", "refactor", "update", "deploy", "test", "build",
			"rename", "migrate":
			return "act"
		}
	}
	return "act"
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return clip.Runes(line, 200)
}

// maxRaw limits how much of a prompt is repeated, because the receiver has the
// prompt itself.
const maxRaw = 2000
