package classhook_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/classhook"
)

type readOnly struct{ classhook.Pre }

func (readOnly) Name() string  { return "readonly_guard" }
func (readOnly) Priority() int { return 5 }
func (readOnly) ShouldTrigger(c *classhook.Context) bool {
	return strings.HasPrefix(c.ToolName, "sql_")
}
func (readOnly) Execute(_ context.Context, c *classhook.Context) (classhook.Result, error) {
	if c.Metadata["org_id"] == "frozen" {
		return classhook.Result{Block: true, Error: "The organisation is in read-only mode.", SideEffects: []string{"blocked a write"}}, nil
	}
	return classhook.Result{}, nil
}

type truncate struct{ classhook.Post }

func (truncate) Name() string { return "result_truncate" }
func (truncate) Execute(_ context.Context, c *classhook.Context) (classhook.Result, error) {
	if len(c.ToolResult) <= 12 {
		return classhook.Result{}, nil
	}
	return classhook.Result{Result: c.ToolResult[:12] + "…"}, nil
}

// A guard before tools and a transform after them, on the engine.
func Example() {
	var registry classhook.Registry
	if err := registry.Register(readOnly{}, truncate{}); err != nil {
		fmt.Println(err)
		return
	}
	engine, err := trammel.New(registry.Hooks())
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	call := &trammel.ToolCall{Name: "sql_write", Input: map[string]any{"query": "update t"}}
	for _, org := range []string{"acme", "frozen"} {
		v := engine.Dispatch(ctx, &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Org: org}, Tool: call})
		fmt.Printf("%s: %s %q\n", org, v.Decision, v.Reason)
	}
	v := engine.Dispatch(ctx, &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: "sql_read",
		Output: "a thousand rows and more", Done: true}})
	fmt.Println(*v.Output)
	// Output:
	// acme: none ""
	// frozen: deny "The organisation is in read-only mode."
	// a thousand r…
}
