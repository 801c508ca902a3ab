package importers

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// TEAM-30: the hooks go to the end of those that are there; comments, order and
// indentation of the rest stay, and a second import changes nothing.
func TestMerge(t *testing.T) {
	r := &Result{Hooks: []Hook{{ID: "x.deny.y", From: "f:1 y", lines: []string{"on: stop", "run: z"}}}}
	block := func(indent string) string {
		text := "# begin: imported from x\n# f:1 y\n- id: x.deny.y\n  on: stop\n  run: z\n# end: imported from x\n"
		return indent + strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\n"+indent), indent)
	}
	for name, c := range map[string]struct{ before, after, wrong string }{
		"nothing":     {"", yamldoc.SchemaLine + "version: 1\nhooks:\n" + block("  "), ""},
		"no hooks":    {"version: 1", "version: 1\nhooks:\n" + block("  "), ""},
		"empty hooks": {"hooks:\nversion: 1\n", "hooks:\n" + block("  ") + "version: 1\n", ""},
		"not indented": {"hooks:\n- id: a\n  run: |\n    b\n# c\nlimits: {}\n", "hooks:\n- id: a\n  run: |\n    b\n" + block("") +
			"# c\nlimits: {}\n", ""},
		"deeply indented": {"hooks:\n    - id: a # b\n      on: stop\n", "hooks:\n    - id: a # b\n      on: stop\n" + block("    "), ""},
		"at the end": {"version: 1\nhooks:\n  - id: a\n\n  # about b\n  - id: b\n\n",
			"version: 1\nhooks:\n  - id: a\n\n  # about b\n  - id: b\n" + block("  ") + "\n", ""},
		"another source": {"hooks:\n  # begin: imported from w\n  - id: w\n  # end: imported from w\n",
			"hooks:\n  # begin: imported from w\n  - id: w\n  # end: imported from w\n" + block("  "), ""},
		"Windows":         {"hooks:\r\n  - id: a\r\n", "hooks:\n  - id: a\n" + block("  "), ""},
		"in brackets":     {"hooks: [{id: a}]\n", "", "line 1: the hooks stand in brackets"},
		"no list":         {"version: 1\nhooks: 3\n", "", "line 2: hooks is not a list"},
		"no mapping":      {"- 1\n", "", "the file is not a mapping"},
		"broken":          {"a: [\n", "", "line "},
		"half of a block": {"hooks:\n  # end: imported from x\n", "", "do not belong together"},
		"an older import": {"hooks:\n" + strings.Replace(block("  "), "run: z", "run: old", 1) + "  - id: a\n", "hooks:\n  - id: a\n" +
			block("  "), ""},
		"only an import": {"version: 1\nhooks:\n" + strings.Replace(block("  "), "run: z", "run: old", 1), "version: 1\nhooks:\n" +
			block("  "), ""},
		"a comment inside": {"hooks:\n  - id: a\n    # why\n", "hooks:\n  - id: a\n    # why\n" + block("  "), ""},
	} {
		got, err := r.Merge([]byte(c.before), "x")
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		case err != nil || string(got) != c.after:
			t.Errorf("%s: %v\n%s\nexpected\n%s", name, err, got, c.after)
			continue
		}
		if again, err := r.Merge(got, "x"); err != nil || string(again) != string(got) {
			t.Errorf("%s, again: %v\n%s", name, err, again)
		}
		if none, err := (&Result{}).Merge(got, "x"); err != nil || strings.Contains(string(none), "imported from x") {
			t.Errorf("%s, nothing any more: %v\n%s", name, err, none)
		}
	}
}
