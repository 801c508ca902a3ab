package rule_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
)

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// madeUpCondition makes up a condition, mostly of terms that become needs.
func madeUpCondition(r *rand.Rand, depth int) string {
	if depth > 0 && r.IntN(3) > 0 {
		op := pick(r, " && ", " && ", " and ", " || ", " or ")
		return "(" + madeUpCondition(r, depth-1) + op + madeUpCondition(r, depth-1) + ")"
	}
	word := func() string {
		return `"` + pick(r, "git", "push", "--force", "-f", "x", "", "claude-code", "Bash", "a/b.go", "shell") + `"`
	}
	field := func() string {
		return pick(r, "command", "path", "prompt", "host", "event", "program", "tool.name", "action.kind", "action.command", "input.command",
			"input.n", "input.none", `input["s"]`, "name", "args.text")
	}
	switch r.IntN(12) {
	case 0, 1:
		return field() + pick(r, " == ", " contains ", " startsWith ", " endsWith ", " != ", " matches ") + word()
	case 2:
		return word() + " == " + field()
	case 3:
		return field() + " in [" + word() + ", " + word() + "]"
	case 4, 5, 6:
		return "args.has(" + word() + pick(r, "", ", "+word()) + ")"
	case 7:
		return "not (" + field() + " contains " + word() + ")"
	case 8:
		return pick(r, "input.n > 5", "input.none > 5", "input.s > 5", "input.none.deep == 1", "args.unknown", "len(paths) > 0", "true")
	case 9:
		return `any(commands, .program == "git")`
	default:
		return "program == " + word()
	}
}

func madeUp(r *rand.Rand) *trammel.Event {
	ev := &trammel.Event{Kind: pick(r, trammel.PreToolUse, trammel.Stop), Host: pick(r, "claude-code", "codex"), Name: "x"}
	if r.IntN(8) == 0 {
		ev.Prompt = &trammel.Prompt{Text: "git push"}
		return ev
	}
	command := pick(r, "", "git push --force", "ls", "git push (", "sudo git push -uf", "$X push", "echo x; git push -- --force", "x", "git")
	ev.Tool = &trammel.ToolCall{Name: pick(r, "Bash", "x"), Input: map[string]any{"command": pick[any](r, command, nil, int64(5),
		[]any{"git"}),
		"n": pick[any](r, int64(7), 2.5, "git", nil), "s": pick[any](r, "push", true)},
		Action: trammel.Action{Kind: pick(r, trammel.ShellAction, trammel.WriteAction), Command: command}}
	if r.IntN(2) == 0 {
		ev.Tool.Action.Paths = []string{"a/b.go", "x"}
	}
	return ev
}

// What is decided without the expression engine must be what the engine would
// have said. The one difference that is meant: where the engine cannot
// evaluate a term, another term that is false settles it.
func TestNeedsAgreeWithTheExpression(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	conditions, events, whole, agreed := 300, 40, 0, [2]int{}
	for range conditions {
		prepared := rule.Config{Do: "deny", When: madeUpCondition(r, 3), Unknown: "allow"} // in doubt the engine has no say
		if r.IntN(4) == 0 {
			prepared.Match.Programs = []string{"git"}
		}
		if err := condition.Prepare(&prepared); err != nil && strings.Contains(err.Error(), " is never ") {
			continue // it compares an event with something else
		} else if err != nil {
			t.Fatalf("%s: %v", prepared.When, err)
		}
		plain := prepared
		plain.Needs, plain.Whole = nil, false
		fast, full := buildAs(t, prepared), buildAs(t, plain)
		if prepared.Whole {
			whole++
		}
		for range events {
			ev := madeUp(r)
			got, gotErr := fast.Handle(context.Background(), ev)
			want, wantErr := full.Handle(context.Background(), ev)
			switch {
			case wantErr == nil && (gotErr != nil || got.Decision != want.Decision):
				t.Fatalf("%s\non %+v\nneeds %+v whole %v\nsay %v %v, the expression says %v", prepared.When, ev.Tool, prepared.Needs, prepared.Whole,
					got.Decision, gotErr, want.Decision)
			case wantErr != nil && gotErr == nil && len(prepared.Needs) == 0:
				t.Fatalf("%s on %+v: lost %v", prepared.When, ev.Tool, wantErr)
			case wantErr == nil:
				agreed[min(int(got.Decision), 1)]++
			}
		}
	}
	if whole < 15 || agreed[0] < 1500 || agreed[1] < 900 {
		t.Errorf("the made-up rules are too uniform: %d whole, verdicts %v", whole, agreed)
	}
}

func TestNeeds(t *testing.T) {
	for when, want := range map[string]string{
		`command contains "x"`:                   "whole command contains x",
		`"x" == tool.name && host in ["a", "b"]`: "whole tool eq x; host eq a,b",
		`args.has("a") || args.has("b", "c")`:    "whole args has a,b,c",
		`(program == "git" and input.a startsWith "b") && (command endsWith ".go" || command endsWith ".md")`: "whole program eq git; input.a " +
			"prefix " +
			"b; command suffix .go,.md",
		`command contains "x" && input.n > 5`: "command contains x",
		`command contains "x" || host == "y"`: "",
		`host == "x" || host contains "y"`:    "",
		`not (command contains "x")`:          "",
		`command not contains "x"`:            "",
		`"x" contains command`:                "",
		`let c = command; c contains "x"`:     "",
		`true && (let h = host; h == "x")`:    "",
		`true ? host == "x" : false`:          "",
		`input?.a == "x"`:                     "",
		`input.a.b == "x"`:                    "",
		`args.has()`:                          "",
		`args.has(host)`:                      "",
		`host == name`:                        "",
		`any(paths, # == "x") && host == "x"`: "host eq x",
	} {
		c := rule.Config{Do: "deny", When: when}
		if err := condition.Prepare(&c); err != nil {
			t.Errorf("%s: %v", when, err)
			continue
		}
		var parts []string
		for _, n := range c.Needs {
			parts = append(parts, n.Field+" "+string(n.Op)+" "+strings.Join(n.Values, ","))
		}
		got := strings.Join(parts, "; ")
		if c.Whole {
			got = "whole " + got
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
	}
}
