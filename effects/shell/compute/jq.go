package compute

import (
	"encoding/json"
	"strings"
)

// JQ is what jq prints for a text in quotes, or for one member of its input:
// jq -r '"x"|@base64d', jq -r .a.b. It reports false for all other programs.
func JQ(program, input string) (string, bool) {
	program, filter, _ := strings.Cut(strings.TrimSpace(program), "|")
	program = strings.TrimSpace(program)
	var v any
	if err := json.Unmarshal([]byte(program), &v); err != nil {
		if !strings.HasPrefix(program, ".") || json.Unmarshal([]byte(input), &v) != nil {
			return "", false
		}
		for name := range strings.FieldsFuncSeq(program, func(r rune) bool { return strings.ContainsRune(`."[]?`, r) }) {
			object, ok := v.(map[string]any)
			if !ok {
				return "", false
			}
			v = object[name]
		}
	}
	text, ok := v.(string)
	switch strings.TrimSpace(filter) {
	case "":
	case "@base64d":
		text, ok = Base64(text)
	default:
		ok = false
	}
	return text + "\n", ok
}
