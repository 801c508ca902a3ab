package standard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/classhook"
	"github.com/trammel-dev/trammel/dialects/standard"
)

// appender is a hook program of some system, without its process: it reads the
// event as that system says it, appends to the command, and answers so.
type appender struct {
	trammel.HookDialect
	suffix  string
	command func(payload map[string]any) string
	answer  func(command string) any
}

// class is a class hook that appends to the argument with the command.
type class struct {
	classhook.Pre
	key string
}

func (class) Name() string { return "class" }

func (h class) Execute(_ context.Context, c *classhook.Context) (classhook.Result, error) {
	return classhook.Result{Args: map[string]any{h.key: fmt.Sprint(c.ToolArgs[h.key], " -class")}}, nil
}

func (appender) Waits() bool { return true }

func (a appender) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	raw, err := a.EncodeEvent(ev)
	if err != nil {
		return trammel.Answer{}, err
	}
	var payload map[string]any
	if err := json.Unmarshal(raw, &payload); err != nil {
		return trammel.Answer{}, err
	}
	out, err := json.Marshal(a.answer(a.command(payload) + a.suffix))
	if err != nil {
		return trammel.Answer{}, err
	}
	return a.DecodeAnswer(ev, trammel.Output{Stdout: out})
}

// Finding enforcement 8: programs of every system that rewrites compose, with
// each other, with class hooks, which come first, and under every host, each once
// and in order.
func TestRewritesOfAllSystemsCompose(t *testing.T) {
	at := func(keys ...string) func(map[string]any) string {
		return func(m map[string]any) string {
			for _, key := range keys[:len(keys)-1] {
				m, _ = m[key].(map[string]any)
			}
			s, _ := m[keys[len(keys)-1]].(string)
			return s
		}
	}
	type object = map[string]any
	claude := func(c string) any {
		return object{"hookSpecificOutput": object{"hookEventName": "PreToolUse", "permissionDecision": "allow",
			"updatedInput": object{"command": c}}}
	}
	systems := []struct {
		name    string
		command func(map[string]any) string
		answer  func(string) any // nil: by the argument's own name, whatever that is
	}{
		{"claude-code", at("tool_input", "command"), claude},
		{"codex", at("tool_input", "command"), claude},
		{"gemini-cli", at("tool_input", "command"), func(c string) any {
			return object{"hookSpecificOutput": object{"tool_input": object{"command": c}}}
		}},
		{"docker-agent", at("tool_input", "cmd"), func(c string) any {
			return object{"hook_specific_output": object{"hook_event_name": "pre_tool_use", "updated_input": object{"cmd": c}}}
		}},
		{"native", at("tool", "action", "command"), nil},
	}
	set := standard.Dialects()
	hosts := map[string]*trammel.ToolCall{
		"claude-code":  {Name: "Bash", Input: object{"command": "x", "timeout": int64(1)}},
		"docker-agent": {Name: "shell", Input: object{"cmd": "x"}},
		"gemini-cli":   {Name: "run_shell_command", Input: object{"command": "x"}},
	}
	for host, tool := range hosts {
		d, _ := set.Host(host)
		key := "command"
		if tool.Input[key] == nil {
			key = "cmd"
		}
		var classes classhook.Registry
		if err := classes.Register(class{key: key}); err != nil {
			t.Fatal(err)
		}
		shaper, _ := d.(interface{ Shapes() trammel.Shapes })
		for i, a := range systems {
			for j, b := range systems {
				var hooks []trammel.Hook
				for n, s := range []int{i, j} {
					h, ok := set.Hook(systems[s].name)
					if !ok {
						t.Fatalf("no dialect %s", systems[s].name)
					}
					answer := systems[s].answer
					if answer == nil {
						answer = func(c string) any { return object{"input": object{key: c}} }
					}
					hooks = append(hooks, trammel.Hook{ID: fmt.Sprint("h", n), On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
						Ceiling: h.Ceiling, Handler: appender{h, fmt.Sprint(" -", n), systems[s].command, answer}})
				}
				for want, hooks := range map[string][]trammel.Hook{"x -0 -1": hooks, "x -class -0 -1": append(hooks[:2:2], classes.Hooks()...)} {
					engine, err := trammel.New(hooks)
					if err != nil {
						t.Fatal(err)
					}
					call := *tool
					ev := &trammel.Event{Kind: trammel.PreToolUse, Host: host, Tool: &call, Tools: shaper.Shapes()}
					v := engine.Dispatch(t.Context(), ev)
					if got := v.Event.Tool.Action.Command; got != want || v.Decision >= trammel.Ask {
						t.Errorf("%s, then %s, under %s: %q, want %q, %v, %v", a.name, b.name, host, got, want, v, v.Failures())
					}
				}
			}
		}
	}
}
