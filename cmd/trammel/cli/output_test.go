package cli

import (
	"strings"
	"testing"
)

// A list without entries is [] wherever it stands; what there is not stays null.
func TestJSONHasNoNullLists(t *testing.T) {
	type row struct {
		On   []string       `json:"on"`
		More []row          `json:"more,omitempty"`
		Map  map[string]any `json:"map"`
	}
	for want, v := range map[string]any{
		"[]\n":                                   []row(nil),
		"{\n  \"on\": [],\n  \"map\": null\n}\n": row{},
		"{\n  \"a\": [],\n  \"b\": \"<é>\"\n}\n":             map[string]any{"b": "<é>", "a": []string(nil)},
		"[\n  {\n    \"on\": [],\n    \"map\": {}\n  }\n]\n": []row{{Map: map[string]any{}}},
	} {
		var out strings.Builder
		if err := JSON(&out, v); err != nil || out.String() != want {
			t.Errorf("%+v is %q, %v, want %q", v, out.String(), err, want)
		}
	}
}
