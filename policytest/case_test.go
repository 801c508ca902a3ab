package policytest

import (
	"strings"
	"testing"
)

// Use, "Errors": errors in a test file name their place, in words that
// say what to do, and a case that can never pass is refused.
func TestWrongFiles(t *testing.T) {
	const begin = "tests:\n  - name: x\n    on: PreToolUse\n"
	for text, want := range map[string]string{
		"":                       "no tests in it",
		"tests: []":              "no tests in it",
		"tests:\n  - on: Stop\n": "x_test.yaml:2:5: the test has no name",
		"tests:\n  - name: x\n":  `x_test.yaml:2:5: "x" does not say on which event`,
		begin + "    expect: {decision: rewrite}": "expected the rewritten arguments in expect.input",
		begin + "    inputt: {}":                  `x_test.yaml:4:5: unknown key "inputt", did you mean "input"?`,
		begin + "    expect: {decison: deny}":     `x_test.yaml:4:14: unknown key "decison", did you mean "decision"?`,
		begin + "    expect: {by: x}":             "in its expect: decision, reason, hooks",
		begin + "    expect: {decision: deni}":    `x_test.yaml:2:5: "x": expect: unknown decision "deni", expected none, allow, ask or deny`,
		begin + "    tool: [Bash]":                "x_test.yaml:4:11: the value is of the wrong type",
		begin + "    input: rm":                   "expected a mapping",
		begin + "\ttool: Bash":                    "x_test.yaml:4:1: a tab indents this line",
		begin + "   tool: Bash":                   "x_test.yaml:4:4: the indentation does not fit",
		begin + "    tool: \"say \"no\"\"":        "there is text after the closing quote",
	} {
		if _, err := parse("x_test.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, expected %s", text, err, want)
		}
	}
	if cases, err := parse("x_test.yaml", []byte(begin+"    expect: {decision: none}")); err != nil || len(cases) != 1 {
		t.Errorf("found %v, %v", cases, err)
	}
}
