package hooksfile

import (
	"fmt"
	"strings"
	"testing"
)

func translated(t *testing.T, text string) (string, []int) {
	t.Helper()
	out, from, wrong := Translate("My Agent", []byte(text), false)
	for _, p := range wrong {
		t.Errorf("%d:%d: %s, expected %s", p.Line, p.Column, p.Message, p.Expected)
	}
	if lines := strings.Count(string(out), "\n"); lines != len(from) {
		t.Errorf("%d lines, and %d of them come from somewhere", lines, len(from))
	}
	return string(out), from
}

// DA-60: an agent's file, the user's settings, a block under hooks and a bare
// block say the same, with a list or with what stands in place of a list of one.
func TestForms(t *testing.T) {
	want := `version: 1
hooks:
  - id: my-agent.pre_tool_use.1
    on: pre_tool_use
    match:
      tool: ["shell", "edit_file"]
    run: "./check.sh"
    dialect: docker-agent
    pass: "*"
  - id: my-agent.stop.2
    on: stop
    run: "./done.sh"
    dialect: docker-agent
    pass: "*"
    timeout: 5s
    on_error: ignore
`
	block := `pre_tool_use:
  - matcher: "shell|edit_file"
    preempt_yolo: true
    hooks: [{type: command, command: ./check.sh, timeout: 0}]
stop: {type: command, command: ./done.sh, timeout: 5, on_error: ignore}
`
	below := func(head string) string {
		depth := strings.Repeat("  ", strings.Count(head, "\n"))
		return head + depth + strings.ReplaceAll(strings.TrimSpace(block), "\n", "\n"+depth) + "\n"
	}
	for name, text := range map[string]string{
		"bare": block, "hooks": below("hooks:\n"), "settings": below("settings:\n  hooks:\n"),
		"agent": below("agents:\n  root:\n    hooks:\n"),
	} {
		if got, _ := translated(t, text); got != want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// What a hook says is said the same way.
func TestHooks(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"DA-20: every tool":    {`post_tool_use: {matcher: "*", hooks: {type: command, command: x}}`, "on: post_tool_use\n    run:"},
		"DA-20: an expression": {`post_tool_use: {matcher: "mcp__.*", hooks: {type: command, command: x}}`, `tool: ["/mcp__.*/"]`},
		"DA-20: own tools that it matches": {`post_tool_use: {matcher: "(write|edit)_file", hooks: {type: command, command: x}}`,
			`tool: ["/(write|edit)_file/", "edit_file", "write_file"]`},
		"DA-20: a whole name":  {`post_tool_use: {matcher: "mcp__a", hooks: {type: command, command: x}}`, `tool: ["/mcp__a/"]`},
		"DA-60: strict_output": {`stop: {type: command, command: x, strict_output: true}`, "strict_output: true"},
		"case 21: literal": {`stop: {type: command, command: x, env: {A: "$HOME", B: pa$$word}}`,
			"env:\n      A: \"$HOME\"\n      B: \"pa$$word\""},
		"case 21: a reference":     {`stop: {type: command, command: x, env: {A: "it's ${env.B}!"}}`, `export A='it'\''s '"${B}"'!'`},
		"case 21: a directory":     {`stop: {type: command, command: x, working_dir: "~/a/${env.B}"}`, `cd -- "$HOME/a/${B}" || exit 1`},
		"a directory runs nothing": {`stop: {type: command, command: x, working_dir: "$(a)` + "`b`" + `"}`, "cd -- \"\\$(a)\\`b\\`\" || exit 1"},
		"DA-50: arguments": {`turn_start: {type: builtin, command: add_prompt_files, args: [A.md, B.md]}`,
			`with: {files: ["A.md", "B.md"]}`},
		"DA-50: a number": {`before_llm_call: {type: builtin, command: max_iterations, args: ["7"]}`, "with: {max: 7}"},
		"DA-12: a model": {`pre_tool_use: {hooks: {type: model, model: anthropic/claude, prompt: "Safe?", schema: pre_tool_use_decision}}`,
			"endpoint: anthropic\n      key_env: ANTHROPIC_API_KEY\n      model: \"claude\"\n      prompt: \"Safe?\"\n      schema: " +
				"\"pre_tool_use_decision\""},
		"shorthands": {`agents: {root: {redact_secrets: true, add_date: false, add_prompt_files: [A.md]}}`,
			"- id: my-agent.1\n    use: \"redact_secrets\"\n  - id: my-agent.turn_start.2\n    on: turn_start\n    use: \"add_prompt_files\""},
		"of several agents": {`agents: {a: {add_date: true}, b: {}}`, `agent: ["a"]`},
		"DA-21: of two that say the same": {`pre_tool_use: [{matcher: shell, hooks: {type: command, command: x}},
  {matcher: fetch, hooks: {type: command, command: x, args: []}}]`, `tool: ["shell", "fetch"]`},
	} {
		if got, _ := translated(t, c.text); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s\nexpected %s", name, got, c.want)
		}
	}
	got, _ := translated(t, "stop: [{type: command, command: x}, {type: command, command: x}, {type: command, command: x, env: {A: b}}]")
	if n := strings.Count(got, "- id:"); n != 2 {
		t.Errorf("DA-21: %d hooks\n%s", n, got)
	}
	granted, _, _ := Translate("a", []byte("permission_request: {hooks: {type: command, command: x}}"), true)
	if !strings.Contains(string(granted), "may: grant") {
		t.Errorf("DA-31: %s", granted)
	}
}

// DA-20: what is wrong is said with its place, and nothing is dropped silently.
func TestRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"pre_tool_use:\n  - matcher: \"(\"\n    hooks: {type: command, command: x}": "2:14 \"(\" is not a regular expression: missing closing )",
		"pre_tool_use:\n  - matcher: shell":                                         "2:5 the matcher has no hooks",
		"stop: {command: x}":                                                        "no type",
		"stop: {type: script, command: x}":                                          `no type "script"`,
		"stop: {type: command}":                                                     "does not say what it runs",
		"stop: {type: model, model: m}":                                             "which model is asked what",
		"stop: {type: model, model: m, prompt: p}":                                  "no known provider serves",
		"stop: {type: command, command: x, on_error: explode}":                      `on_error cannot be "explode"`,
		"stop: {type: command, command: x, timout: 5}":                              `no key "timout"`,
		"stop: {type: command, command: x, timeout: soon}":                          "not a whole number",
		"pre_tool_uze: {type: command, command: x}":                                 `no event "pre_tool_uze"`,
		"stop: *a":                    "no anchor of this name",
		"stop: &a [*a]":               "no anchor of this name",
		"stop: !!map {type: command}": "tags",
		"stop: {<<: [x], type: command, command: x}": "only a mapping can be merged",
		"models: {judge: {provider: acme, model: m}}\nagents: {a: {hooks: {stop: {type: model, model: judge, prompt: p}}}}": "no known " +
			"provider serves",
		"stop: [": "",
		"- a":     "not a mapping",
	} {
		out, _, wrong := Translate("a", []byte(text), false)
		if len(wrong) == 0 || out != nil {
			t.Errorf("%s: taken\n%s", text, out)
			continue
		}
		p := wrong[0]
		place := fmt.Sprintf("%d:%d", p.Line, p.Column)
		if !strings.Contains(place+" "+p.Message, says) {
			t.Errorf("%s:\ngot  %s %s\nwant %s", text, place, p.Message, says)
		}
	}
	if out, _, wrong := Translate("a", nil, false); wrong != nil || string(out) != "version: 1\n" {
		t.Errorf("an empty file: %s %v", out, wrong)
	}
}
