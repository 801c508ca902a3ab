package rule_test

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
)

func shellEvent(command string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "claude-code", Tool: &trammel.ToolCall{Name: "Bash",
		Input: map[string]any{"command": command}, Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}}
}

// build makes the handler the way configuration does: prepared, through JSON.
func build(t testing.TB, c rule.Config) trammel.Handler {
	t.Helper()
	if err := condition.Prepare(&c); err != nil {
		t.Fatal(err)
	}
	return buildAs(t, c)
}

func buildAs(t testing.TB, c rule.Config) trammel.Handler {
	t.Helper()
	data, err := c.JSON()
	if err != nil {
		t.Fatal(err)
	}
	h, err := rule.New(trammel.Spec{Hook: "test", Config: data})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestCommands(t *testing.T) {
	data, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	var handlers []trammel.Handler
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		if line[0] == '{' {
			c, err := rule.Read([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			plain := c
			if err := condition.Prepare(&plain); err != nil {
				t.Fatal(err)
			}
			plain.Needs, plain.Whole = nil, c.When == ""
			handlers = []trammel.Handler{buildAs(t, plain), build(t, c)}
			continue
		}
		want, command, _ := strings.Cut(line, " ")
		command = strings.ReplaceAll(command, `\n`, "\n")
		for i, h := range handlers {
			a, err := h.Handle(context.Background(), shellEvent(command))
			if err != nil || a.Decision.String() != want {
				t.Errorf("%s: got %v %v, want %s (by its needs: %v)", command, a.Decision, err, want, i == 1)
			}
		}
	}
}

// Both halves of the promise: what is not in the table does not exist, and
// what is in it has the type it says.
func TestVocabularyIsTheEnvironment(t *testing.T) {
	var got []term
	var walk func(prefix string, typ reflect.Type)
	walk = func(prefix string, typ reflect.Type) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			name := prefix + f.Tag.Get("expr")
			switch {
			case strings.HasPrefix(f.Tag.Get("expr"), "#"):
			case f.Type.Kind() == reflect.Struct:
				walk(name+".", f.Type)
			default:
				typ := strings.NewReplacer("rule.", "", "interface {}", "any").Replace(f.Type.String())
				got = append(got, term{Name: name, Type: typ})
			}
		}
	}
	walk("", reflect.TypeFor[rule.Vocabulary]())
	want := vocabulary()
	for i := range want {
		if want[i].About == "" {
			t.Errorf("%s is not explained", want[i].Name)
		}
		want[i].About = ""
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEveryTermIsFilled(t *testing.T) {
	ev := &trammel.Event{
		Kind: trammel.PreToolUse, Name: "N", Host: "H", Source: "S", Reason: "R",
		Session: trammel.Session{ID: "id", Dir: "dir", Project: "P", Agent: "ag", AgentID: "agid", Parents: []string{"p"}, Model: "m",
			Mode: "mode", Bypass: true, User: "u", Org: "o"},
		Tool: &trammel.ToolCall{ID: "tid", Name: "T", Input: map[string]any{"a": int64(1)}, Done: true, Output: "out", Error: "err", Failed: true,
			Confirm: true,
			Action: trammel.Action{Kind: trammel.ShellAction, Command: "git push", Dir: "d", Paths: []string{"p1", "p2"}, Content: "c", URL: "url",
				Query: "q", Server: "s", Tool: "t", Agent: "a"}},
		Prompt: &trammel.Prompt{Text: "hello"}, Stop: &trammel.StopInfo{Active: true, Message: "bye"},
		Fields: map[string]any{"f": "v"}, Facts: map[string]map[string]any{"h": {"k": true}},
	}
	for _, when := range []string{
		`event == "pre_tool_use"`, `name == "N"`, `host == "H"`, `project == "P"`, `session.id == "id"`, `session.dir == "dir"`,
		`session.agent == "ag"`,
		`session.agent_id == "agid"`, `session.parents[0] == "p"`, `session.model == "m"`, `session.mode == "mode"`, `session.bypass`,
		`session.user == "u"`, `session.org == "o"`,
		`tool.name == "T"`, `tool.id == "tid"`, `tool.output == "out"`, `tool.error == "err"`, `tool.failed`, `tool.done`, `tool.confirm`,
		`input.a == 1`,
		`input["a"] > 0`,
		`action.kind == "shell"`, `action.command == "git push"`, `action.dir == "d"`, `"p2" in action.paths`, `action.content == "c"`,
		`action.url == "url"`,
		`action.query == "q"`, `action.server == "s"`, `action.tool == "t"`, `action.agent == "a"`, `command == "git push"`, `program == "git"`,
		`args.has("push")`,
		`args.list[0] == "push"`, `args.text == "push"`, `!args.unknown`, `commands[0].program == "git" && commands[0].args.has("push")`,
		`path == "p1"`, `len(paths) == 2`,
		`prompt == "hello"`, `stop.active`, `stop.message == "bye"`, `source == "S"`, `reason == "R"`, `facts.h.k == true`,
		`facts["no"].k == nil`, `fields.f == "v"`,
	} {
		a, err := build(t, rule.Config{Do: "deny", When: when}).Handle(context.Background(), ev)
		if err != nil || a.Decision != trammel.Deny {
			t.Errorf("%s: %v %v", when, a.Decision, err)
		}
		// Parts that an event lacks are empty, never an error.
		if _, err := build(t, rule.Config{Do: "deny", When: when}).Handle(context.Background(), &trammel.Event{}); err != nil &&
			!strings.Contains(when, "[0]") {
			t.Errorf("%s on an empty event: %v", when, err)
		}
	}
}

func TestMissingArguments(t *testing.T) {
	input := map[string]any{"n": int64(7), "f": 7.5, "big": uint64(1<<63 + 1), "s": "text", "obj": map[string]any{"k": int64(1)}, "yes": true,
		"list": []any{"prod"}, "digits": "7"}
	for when, want := range map[string]string{
		`input.n > 5`:                  "deny",
		`input.n > 5.5 && input.f < 8`: "deny",
		`5 < input.n`:                  "deny",
		`input.n >= 7 && input.n <= 7`: "deny",
		`input.big > 5`:                "deny", // not wrapped around to a negative number
		`input.missing > 5`:            "none",
		`input.missing < 5`:            "none",
		`5 <= input.missing`:           "none",
		`input.missing >= input.other`: "none",
		`!(input.missing > 5)`:         "deny", // it is a plain false, so its opposite is true
		`input.missing == nil`:         "deny",
		`input.missing != 5`:           "deny",
		`input.missing contains "x"`:   "none",
		`input.missing matches "x"`:    "none",
		`input.missing in ["x"]`:       "none",
		`input.missing?.field == nil`:  "deny",
		`input.obj.k > 0`:              "deny",
		`input.yes == true`:            "deny",
		`input.missing.field > 5`:      "error",
		`input.s > 5`:                  "error",
		`input.n contains "7"`:         "error",
		`true && input.s`:              "error",
		`!input.missing`:               "error",
		// Values are compared as they are; docs/writing-hooks.md says what to write for one value or a list.
		`input.list == "prod"`:            "none",
		`input.list in ["prod"]`:          "none",
		`input.digits == 7`:               "none",
		`"prod" in flatten([input.list])`: "deny",
		`"text" in flatten([input.s])`:    "deny",
		`"x" in flatten([input.missing])`: "none",
		`"prod" in flatten(input.digits)`: "error",
		`input.list contains "prod"`:      "error",
		`input.digits > 5`:                "error",
	} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "pay", Input: input}}
		a, err := build(t, rule.Config{Do: "deny", When: when}).Handle(context.Background(), ev)
		got := a.Decision.String()
		if err != nil {
			got = "error"
			if f, ok := errors.AsType[*trammel.Failure](err); !ok || f.Code != trammel.CodeError {
				t.Errorf("%s: %#v is not a failure with a code", when, err)
			}
		}
		if got != want {
			t.Errorf("%s: got %s (%v), want %s", when, got, err, want)
		}
	}
}

// A rule that cannot be evaluated blocks, through the engine.
func TestErrorsFailClosed(t *testing.T) {
	e, err := trammel.New([]trammel.Hook{{ID: "r", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard, Kind: "rule",
		Handler: build(t, rule.Config{Do: "deny", When: `input.a.b == 1`})}})
	if err != nil {
		t.Fatal(err)
	}
	v := e.Dispatch(context.Background(), shellEvent("ls"))
	if v.Decision != trammel.Deny || v.Runs[0].Code != trammel.CodeError {
		t.Errorf("got %v %+v", v, v.Runs[0])
	}
}
