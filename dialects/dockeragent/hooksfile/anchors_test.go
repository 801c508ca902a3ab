package hooksfile

import (
	"fmt"
	"strings"
	"testing"
)

// DA-60: anchors, aliases and merge keys stand for what they name.
func TestAnchors(t *testing.T) {
	for _, c := range []struct{ name, text, plain string }{
		{"an alias", "stop: &a {type: command, command: x}\nturn_end: *a",
			"stop: {type: command, command: x}\nturn_end: {type: command, command: x}"},
		{"a merge key, whose own keys win", "stop: &a {type: command, command: x, timeout: 5}\nturn_end: {<<: *a, timeout: 7}",
			"stop: {type: command, command: x, timeout: 5}\nturn_end: {type: command, command: x, timeout: 7}"},
		{"a list", "pre_tool_use: &l\n  - hooks: [{type: command, command: x}]\npost_tool_use: *l",
			"pre_tool_use:\n  - hooks: [{type: command, command: x}]\npost_tool_use:\n  - hooks: [{type: command, command: x}]"},
		{"a text", "stop: {type: command, command: &c x}\nturn_end: {type: command, command: *c}",
			"stop: {type: command, command: x}\nturn_end: {type: command, command: x}"},
	} {
		got, _, wrong := Translate("a", []byte(c.text), false)
		want, _, _ := Translate("a", []byte(c.plain), false)
		if len(wrong) > 0 || string(got) != string(want) {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.name, wrong, got, want)
		}
	}
	var laughs strings.Builder
	laughs.WriteString("x0: &x0 [a, a, a, a, a, a, a, a]\n")
	for i := range 9 {
		fmt.Fprintf(&laughs, "x%d: &x%[1]d [%s]\n", i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i), 8), ", "))
	}
	if _, _, wrong := Translate("a", []byte(laughs.String()), false); len(wrong) == 0 || !strings.Contains(wrong[0].Message, "too large") {
		t.Errorf("%v", wrong)
	}
}

// DA-12 DA-60: a model hook asks a model that the same file declares; safer_shell,
// which only labels, is no hook.
func TestModelsOfTheFile(t *testing.T) {
	const text = `providers:
  house: {api_type: openai_chatcompletions, base_url: "https://models.example/v1", token_key: HOUSE_KEY}
models:
  judge: {provider: openai, model: gpt-5}
  own: {provider: house, model: small}
  moved: {provider: anthropic, model: m, base_url: "https://proxy.example", token_key: PROXY_KEY}
agents:
  a:
    model: judge
    hooks:
      pre_tool_use:
        - hooks:
            - {type: model, model: judge, prompt: p}
            - {type: model, model: own, prompt: p}
            - {type: model, model: house/large, prompt: p}
            - {type: model, model: moved, prompt: p}
            - {type: builtin, command: safer_shell}
`
	got, _, wrong := Translate("a", []byte(text), false)
	if len(wrong) > 0 || strings.Count(string(got), "- id:") != 4 || strings.Contains(string(got), "safer_shell") {
		t.Fatalf("%v\n%s", wrong, got)
	}
	for _, want := range []string{
		"      key_env: OPENAI_API_KEY\n      model: \"gpt-5\"",
		"      url: \"https://models.example/v1\"\n      key_env: \"HOUSE_KEY\"\n      model: \"small\"",
		"      url: \"https://models.example/v1\"\n      key_env: \"HOUSE_KEY\"\n      model: \"large\"",
		"      endpoint: anthropic\n      url: \"https://proxy.example\"\n      key_env: \"PROXY_KEY\"\n      model: \"m\"",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("there is no\n%s\nin\n%s", want, got)
		}
	}
}
