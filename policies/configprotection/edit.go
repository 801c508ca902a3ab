package configprotection

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
)

// maxFile limits how much of a file is read.
const maxFile = 1 << 20

// bends reports whether the tool's own edit of a file changes the rules in it.
// A new file bends nothing.
func (j *judgement) bends(file string) bool {
	before, ok := j.holding(file)
	if !ok {
		return false
	}
	old, known := rulesIn(path.Base(file), before)
	if after, ok := edited(j.ev.Tool, before); ok && known {
		return weakened(path.Base(file), old, after)
	}
	return touches(j.ev.Tool.Input, old, 0)
}

// holding returns the text of an existing file that may contain rules.
func (j *judgement) holding(file string) (text string, ok bool) {
	if !holdsRules(file) {
		return "", false
	}
	return j.readFile(file)
}

// weakened reports whether a new text of a file no longer has the old rules.
func weakened(base string, old []string, text string) bool {
	next, readable := rulesIn(base, text)
	return readable && weaker(base, old, next)
}

func (j *judgement) readFile(name string) (string, bool) {
	data, err := world.Of(j.ev).ReadFile(name, maxFile)
	return string(data), err == nil
}

// weaker reports whether the rules are no longer the same. Making a compiler check
// more does not count.
func weaker(base string, old, next []string) bool {
	if slices.Equal(old, next) {
		return false
	}
	if lower := strings.ToLower(base); !strings.HasPrefix(lower, "tsconfig") && lower != "jsconfig.json" {
		return true
	}
	for _, line := range old {
		if !slices.Contains(next, line) && !slices.Contains(next, tightened(line)) {
			return true
		}
	}
	for _, line := range next {
		if !slices.Contains(old, line) && line != tightened(line) {
			return true
		}
	}
	return false
}

// tightened returns the setting of a line with the value that checks more.
func tightened(line string) string {
	name, _, _ := strings.Cut(line, ":")
	switch name {
	case "allowUnreachableCode", "allowUnusedLabels", "skipLibCheck":
		return name + ":false"
	}
	return name + ":true"
}

// edited returns the file after a write or an edit whose texts are known.
func edited(t *trammel.ToolCall, before string) (string, bool) {
	if list, ok := t.Input["edits"].([]any); ok && len(list) > 0 {
		for _, e := range list {
			edit, _ := e.(map[string]any)
			if before, ok = replaced(edit, before); !ok {
				return "", false
			}
		}
		return before, true
	}
	if after, ok := replaced(t.Input, before); ok {
		return after, true
	}
	a := &t.Action
	if a.Kind != trammel.WriteAction || len(a.Paths) != 1 {
		return "", false
	}
	content, ok := t.Input["content"].(string)
	return content, ok && content == a.Content
}

func replaced(edit map[string]any, before string) (string, bool) {
	for _, names := range [...][2]string{{"old_string", "new_string"}, {"oldString", "newString"}, {"old_str", "new_str"},
		{"oldText", "newText"}} {
		old, ok := edit[names[0]].(string)
		if !ok || old == "" || !strings.Contains(before, old) {
			continue
		}
		next, _ := edit[names[1]].(string)
		times := 1
		if edit["replace_all"] == true || edit["replaceAll"] == true {
			times = -1
		}
		return strings.Replace(before, old, next, times), true
	}
	return "", false
}

// touches is for edits that cannot be simulated, such as patches: they change the
// rules if one of their lines is a line of the rules.
func touches(v any, old []string, depth int) bool {
	switch v := v.(type) {
	case string:
		patch := strings.Contains(v, "*** Begin Patch") || strings.Contains(v, "\n@@")
		for line := range strings.Lines(v) {
			if patch {
				if line[0] != '+' && line[0] != '-' {
					continue
				}
				line = line[1:]
			}
			line = strings.TrimSpace(line)
			if line != "" && slices.Contains(old, line) || len(line) > 2 && line[0] == '[' && isRuleSection(strings.ToLower(strings.Trim(line,
				"[] "))) || isRuleMember(line) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if depth < 8 && touches(e, old, depth+1) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if depth < 8 && touches(e, old, depth+1) {
				return true
			}
		}
	}
	return false
}

// isRuleMember reports whether a line of JSON names a member that holds rules.
func isRuleMember(line string) bool {
	key, ok := strings.CutPrefix(line, `"`)
	if !ok {
		return false
	}
	key, value, _ := strings.Cut(key, `"`)
	if isPackageRule(key) && !isVersion(strings.TrimLeft(value, `: "`)) {
		return true
	}
	return len(strictness(line)) > 0
}

// isVersion tells a dependency's version from a section with settings.
func isVersion(value string) bool {
	return value != "" && strings.IndexByte("^~<>=*0123456789", value[0]) >= 0 || strings.HasPrefix(value, "latest") ||
		strings.HasPrefix(value, "workspace:") || strings.HasPrefix(value, "npm:")
}
