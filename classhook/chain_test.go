package classhook_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/classhook"
)

// hook is a hook made of parts.
type hook struct {
	name     string
	point    classhook.Point
	priority int
	filter   string
	when     func(*classhook.Context) bool
	do       func(*classhook.Context) (classhook.Result, error)
}

func (h hook) Name() string           { return h.name }
func (h hook) Point() classhook.Point { return h.point }
func (h hook) Priority() int          { return h.priority }
func (h hook) Filter() string         { return h.filter }
func (h hook) ShouldTrigger(c *classhook.Context) bool {
	return h.when == nil || h.when(c)
}
func (h hook) Execute(_ context.Context, c *classhook.Context) (classhook.Result, error) {
	return h.do(c)
}

func returns(r classhook.Result) func(*classhook.Context) (classhook.Result, error) {
	return func(*classhook.Context) (classhook.Result, error) { return r, nil }
}

func addTo(key, suffix string) func(*classhook.Context) (classhook.Result, error) {
	return func(c *classhook.Context) (classhook.Result, error) {
		return classhook.Result{Args: map[string]any{key: fmt.Sprint(c.ToolArgs[key], suffix)}, SideEffects: []string{"saw " +
			fmt.Sprint(c.ToolArgs[key])}}, nil
	}
}

func appendTo(suffix string) func(*classhook.Context) (classhook.Result, error) {
	return func(c *classhook.Context) (classhook.Result, error) {
		return classhook.Result{Result: c.ToolResult + suffix}, nil
	}
}

func dispatch(t *testing.T, ev *trammel.Event, hooks ...classhook.Hook) *trammel.Verdict {
	t.Helper()
	var r classhook.Registry
	if err := r.Register(hooks...); err != nil {
		t.Fatal(err)
	}
	e, err := trammel.New(r.Hooks())
	if err != nil {
		t.Fatal(err)
	}
	return e.Dispatch(t.Context(), ev)
}

func pre(tool string, args map[string]any) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: tool, Input: args}}
}

func post(tool, output string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PostToolUse, Tool: &trammel.ToolCall{Name: tool, Output: output, Done: true}}
}

func TestChain(t *testing.T) {
	const before, after = classhook.PreToolUse, classhook.PostToolUse
	block := returns(classhook.Result{Block: true, Error: "no writes", SideEffects: []string{"blocked"}})
	type want struct {
		decision trammel.Decision
		reason   string
		input    map[string]any
		output   string
		effects  string // the diagnostics, joined
	}
	for _, c := range []struct {
		name  string
		event *trammel.Event
		hooks []classhook.Hook
		want  want
	}{
		{"FIM-14 an empty result lets the call through unchanged", pre("t", nil),
			[]classhook.Hook{hook{name: "a", point: before, do: returns(classhook.Result{})}}, want{}},
		{"FIM-05 lower priority first, FIM-06 rewritten arguments go on to later hooks", pre("t", map[string]any{"x": "0", "y": "kept"}),
			[]classhook.Hook{hook{name: "late", point: before, priority: 90, do: addTo("x", "c")}, hook{name: "early", point: before, priority: 1,
				do: addTo("x", "a")}, hook{name: "mid", point: before, priority: 50, do: addTo("x", "b")}},
			want{input: map[string]any{"x": "0abc"}, effects: "early: saw 0|mid: saw 0a|late: saw 0ab"}},
		{"FIM-07 ties keep the order of registration, results go on to later hooks", post("t", "r"),
			[]classhook.Hook{hook{name: "1", point: after, do: appendTo("1")}, hook{name: "2", point: after, do: appendTo("2")},
				hook{name: "3", point: after, do: appendTo("3")}},
			want{output: "r123"}},
		{"FIM-08 the first block ends the chain, and side effects so far are kept", pre("t", map[string]any{"x": "0"}),
			[]classhook.Hook{hook{name: "a", point: before, priority: 1, do: addTo("x", "1")}, hook{name: "b", point: before, priority: 2,
				do: block}, hook{name: "c", point: before, priority: 3, do: addTo("x", "2")}},
			want{decision: trammel.Deny, reason: "no writes", input: map[string]any{"x": "01"}, effects: "a: saw 0|b: blocked"}},
		{"FIM-03 before a tool: a hook blocks, and one rewrites", pre("t", map[string]any{"sql": "drop"}),
			[]classhook.Hook{hook{name: "rewrite", point: before, priority: 1, do: addTo("sql", " -- dry")}, hook{name: "guard", point: before,
				priority: 2, do: block, when: func(c *classhook.Context) bool { return c.ToolArgs["sql"] == "drop -- dry" }}},
			want{decision: trammel.Deny, reason: "no writes", input: map[string]any{"sql": "drop -- dry"},
				effects: "rewrite: saw drop|guard: blocked"}},
		{"FIM-12 a side effect that names its hook names it once", pre("t", nil),
			[]classhook.Hook{hook{name: "gate", point: before, do: returns(classhook.Result{SideEffects: []string{"gate: approved", "told"}})}},
			want{effects: "gate: approved|gate: told"}},
		{"FIM-12 a block without words names the hook", pre("t", nil),
			[]classhook.Hook{hook{name: "mute", point: before, do: returns(classhook.Result{Block: true})}},
			want{decision: trammel.Deny, reason: "Blocked by hook 'mute'"}},
		{"FIM-13 a block after the tool is ignored", post("t", "r"),
			[]classhook.Hook{hook{name: "a", point: after, do: block}}, want{effects: "a: blocked"}},
		{"FIM-13 a block at the start of a session is ignored", &trammel.Event{Kind: trammel.SessionStart},
			[]classhook.Hook{hook{name: "a", point: classhook.SessionStart, do: block}}, want{effects: "a: blocked"}},
		{"FIM-10 should_trigger decides", pre("sql_write", nil),
			[]classhook.Hook{hook{name: "a", point: before, do: block, when: func(c *classhook.Context) bool {
				return strings.HasPrefix(c.ToolName,
					"http_")
			}}}, want{}},
		{"a filter is a glob over the tool's name", pre("jira__create", nil),
			[]classhook.Hook{hook{name: "a", point: before, filter: "*__*", do: block}, hook{name: "b", point: before, filter: "slack__*",
				do: returns(classhook.Result{SideEffects: []string{"never"}})}},
			want{decision: trammel.Deny, reason: "no writes", effects: "a: blocked"}},
		{"FIM-12 a result of any type becomes JSON", post("t", "r"),
			[]classhook.Hook{hook{name: "a", point: after, do: returns(classhook.Result{Result: map[string]any{"n": int64(1)}})}},
			want{output: `{"n":1}`}},
		{"FIM-04 a hook after the tool that fails is recorded, and the others run", post("t", "r"),
			[]classhook.Hook{hook{name: "a", point: after, do: func(*classhook.Context) (classhook.Result, error) {
				return classhook.Result{},
					errors.New("broken")
			}}, hook{name: "b", point: after, do: appendTo("!")}},
			want{output: "r!", effects: `class hook "a": broken`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := dispatch(t, c.event, c.hooks...)
			if f := v.Failures(); len(f) > 0 {
				t.Fatalf("failures: %v", f)
			}
			if v.Decision != c.want.decision || v.Reason != c.want.reason {
				t.Errorf("decision %v %q, want %v %q", v.Decision, v.Reason, c.want.decision, c.want.reason)
			}
			if len(v.Input)+len(c.want.input) > 0 && !reflect.DeepEqual(v.Input, c.want.input) {
				t.Errorf("arguments %v, want %v", v.Input, c.want.input)
			}
			if got := text(v.Output); got != c.want.output {
				t.Errorf("output %q, want %q", got, c.want.output)
			}
			if got := strings.Join(v.Diagnostics, "|"); got != c.want.effects {
				t.Errorf("side effects %q, want %q", got, c.want.effects)
			}
		})
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// FIM-09: a guard that crashes does not mean allow.
func TestAGuardThatFailsBlocks(t *testing.T) {
	for name, do := range map[string]func(*classhook.Context) (classhook.Result, error){
		"error": func(*classhook.Context) (classhook.Result, error) { return classhook.Result{}, errors.New("broken") },
		"panic": func(*classhook.Context) (classhook.Result, error) { panic("broken") },
	} {
		v := dispatch(t, pre("t", nil), hook{name: "guard", point: classhook.PreToolUse, do: do})
		if v.Decision != trammel.Deny || !strings.Contains(v.Reason, "broken") || !strings.Contains(v.Reason, `"guard"`) {
			t.Errorf("%s: decision %v %q, want a denial that names the hook", name, v.Decision, v.Reason)
		}
	}
	v := dispatch(t, pre("t", nil), hook{name: "guard", point: classhook.PreToolUse, do: returns(classhook.Result{}),
		when: func(*classhook.Context) bool { panic("broken") }})
	if v.Decision != trammel.Deny {
		t.Errorf("a condition that panics: decision %v, want a denial", v.Decision)
	}
}

// FIM-08: what hooks have done stays on record when a later one fails, and so
// does what the failing one did.
func TestSideEffectsOutliveAFailure(t *testing.T) {
	for name, last := range map[string]func(*classhook.Context) (classhook.Result, error){
		"error": func(*classhook.Context) (classhook.Result, error) {
			return classhook.Result{SideEffects: []string{"half"}}, errors.New("broken")
		},
		"panic": func(*classhook.Context) (classhook.Result, error) { panic("broken") },
	} {
		v := dispatch(t, pre("t", nil),
			hook{name: "pay", point: classhook.PreToolUse, do: returns(classhook.Result{SideEffects: []string{"paid"}})},
			hook{name: "late", point: classhook.PreToolUse, do: last})
		want := "pay: paid"
		if name == "error" {
			want += "|late: half"
		}
		if got := strings.Join(v.Diagnostics, "|"); v.Decision != trammel.Deny || got != want || len(v.Failures()) != 1 ||
			strings.Join(v.Runs[0].Answer.Diagnostics, "|") != want {
			t.Errorf("%s: decision %v, side effects %q, want %q", name, v.Decision, got, want)
		}
	}
}

// FIM-02: what a hook says at the start of a session really reaches the model.
func TestContextIsInjectedAtTheStart(t *testing.T) {
	v := dispatch(t, &trammel.Event{Kind: trammel.SessionStart}, hook{name: "a", point: classhook.SessionStart,
		do: returns(classhook.Result{Context: []string{"The organisation is read-only."}})})
	if len(v.Context) != 1 || v.Context[0] != "The organisation is read-only." {
		t.Errorf("context %q", v.Context)
	}
}

// FIM-11: the context that a hook gets.
func TestContextOfAHook(t *testing.T) {
	var got classhook.Context
	look := hook{name: "look", point: classhook.PreToolUse, do: func(c *classhook.Context) (classhook.Result, error) {
		got = *c
		return classhook.Result{}, nil
	}}
	ev := pre("oa__pay", map[string]any{"amount": int64(5)})
	ev.Session = trammel.Session{ID: "conv-1", AgentID: "agent-1", User: "user-1", Org: "org-1"}
	ev.Tool.ID, ev.Tool.Confirm = "call-1", true
	ev.Fields = map[string]any{"region": "eu", "org_id": "spoofed"}
	dispatch(t, ev, look)
	want := map[string]any{"org_id": "org-1", "conversation_id": "conv-1", "tool_call_id": "call-1", "requires_confirmation": true,
		"region": "eu"}
	if !reflect.DeepEqual(got.Metadata, want) || got.AgentID != "agent-1" || got.UserID != "user-1" || got.ToolName != "oa__pay" {
		t.Errorf("got %+v", got)
	}
}

// Defect 13 of FIM One: hooks after a tool run when it failed, too, and the
// verdict's event holds the arguments that really run.
func TestHooksRunAfterAFailure(t *testing.T) {
	ran := false
	v := dispatch(t, &trammel.Event{Kind: trammel.PostToolFailure, Tool: &trammel.ToolCall{Name: "t", Failed: true, Error: "timed out",
		Done: true}},
		hook{name: "audit", point: classhook.PostToolUse, do: func(c *classhook.Context) (classhook.Result, error) {
			ran = c.Failed && c.ToolResult == "timed out"
			return classhook.Result{Result: "replaced"}, nil
		}})
	if !ran || len(v.Failures()) > 0 {
		t.Errorf("ran %v, failures %v", ran, v.Failures())
	}
	v = dispatch(t, pre("t", map[string]any{"x": "0"}), hook{name: "a", point: classhook.PreToolUse, do: addTo("x", "1")})
	if v.Event.Tool.Input["x"] != "01" {
		t.Errorf("the event after the rewrite has %v", v.Event.Tool.Input)
	}
}

// A chain runs once for each event, also when a guard beside it rewrites and
// all guards are asked again.
func TestAChainRunsOnce(t *testing.T) {
	n := 0
	var r classhook.Registry
	if err := r.Register(hook{name: "count", point: classhook.PreToolUse, do: func(*classhook.Context) (classhook.Result, error) {
		n++
		return classhook.Result{Args: map[string]any{"x": "new"}}, nil
	}}); err != nil {
		t.Fatal(err)
	}
	saw := ""
	guard := trammel.Hook{ID: "guard", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
		Handler: trammel.HandlerFunc(func(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
			saw = fmt.Sprint(ev.Tool.Input["x"])
			if ev.Tool.Input["y"] == nil {
				return trammel.Answer{Input: map[string]any{"y": "1"}}, nil
			}
			return trammel.Answer{}, nil
		})}
	e, err := trammel.New(append(r.Hooks(), guard))
	if err != nil {
		t.Fatal(err)
	}
	e.Dispatch(t.Context(), pre("t", map[string]any{"x": "old"}))
	if n != 1 || saw != "new" {
		t.Errorf("the chain ran %d times, and the guard saw %q", n, saw)
	}
}
