package rule_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/handlers/rule"
)

// What a rule decides where it is unknown whether it holds: what it says of
// that, asking by default, and what it says otherwise where nobody can be asked.
// A rule that allows allows only what it knows all of.
func TestRulesInDoubt(t *testing.T) {
	deny := func(when string) rule.Config { return rule.Config{Do: "deny", When: when} }
	unknown := func(c rule.Config, word string) rule.Config { c.Unknown = word; return c }
	git := deny(`program == "git"`)
	allow := rule.Config{Do: "allow", When: `program == "git"`}
	allowAll := rule.Config{Do: "allow", When: `host == "claude-code"`}
	allowGit := rule.Config{Do: "allow", Match: match.Spec{Programs: []string{"git"}}}
	for _, c := range []struct {
		rule    rule.Config
		command string
		kind    trammel.Kind
		want    trammel.Decision
		doubt   bool
	}{
		{git, "git push", trammel.PreToolUse, trammel.Deny, false},
		{git, "ls", trammel.PreToolUse, trammel.None, false},
		{git, `"$X" push`, trammel.PreToolUse, trammel.Ask, true},
		{git, `"$X" push; git pull`, trammel.PreToolUse, trammel.Deny, false},
		{git, `"$X" push`, trammel.PostToolUse, trammel.Deny, true},
		{unknown(git, "deny"), `"$X" push`, trammel.PreToolUse, trammel.Deny, true},
		{unknown(git, "allow"), `"$X" push`, trammel.PreToolUse, trammel.None, false},
		{unknown(git, "deny"), `"$X" push`, trammel.PostToolUse, trammel.Deny, true},
		{rule.Config{Do: "ask", When: `program == "git"`}, `"$X" push`, trammel.PreToolUse, trammel.Ask, true},
		{rule.Config{Do: "context", When: `program == "git"`, Text: "x"}, `"$X" push`, trammel.PreToolUse, trammel.None, false},
		{deny(`args.value("--context") == "prod"`), `kubectl --context "$C" get pods`, trammel.PreToolUse, trammel.Ask, true},
		{deny(`"prod" in args.list`), `kubectl "$C" get pods`, trammel.PreToolUse, trammel.Ask, true},
		{deny(`args.text contains "prod"`), `kubectl "$C" get pods`, trammel.PreToolUse, trammel.Ask, true},
		{deny(`args.text contains "prod"`), `kubectl get pods`, trammel.PreToolUse, trammel.None, false},
		{deny(`any(commands, .program == "git")`), `"$X" push`, trammel.PreToolUse, trammel.Ask, true},
		{deny(`any(commands, .program == "git")`), `ls`, trammel.PreToolUse, trammel.None, false},
		{deny(`len(effects.unknown) > 0`), `eval "$X"`, trammel.PreToolUse, trammel.Deny, false},
		{deny(`any(effects.traps, # startsWith "lookalike")`), "git clone https://githuh.com/a/b", trammel.PreToolUse, trammel.Deny, false},
		{deny(`any(effects.traps, # startsWith "lookalike")`), "git clone https://github.com/a/b", trammel.PreToolUse, trammel.None, false},
		{allow, "git status", trammel.PreToolUse, trammel.Allow, false},
		{allow, "git status; ls", trammel.PreToolUse, trammel.None, false},
		{allow, "git status && git diff", trammel.PreToolUse, trammel.Allow, false},
		{allow, `git status; "$X"`, trammel.PreToolUse, trammel.None, false},
		{allow, `git status; eval "$X"`, trammel.PreToolUse, trammel.None, false},
		{allow, "env git status", trammel.PreToolUse, trammel.Allow, false},
		{allow, "sudo git status", trammel.PreToolUse, trammel.None, false},
		{allowGit, "git status; ls", trammel.PreToolUse, trammel.None, false},
		{allowGit, "git status", trammel.PreToolUse, trammel.Allow, false},
		{allowAll, "git status; ls", trammel.PreToolUse, trammel.Allow, false},
	} {
		ev := shellEvent(c.command)
		ev.Kind = c.kind
		a, err := build(t, c.rule).Handle(context.Background(), ev)
		if err != nil || a.Decision != c.want || strings.Contains(a.Reason, "unknown") != c.doubt {
			t.Errorf("%s when %s%s, unknown %q, on %q at %v: %v %q, %v", c.rule.Do, c.rule.When, c.rule.Match.Programs, c.rule.Unknown,
				c.command, c.kind, a.Decision, a.Reason, err)
		}
	}
	prompt := &trammel.Event{Kind: trammel.UserPromptSubmit, Host: "claude-code", Prompt: &trammel.Prompt{Text: "x", Synthetic: true}}
	for when, want := range map[string]trammel.Decision{
		"synthetic": trammel.Deny, "stop.active": trammel.None, `host == "claude-code"`: trammel.Deny, `any(commands, true)`: trammel.None,
		`let s = session; s.bypass`: trammel.None, `let s = stop; s.message == ""`: trammel.Deny,
	} {
		if a, err := build(t, deny(when)).Handle(context.Background(), prompt); err != nil || a.Decision != want {
			t.Errorf("%s on a prompt: %v, %v", when, a.Decision, err)
		}
	}
}

// Where expressions in a text begin and end.
func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "a ${b} c": "a <b> c", "$${b}": "${b}", `${"}"}`: `<"}">`, `${'\'}'}`: `<'\'}'>`, "${`\\`}": "<`\\`>",
		"${{1: {2}}}x": "<{1: {2}}>x",
		"${":           "open", "${a": "open", `${"a}`: "open", `${"a\`: "open", "${{}": "open", "${a}${b}": "<a><b>", "$": "$", "a}": "a}",
	} {
		pieces, err := rule.Split(text)
		var got strings.Builder
		for _, p := range pieces {
			got.WriteString(p.Text)
			if p.At > 0 {
				fmt.Fprintf(&got, "<%s>", p.Source)
				if text[p.At:p.At+len(p.Source)] != p.Source {
					t.Errorf("%q: %+v does not stand there", text, p)
				}
			}
		}
		if err != nil {
			got.WriteString("open")
		}
		if got.String() != want {
			t.Errorf("%q becomes %q, want %q", text, got.String(), want)
		}
	}
}

// What a rewrite writes is JSON, and what no JSON can hold is a failure.
func TestRewritesAreJSON(t *testing.T) {
	for source, ok := range map[string]bool{"1": true, "1.0 / 3": true, "1.0 / 0": false, "0.0 / 0": false, "-1.0 / 0": false,
		"[1.0 / 0]":      false,
		`{"a": 0.0 / 0}`: false} {
		a, err := build(t, rule.Config{Do: "rewrite", Input: map[string]string{"x": source}}).Handle(context.Background(), shellEvent("ls"))
		if (err == nil) != ok {
			t.Errorf("%s: %v, %v", source, a.Input, err)
		}
	}
	long := strings.Repeat("é", 600)
	a, err := build(t, rule.Config{Do: "context", Text: `${"a" + command}`}).Handle(context.Background(), shellEvent(long))
	if err != nil || !strings.HasSuffix(a.Context[0], "é…") || len(a.Context[0]) > 1100 {
		t.Errorf("%d bytes, %v", len(a.Context[0]), err)
	}
}
