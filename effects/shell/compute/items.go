package compute

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Items are the words that xargs reads from a text: those of the shell, or one a
// line, or what lies between delimiters.
func Items(text string, lines bool, delimiter string) (items []model.Word) {
	parts := Fields
	switch {
	case delimiter != "":
		parts = func(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), delimiter) }
	case lines:
		parts = func(text string) (out []string) {
			for line := range strings.Lines(text) {
				out = append(out, strings.TrimSpace(line))
			}
			return out
		}
	}
	for _, part := range parts(text) {
		if part != "" {
			items = append(items, model.Word{Text: part, Known: true})
		}
	}
	return items
}
