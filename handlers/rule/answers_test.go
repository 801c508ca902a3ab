package rule

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
)

func TestAnswers(t *testing.T) {
	out := func(s string) *string { return &s }
	for name, tc := range map[string]struct {
		config Config
		want   trammel.Answer
	}{
		"reason sees the command that matched": {
			Config{Do: "deny", When: `args.has("--force")`,
				Reason: `no ${args.text} with ${program}, but $${this} {and} ${"}"} ${{"a": [1, 2.5]}} ${input.none}.`},
			trammel.Answer{Decision: trammel.Deny, Reason: `no push --force with git, but ${this} {and} } {"a":[1,2.5]} .`}},
		"without a condition the first command": {Config{Do: "ask", Reason: "${program}"}, trammel.Answer{Decision: trammel.Ask, Reason: "ls"}},
		"default reasons": {Config{Do: "deny"}, trammel.Answer{Decision: trammel.Deny,
			Reason: `The rule "test" does not allow this.`}},
		"default ask": {Config{Do: "ask"}, trammel.Answer{Decision: trammel.Ask,
			Reason: `The rule "test" wants a person to decide this.`}},
		"allow": {Config{Do: "allow", When: `host == "claude-code"`}, trammel.Answer{Decision: trammel.Allow,
			Reason: `The rule "test" allows this.`}},
		"context": {Config{Do: "context", Text: "on ${host}"}, trammel.Answer{Context: []string{"on claude-code"}}},
		"a broken reason does not undo the decision": {
			Config{Do: "deny", Reason: "see ${input.a.b}"},
			trammel.Answer{Decision: trammel.Deny, Reason: "see ?", Diagnostics: []string{"column 9: cannot fetch b from <nil>"}}},
		"rewrite": {
			Config{Do: "rewrite", Output: `"done: " + command`, Input: map[string]string{"command": `command + " # checked"`, "n": "1 + 2",
				"f": "1.5", "b": "true", "none": "nil",
				"list": `concat(map(paths, # + "x"), [1])`, "words": `split("a b", " ")`, "map": `{"k": {"l": 1..2}}`}},
			trammel.Answer{Output: out("done: ls; git push --force"), Input: map[string]any{"command": "ls; git push --force # checked",
				"n": int64(3), "f": 1.5, "b": true, "none": nil,
				"list": []any{int64(1)}, "words": []any{"a", "b"}, "map": map[string]any{"k": map[string]any{"l": []any{int64(1), int64(2)}}}}}},
		"finding": {
			Config{Do: "deny", When: `program == "git"`, Finding: &Finding{"force_push", "high"}, Reason: "x"},
			trammel.Answer{Decision: trammel.Deny, Reason: "x", Findings: []trammel.Finding{{Code: "force_push", Severity: "high", Target: "git"}}}},
		"no": {Config{Do: "deny", When: `program == "hg"`}, trammel.Answer{}},
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
	h := build(t, Config{Do: "deny", Match: match.Spec{Programs: []string{"git", "hg"}}, When: `args.has("push")`})
	if got := h.(trammel.Explainer).Explain(); got != `deny when args.has("push")` {
		t.Error(got)
	}
}

func TestCheck(t *testing.T) {
	for when, want := range map[string]Error{
		`progam == "git"`:         {Column: 1, Message: "unknown name progam", Expected: "one of event, name, host"},
		`true && tool.nam == "x"`: {Column: 14, Message: "type rule.tool has no field nam", Expected: "one of name, id, output"},
		`command + 1 == "x"`:      {Column: 9, Message: "invalid operation"},
		`args.has(1)`:             {Column: 10, Message: "cannot use int"},
		`args.Has("x")`:           {Column: 6, Message: "has no method", Expected: "one of has, starts"},
		`command`:                 {Column: 1, Message: "it is text", Expected: "a condition that is true or false"},
		`input.force`:             {Column: 1, Message: "it is of a type that only the event knows", Expected: "a condition"},
		`command contains`:        {Column: 16, Message: "unexpected token EOF"},
		`command matches "("`:     {Column: 9, Message: "error parsing regexp"},
		`now() == nil`:            {Column: 1, Message: "unknown name now"},
		`$env.command == "x"`:     {Column: 1, Message: "$env is not available"},
		`"x" in $env`:             {Column: 8, Message: "$env is not available"},
		`true || "` + strings.Repeat("x", 5000) + `" == ""`: {Column: 4097, Message: "it has", Expected: "at most 4096"},
		`event == "PreToolUse"`:                             {Column: 10, Message: `event is never "PreToolUse", expected "pre_tool_use"`},
		`"bash" == action.kind`:                             {Column: 1, Message: `action is never "bash"`},
		`true && action.kind in ["x", "read"]`:              {Column: 25, Message: `action is never "x"`},
		`Tick()`:                                            {Column: 1, Message: "unknown name Tick"},
	} {
		err := Check(Config{Do: "deny", When: when})
		e, ok := errors.AsType[*Error](err)
		if !ok {
			t.Errorf("%.40s: got %v", when, err)
			continue
		}
		if e.Where != "when" || e.Line != 1 || e.Column != want.Column || !strings.HasPrefix(e.Message, want.Message) &&
			!strings.Contains(e.Message, want.Message) || !strings.HasPrefix(e.Expected, want.Expected) {
			t.Errorf("%.40s: got %+v, want %+v", when, *e, want)
		}
	}
	for name, c := range map[string]Config{
		"do":                              {Do: "denny"},
		"reason: column 10":               {Do: "deny", Reason: "x ${1 + + } y"},
		"reason: line 2, column 3: ${ is": {Do: "deny", Reason: "x\né ${host"},
		"text: line 2, column 12":         {Do: "context", Text: "x\n ${host} ${nope}"},
		"output: column 1":                {Do: "rewrite", Output: "nope"},
		"input.a: column 1":               {Do: "rewrite", Input: map[string]string{"a": "session"}},
		"text is missing":                 {Do: "context"},
		"text is for":                     {Do: "deny", Text: "x"},
		"reason is for":                   {Do: "rewrite", Output: "host", Reason: "x"},
		"input or output":                 {Do: "rewrite"},
		"input and output":                {Do: "deny", Output: "host"},
		"findings.code":                   {Do: "deny", Finding: &Finding{}},
		"unknown is":                      {Do: "deny", Unknown: "warn"},
	} {
		if err := Check(c); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What the event holds must not make a guard late.
func TestLoopsAreBounded(t *testing.T) {
	ev := shellEvent(strings.Repeat("a;", 3000))
	_, err := build(t, Config{Do: "deny", When: `all(commands, any(commands, .program == "b") == false)`}).Handle(context.Background(), ev)
	if err == nil || !strings.Contains(err.Error(), "rounds") {
		t.Errorf("got %v", err)
	}
	a, err := build(t, Config{Do: "deny", When: `all(commands, .program == "a") && len(filter(commands, .program == "a")) == 3000`}).Handle(
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
		if _, err := New(trammel.Spec{Config: []byte(bad)}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestConfigRoundTrip(t *testing.T) {
	c := Config{Do: "rewrite", When: `host == "x" && args.has("a")`, Input: map[string]string{"a": "1"}, Output: "host",
		Match: match.Spec{Programs: []string{"git"}}, Finding: &Finding{"c", "s"}}
	if err := c.Prepare(); err != nil {
		t.Fatal(err)
	}
	data, err := c.JSON()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(data)
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
		`{"do":"deny","when":"args.has(\"x\")","match":{"programs":["git"]},"prepared":{"each":true,"needs":[{"field":"args","op":"has","values":["x"]}]}}`))
	f.Add([]byte(`{"do":"rewrite","input":{"a":"host"},"findings":{"code":"c"}}`))
	f.Add([]byte(`{"do":"deny","reason":"${any(commands, {#.program == '}'})} $${x}","when":"input.a > 5"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read(data)
		if err != nil {
			return
		}
		if Check(c) != nil {
			return
		}
		if err := c.Prepare(); err != nil {
			t.Fatal(err)
		}
		out, err := c.JSON()
		if err != nil {
			t.Fatal(err)
		}
		h, err := New(trammel.Spec{Config: out})
		if err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		h.Handle(context.Background(), shellEvent("git push"))
	})
}
