package classhook_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/classhook"
)

func names(hooks []classhook.Hook) string {
	var out []string
	for _, h := range hooks {
		out = append(out, h.Name())
	}
	return strings.Join(out, " ")
}

func TestRegistry(t *testing.T) {
	nothing := returns(classhook.Result{})
	var r classhook.Registry
	if err := r.Register(
		hook{name: "post", point: classhook.PostToolUse, do: nothing}, hook{name: "b", point: classhook.PreToolUse, priority: 9, do: nothing},
		hook{name: "a", point: classhook.PreToolUse, priority: 1, do: nothing}, hook{name: "start", point: classhook.SessionStart,
			do: nothing}); err != nil {
		t.Fatal(err)
	}
	if got := names(r.List()); got != "start a b post" || names(r.List(classhook.PreToolUse)) != "a b" || r.Len() != 4 {
		t.Errorf("list %q", got)
	}
	if got := r.String(); !strings.Contains(got, "pre_tool_use a (1)") {
		t.Errorf("string %q", got)
	}
	if !r.Unregister("a") || r.Unregister("a") || names(r.List()) != "start b post" {
		t.Errorf("after unregister: %s", names(r.List()))
	}
	for _, c := range []struct {
		hook classhook.Hook
		want string
	}{
		{hook{name: "b", point: classhook.PostToolUse, do: nothing}, "registered already"},
		{hook{point: classhook.PreToolUse, do: nothing}, "no name"},
		{hook{name: "x", do: nothing}, "is no point"},
		{hook{name: "x", point: classhook.PreToolUse, filter: "[", do: nothing}, "filter"},
		{nil, "is nil"},
	} {
		if err := r.Register(c.hook); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// FIM-50: an agent's declaration, and what is wrong with one is said.
func TestDeclarations(t *testing.T) {
	catalogue := classhook.Catalogue{
		"audit": func(map[string]any) (classhook.Hook, error) {
			return hook{name: "audit", point: classhook.PostToolUse, do: returns(classhook.Result{})}, nil
		},
		"limit": func(config map[string]any) (classhook.Hook, error) {
			if config["max"] == nil {
				return nil, errors.New("max is missing")
			}
			return hook{name: "limit", point: classhook.PreToolUse, do: returns(classhook.Result{})}, nil
		},
	}
	list := func(entries ...any) map[string]any {
		return map[string]any{"hooks": map[string]any{"class_hooks": entries}}
	}
	for _, c := range []struct {
		name        string
		declaration map[string]any
		want, err   string
	}{
		{"nothing", nil, "", ""},
		{"null", map[string]any{"hooks": nil}, "", ""},
		{"a built-in", map[string]any{"hooks": map[string]any{"builtin": []any{"audit"}, "custom": []any{}}}, "audit", ""},
		{"an unknown built-in", map[string]any{"hooks": map[string]any{"builtin": []any{"x"}}}, "", "nothing is named x"},
		{"built-ins that are no list", map[string]any{"hooks": map[string]any{"builtin": "audit"}}, "", "hooks.builtin: found string"},
		{"a list that is not known", map[string]any{"hooks": map[string]any{"custom": []any{"audit"}}}, "", "hooks.custom is not known"},
		{"bare names", list("audit"), "audit", ""},
		{"with configuration", list(map[string]any{"name": "limit", "config": map[string]any{"max": 3}}, "audit"), "limit audit", ""},
		{"configuration refused", list("limit"), "", "max is missing"},
		{"unknown", list("audit", "feishu_gate"), "", "nothing is named feishu_gate, expected some of audit, limit"},
		{"not a name", list(7), "", "class_hooks[0]: found 7"},
		{"wrong configuration", list(map[string]any{"name": "audit", "config": "x"}), "", "class_hooks[0].config"},
		{"wrong container", map[string]any{"hooks": "audit"}, "", "expected a mapping"},
		{"wrong list", map[string]any{"hooks": map[string]any{"class_hooks": "audit"}}, "", "expected a list"},
		{"twice", list("audit", "audit"), "", "registered already"},
	} {
		r, err := catalogue.Resolve(c.declaration)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) || r != nil {
				t.Errorf("%s: error %v, want %q", c.name, err, c.err)
			}
		case err != nil || names(r.List()) != c.want:
			t.Errorf("%s: %v, %v; want %s", c.name, r, err, c.want)
		}
	}
	r, missing, err := catalogue.Tolerate(list("audit", "gone"))
	if err != nil || names(r.List()) != "audit" || strings.Join(missing, " ") != "gone" {
		t.Errorf("tolerant: %v, missing %v, %v", r, missing, err)
	}
}

// FIM-53: a sub-agent inherits the chain, and may only add.
func TestSubAgentsInherit(t *testing.T) {
	var r classhook.Registry
	if err := r.Register(hook{name: "guard", point: classhook.PreToolUse, do: returns(classhook.Result{Block: true,
		Error: "no"})}); err != nil {
		t.Fatal(err)
	}
	parent, err := trammel.New(r.Hooks())
	if err != nil {
		t.Fatal(err)
	}
	child, err := parent.Child()
	if err != nil {
		t.Fatal(err)
	}
	if v := child.Dispatch(t.Context(), pre("t", nil)); v.Decision != trammel.Deny {
		t.Errorf("the sub-agent got past its parent's guard: %v", v)
	}
	if _, err := parent.Child(trammel.Hook{ID: "class_hooks.pre_tool_use", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
		Handler: trammel.HandlerFunc(nil)}); err == nil {
		t.Error("a sub-agent took the place of its parent's chain")
	}
}

// FIM-53: a sub-agent, and its own sub-agents, have class hooks of their own at
// the same point; the parent's run first, and the child's see what they rewrote.
func TestSubAgentsHaveHooksOfTheirOwn(t *testing.T) {
	engine := func(parent *trammel.Engine, h ...classhook.Hook) *trammel.Engine {
		t.Helper()
		var r classhook.Registry
		err := r.Register(h...)
		if err != nil {
			t.Fatal(err)
		}
		e, err := trammel.New(r.Hooks())
		if parent != nil {
			e, err = parent.Child(r.Hooks()...)
		}
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	add := func(name string) hook { return hook{name: name, point: classhook.PreToolUse, do: addTo("x", name)} }
	parent := engine(nil, add("a"), hook{name: "after", point: classhook.PostToolUse, do: appendTo("1")})
	child := engine(parent, add("b"), hook{name: "after", point: classhook.PostToolUse, do: appendTo("2")})
	grandchild := engine(child, hook{name: "no", point: classhook.PreToolUse, do: returns(classhook.Result{Block: true, Error: "no"})})
	for _, c := range []struct {
		engine *trammel.Engine
		want   string
		said   trammel.Decision
		output string
	}{{parent, "0a", trammel.None, "r1"}, {child, "0ab", trammel.None, "r12"}, {grandchild, "0ab", trammel.Deny, "r12"}} {
		v := c.engine.Dispatch(t.Context(), pre("t", map[string]any{"x": "0"}))
		if v.Input["x"] != c.want || v.Decision != c.said {
			t.Errorf("arguments %v, decision %v; want %s, %v", v.Input, v.Decision, c.want, c.said)
		}
		if v := c.engine.Dispatch(t.Context(), post("t", "r")); text(v.Output) != c.output {
			t.Errorf("output %q, want %q", text(v.Output), c.output)
		}
	}
	if got := grandchild.Hooks()[4].ID; got != "class_hooks.pre_tool_use.3" {
		t.Errorf("the third chain is on record as %s", got)
	}
}

// FIM-52: an evaluation run bypasses only when somebody says so, and that is recorded.
func TestBypass(t *testing.T) {
	var r classhook.Registry
	audited := 0
	if err := r.Register(
		hook{name: "gate", point: classhook.PreToolUse, do: returns(classhook.Result{Block: true, Error: "ask a human"})},
		hook{name: "audit", point: classhook.PostToolUse, do: func(*classhook.Context) (classhook.Result, error) {
			audited++
			return classhook.Result{}, nil
		}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"", "x"}, {"x", ""}} {
		if _, err := r.Bypass(c[0], c[1]); err == nil {
			t.Errorf("a bypass by %q because of %q was let through", c[0], c[1])
		}
	}
	hooks, err := r.Bypass("eval-center", "nightly run 12")
	if err != nil {
		t.Fatal(err)
	}
	e, err := trammel.New(hooks)
	if err != nil {
		t.Fatal(err)
	}
	v := e.Dispatch(t.Context(), pre("t", nil))
	record := strings.Join(v.Runs[0].Answer.Diagnostics, "\n")
	if v.Decision != trammel.None || !strings.Contains(record, "bypassed by eval-center: nightly run 12") ||
		!strings.Contains(record, "would deny: ask a human") {
		t.Errorf("decision %v, record %q", v.Decision, record)
	}
	if e.Dispatch(t.Context(), post("t", "r")); audited != 1 {
		t.Errorf("the audit ran %d times", audited)
	}
}

type asks struct{ err error }

func (a asks) RequiresConfirmationFor(args map[string]any) (bool, error) {
	if args == nil {
		panic("no arguments")
	}
	return args["amount"] == 99, a.err
}

type flagged struct{}

func (flagged) RequiresConfirmation() bool { return true }

func TestRequiresConfirmation(t *testing.T) {
	for i, c := range []struct {
		tool any
		args map[string]any
		want bool
	}{
		{asks{}, map[string]any{"amount": 1}, false}, {asks{}, map[string]any{"amount": 99}, true},
		{asks{errors.New("broken")}, map[string]any{}, true}, {asks{}, nil, true},
		{flagged{}, nil, true}, {struct{}{}, nil, false},
	} {
		if got := classhook.RequiresConfirmation(c.tool, c.args); got != c.want {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

// FIM-51: whatever surface a call comes from (a chat, an API, the steps of a
// graph that run side by side, a sub-agent's sub-agent), it goes through the
// engine, and the engine fires the hooks.
func TestEverySurfaceFiresHooks(t *testing.T) {
	var r classhook.Registry
	if err := r.Register(hook{name: "guard", point: classhook.PreToolUse, do: returns(classhook.Result{Block: true,
		Error: "no"})}); err != nil {
		t.Fatal(err)
	}
	chat, err := trammel.New(r.Hooks())
	if err != nil {
		t.Fatal(err)
	}
	child, err := chat.Child()
	if err != nil {
		t.Fatal(err)
	}
	grandchild, err := child.Child()
	if err != nil {
		t.Fatal(err)
	}
	var steps sync.WaitGroup
	for range 8 {
		for name, surface := range map[string]*trammel.Engine{"chat": chat, "sub-agent": child, "its sub-agent": grandchild} {
			steps.Go(func() {
				if v := surface.Dispatch(context.Background(), pre("t", nil)); v.Decision != trammel.Deny {
					t.Errorf("%s: %v", name, v)
				}
			})
		}
	}
	steps.Wait()
}

// FIM-54: the rule of thumb is where people who write hooks look for it.
func TestTheRuleOfThumbIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/writing-hooks.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "If the wrong behaviour is an incident, write a hook") {
		t.Error("docs/writing-hooks.md does not say when to write a hook")
	}
}
