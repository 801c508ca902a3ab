package rule_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/handlers/rule"
)

func TestAnswers(t *testing.T) {
	out := func(s string) *string { return &s }
	for name, tc := range map[string]struct {
		config rule.Config
		want   trammel.Answer
	}{
		"reason sees the command that matched": {
			rule.Config{Do: "deny", When: `args.has("--force")`,
				Reason: `no ${args.text} with ${program}, but $${this} {and} ${"}"} ${{"a": [1, 2.5]}} ${input.none}.`},
			trammel.Answer{Decision: trammel.Deny, Reason: `no push --force with git, but ${this} {and} } {"a":[1,2.5]} .`}},
		"without a condition the first command": {rule.Config{Do: "ask", Reason: "${program}"}, trammel.Answer{Decision: trammel.Ask,
			Reason: "ls"}},
		"default reasons": {rule.Config{Do: "deny"}, trammel.Answer{Decision: trammel.Deny,
			Reason: `The rule "test" does not allow this.`}},
		"default ask": {rule.Config{Do: "ask"}, trammel.Answer{Decision: trammel.Ask,
			Reason: `The rule "test" wants a person to decide this.`}},
		"allow": {rule.Config{Do: "allow", When: `host == "claude-code"`}, trammel.Answer{Decision: trammel.Allow,
			Reason: `The rule "test" allows this.`}},
		"context": {rule.Config{Do: "context", Text: "on ${host}"}, trammel.Answer{Context: []string{"on claude-code"}}},
		"a broken reason does not undo the decision": {
			rule.Config{Do: "deny", Reason: "see ${input.a.b}"},
			trammel.Answer{Decision: trammel.Deny, Reason: "see ?", Diagnostics: []string{"column 9: cannot fetch b from <nil>"}}},
		"rewrite": {
			rule.Config{Do: "rewrite", Output: `"done: " + command`, Input: map[string]string{"command": `command + " # checked"`, "n": "1 + 2",
				"f": "1.5", "b": "true", "none": "nil",
				"list": `concat(map(paths, # + "x"), [1])`, "words": `split("a b", " ")`, "map": `{"k": {"l": 1..2}}`}},
			trammel.Answer{Output: out("done: ls; git push --force"), Input: map[string]any{"command": "ls; git push --force # checked",
				"n": int64(3), "f": 1.5, "b": true, "none": nil,
				"list": []any{int64(1)}, "words": []any{"a", "b"}, "map": map[string]any{"k": map[string]any{"l": []any{int64(1), int64(2)}}}}}},
		"a rewrite says why": {
			rule.Config{Do: "rewrite", Reason: "on ${host}", Output: `"x"`},
			trammel.Answer{Output: out("x"), Notice: "on claude-code"}},
		"finding": {
			rule.Config{Do: "deny", When: `program == "git"`, Finding: &rule.Finding{"force_push", "high"}, Reason: "x"},
			trammel.Answer{Decision: trammel.Deny, Reason: "x", Findings: []trammel.Finding{{Code: "force_push", Severity: "high", Target: "git"}}}},
		"no": {rule.Config{Do: "deny", When: `program == "hg"`}, trammel.Answer{}},
	} {
		a, err := build(t, tc.config).Handle(context.Background(), shellEvent("ls; git push --force"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := cmp.Diff(tc.want, a); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestExplain(t *testing.T) {
	h := build(t, rule.Config{Do: "deny", Match: match.Spec{Programs: []string{"git", "hg"}}, When: `args.has("push")`})
	if got := h.(trammel.Explainer).Explain(); got != `deny when args.has("push")` {
		t.Error(got)
	}
}

// What the event holds must not make a guard late.
func TestLoopsAreBounded(t *testing.T) {
	ev := shellEvent(strings.Repeat("a;", 3000))
	_, err := build(t, rule.Config{Do: "deny", When: `all(commands, any(commands, .program == "b") == false)`}).Handle(context.Background(),
		ev)
	if err == nil || !strings.Contains(err.Error(), "rounds") {
		t.Errorf("got %v", err)
	}
	a, err := build(t, rule.Config{Do: "deny",
		When: `all(commands, .program == "a") && len(filter(commands, .program == "a")) == 3000`}).Handle(
		context.Background(), ev)
	if err != nil || a.Decision != trammel.Deny {
		t.Errorf("got %v %v", a, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, bad := range []string{``, `[]`, `{"do":"deny","wen":"x"}`, `{"do":1}`, `{"do":"deny","do":"ask"}`,
		`{"do":"deny","input":{"a":1}}`, `{"do":"deny"} x`,
		`{"do":"deny","prepared":{"needs":[{"field":"x","op":"eq","values":["a"]}]}}`,
		`{"do":"deny","prepared":{"needs":[{"field":"args","op":"eq","values":["a"]}]}}`,
		`{"do":"deny","prepared":{"needs":[{"field":"host","op":"eq","values":[]}]}}`,
		`{"do":"deny","prepared":{"needs":[{"field":"host","op":"like","values":["a"]}]}}`,
		`{"do":"deny","prepared":{"needs":[1]}}`, `{"do":"deny","findings":{"code":"a","x":1}}`, `{"do":"nothing"}`, `{}`} {
		if _, err := rule.New(trammel.Spec{Config: []byte(bad)}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestConfigRoundTrip(t *testing.T) {
	c := rule.Config{Do: "rewrite", When: `host == "x" && args.has("a")`, Input: map[string]string{"a": "1"}, Output: "host",
		Match: match.Spec{Programs: []string{"git"}}, Finding: &rule.Finding{"c", "s"}}
	if err := condition.Prepare(&c); err != nil {
		t.Fatal(err)
	}
	data, err := c.JSON()
	if err != nil {
		t.Fatal(err)
	}
	back, err := rule.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, back); d != "" {
		t.Error(d)
	}
	if again, _ := back.JSON(); string(again) != string(data) {
		t.Errorf("%s\n%s", data, again)
	}
	want := []match.Need{{Field: "host", Op: match.Eq, Values: []string{"x"}}, {Field: "args", Op: match.Has, Values: []string{"a"}}}
	if !c.Each || !c.Whole || !slices.EqualFunc(c.Needs, want, func(a, b match.Need) bool { return cmp.Equal(a, b) }) {
		t.Errorf("%+v", c)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(
		`{"do":"deny","when":"args.has(\"x\")","match":{"programs":["git"]},"prepared":{"each":true,"needs":[{"field":"args","op":"has",` +
			`"values":["x"]}]}}`))
	f.Add([]byte(`{"do":"rewrite","input":{"a":"host"},"findings":{"code":"c"}}`))
	f.Add([]byte(`{"do":"deny","reason":"${any(commands, {#.program == '}'})} $${x}","when":"input.a > 5"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := rule.Read(data)
		if err != nil {
			return
		}
		if condition.Prepare(&c) != nil {
			return
		}
		out, err := c.JSON()
		if err != nil {
			t.Fatal(err)
		}
		h, err := rule.New(trammel.Spec{Config: out})
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		h.Handle(context.Background(), shellEvent("git push"))
	})
}
