package show

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/visible"
)

// FileDiff is what a file edit would change.
type FileDiff struct {
	Name  string
	Lines []Change
}

// Lines is somebody else's text of several lines, masked. Line feeds are
// marked, so that the text cannot imitate our own lines.
func Lines(text string) string {
	text, _ = secret.Redact(text)
	text, _ = visible.Text(text)
	return strings.ReplaceAll(text, "\n", "↵\n")
}

// FileDiffs are the changes that arguments describe as an old and a new text.
func FileDiffs(raw json.RawMessage) []FileDiff {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return nil
	}
	masked, _ := secret.RedactValue(obj)
	var out []FileDiff
	var look func(v any, name string)
	look = func(v any, name string) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range []string{"file_path", "path", "filePath", "file"} {
				if text, ok := v[key].(string); ok {
					name = text
				}
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				before, isOld := v[key].(string)
				end, old := strings.CutPrefix(strings.ToLower(key), "old")
				if isOld && old {
					for other, value := range v {
						if after, ok := value.(string); ok && strings.EqualFold(other, "new"+end) {
							out = append(out, FileDiff{Safe(name), Diff(Lines(before), Lines(after))})
						}
					}
				}
				look(v[key], name)
			}
		case []any:
			for _, e := range v {
				look(e, name)
			}
		}
	}
	look(masked, "")
	return out
}
