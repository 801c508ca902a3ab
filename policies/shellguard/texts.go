package shellguard

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// eachText calls do with the files that arguments name and the texts for them, where
// the action of the call does not have them: lists of files, and patches.
func eachText(v any, depth int, do func(name, text string)) {
	if depth > words.MaxDeep {
		return // a doubt from reading the call
	}
	switch v := v.(type) {
	case map[string]any:
		if depth > 0 {
			a := trammel.Loose(v)
			for _, name := range a.Paths {
				do(name, content(v, a.Content))
			}
		}
		for _, value := range v {
			eachText(value, depth+1, do)
		}
	case []any:
		for _, value := range v {
			eachText(value, depth+1, do)
		}
	case string:
		if text := recipes.Added(v); text != "" {
			for name := range recipes.AgentPatch(v) {
				do(name, text)
			}
			for name := range recipes.Patch(v, "0") {
				do(name, text)
			}
		}
	}
}

// content is the text for the file that arguments name: also one under a name that may
// stand for other things as well.
func content(arguments map[string]any, text string) string {
	for _, name := range [...]string{"contents", "body", "data", "value"} {
		if other, _ := arguments[name].(string); text == "" {
			text = other
		}
	}
	return text
}
