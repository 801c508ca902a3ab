package configprotection

import (
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

func TestRulesIn(t *testing.T) {
	for _, c := range []struct {
		base, text string
		want       []string
		known      bool
	}{
		{"package.json", `{"a":1,"eslintConfig":{"x": 1},"prettier":"p"}`, []string{`eslintConfig:{"x":1}`, `prettier:"p"`}, true},
		{"package.json", `{"a":1`, nil, false},
		{"package.json", ``, nil, false},
		{"package.json", `[]`, nil, false},
		{"deno.jsonc", `{"lint":{}}`, []string{"lint:{}"}, true},
		{"pyproject.toml", "[project]\na = [\n1,\n]\n[tool.mypy]\n# c\nstrict = true\n[tool.x]\nb=1\n", []string{"[tool.mypy]",
			"strict = true"}, true},
		{"setup.cfg", "[flake8]\nignore = E1,\n  E2\n[metadata]\nname = x", []string{"[flake8]", "ignore = E1,", "E2"}, true},
		{"setup.cfg", "[mypy-foo.*]\nignore_errors = True", []string{"[mypy-foo.*]", "ignore_errors = True"}, true},
		{"Cargo.toml", "[lints.clippy]\nall = \"warn\"\n[workspace.lints.rust]\nx = 1\n[dependencies]\ny = 1",
			[]string{"[lints.clippy]", `all = "warn"`, "[workspace.lints.rust]", "x = 1"}, true},
		{"tsconfig.base.json", `{/* "strict": 1 */ "strict" : true, "noUnusedLocals":false, // "checkJs": true`,
			[]string{"strict:true", "noUnusedLocals:false"}, true},
		{"tsconfig.json", `"strict`, nil, true},
		{"other.json", `{"eslintConfig":{}}`, nil, false},
	} {
		got, known := rulesIn(c.base, c.text)
		if known != c.known || known && !slices.Equal(got, c.want) {
			t.Errorf("%s %q: got %q %v, want %q %v", c.base, c.text, got, known, c.want, c.known)
		}
	}
}

// What stands in a file, and what an agent wants to put into it, are foreign.
func FuzzSections(f *testing.F) {
	f.Add("package.json", `{"eslintConfig":{}}`, "{}", "")
	f.Add("tsconfig.json", `{"strict": "\`, `"`, `"strict`)
	f.Add("pyproject.toml", "[tool.ruff]\n[", "+[", "*** Begin Patch\n+[tool.ruff]")
	f.Fuzz(func(t *testing.T, base, before, old, next string) {
		rules, _ := rulesIn(base, before)
		call := &trammel.ToolCall{Input: map[string]any{"old_string": old, "new_string": next}, Action: trammel.Action{Kind: trammel.EditAction,
			Paths: []string{base}}}
		if after, ok := edited(call, before); ok {
			again, _ := rulesIn(base, after)
			if before == after && weaker(base, rules, again) {
				t.Errorf("%q is weaker than itself", before)
			}
		}
		touches(call.Input, rules, 0)
		ofText(next)
	})
}

func TestNames(t *testing.T) {
	for _, name := range strings.Fields(
		`.eslintrc .eslintrc.yaml eslint.config.js .prettierrc.json5 prettier.config.cjs .stylelintrc .markdownlint.json .markdownlintrc ` +
			`.golangci.toml biome.jsonc`) {
		if byName(name) != rules {
			t.Errorf("%s is free", name)
		}
	}
	for _, name := range strings.Fields(
		`eslint.config eslintrc prettier.config.md .eslintrc.md .eslintignore .eslintrcx package.json main.go .golang`) {
		if byName(name) != free {
			t.Errorf("%s is protected", name)
		}
	}
}
