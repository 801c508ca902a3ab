package trammel_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
)

// A runtime asks before it runs a tool.
func Example() {
	engine, err := trammel.New([]trammel.Hook{{
		ID:    "no-force-push",
		On:    []trammel.Kind{trammel.PreToolUse},
		Match: trammel.Match{Actions: []trammel.ActionKind{trammel.ShellAction}},
		May:   trammel.Guard,
		Handler: trammel.HandlerFunc(func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
			if strings.Contains(ev.Tool.Action.Command, "push --force") {
				return trammel.Denial("Force-push is off. Push a branch and open a pull request."), nil
			}
			return trammel.Answer{}, nil
		}),
	}})
	if err != nil {
		panic(err)
	}
	for _, command := range []string{"git status", "git push --force"} {
		v := engine.Dispatch(context.Background(), &trammel.Event{
			Kind: trammel.PreToolUse,
			Tool: &trammel.ToolCall{Name: "shell", Input: map[string]any{"command": command}},
		})
		fmt.Printf("%-16s → %s %q\n", command, v.Decision, v.Reason)
	}
	// Output:
	// git status       → none ""
	// git push --force → deny "Force-push is off. Push a branch and open a pull request."
}

// A transform rewrites the arguments; the runtime runs what the verdict says.
func ExampleVerdict_Apply() {
	engine, _ := trammel.New([]trammel.Hook{{
		ID:  "dry-run",
		On:  []trammel.Kind{trammel.PreToolUse},
		May: trammel.Rewrite,
		Handler: trammel.HandlerFunc(func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
			return trammel.Answer{Input: map[string]any{"dry_run": true}}, nil
		}),
	}})
	args := map[string]any{"service": "billing"}
	v := engine.Dispatch(context.Background(), &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "deploy", Input: args}})
	fmt.Println(v.Apply(args))
	// Output: map[dry_run:true service:billing]
}

// A sub-agent's engine inherits every hook of its parent.
func ExampleEngine_Child() {
	deny := func(reason string) trammel.Handler {
		return trammel.HandlerFunc(func(context.Context, *trammel.Event) (trammel.Answer, error) { return trammel.Denial(reason), nil })
	}
	parent, _ := trammel.New([]trammel.Hook{{ID: "no-writes", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
		Match: trammel.Match{Tools: []string{"write"}}, Handler: deny("The whole team is read-only.")}})
	child, _ := parent.Child(trammel.Hook{ID: "no-shell", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
		Match: trammel.Match{Tools: []string{"shell"}}, Handler: deny("The reviewer runs nothing.")})
	for _, tool := range []string{"write", "shell"} {
		v := child.Dispatch(context.Background(), &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: tool}})
		fmt.Println(tool, v.Decision, v.Reason)
	}
	// Output:
	// write deny The whole team is read-only.
	// shell deny The reviewer runs nothing.
}

// An error in a guard blocks; the verdict says what went wrong.
func ExampleVerdict_Failures() {
	engine, _ := trammel.New([]trammel.Hook{{ID: "quota", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
		Handler: trammel.HandlerFunc(func(context.Context, *trammel.Event) (trammel.Answer, error) {
			return trammel.Answer{}, fmt.Errorf("the quota service is down")
		})}})
	v := engine.Dispatch(context.Background(), &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "shell"}})
	fmt.Println(v.Decision)
	fmt.Println(v.Failures()[0])
	// Output:
	// deny
	// hook "quota": error: the quota service is down
}
