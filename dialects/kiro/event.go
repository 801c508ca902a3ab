package kiro

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// known are the fields whose meaning we rely on. One that looks like them and
// is not them is refused.
var known = [...]string{"hook_event_name", "session_id", "cwd", "tool_name", "tool_input", "tool_response", "prompt",
	"assistant_response", "file_path"}

// names are the events, by name.
var names = strict.Names{Kind: kindOf, Exact: exact}

// DecodeEvent reads what Kiro sent.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: Name, Name: name, Raw: raw}
	ev.Kind, _ = kindOf(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		names.Guess(ev, strict.Peek(raw, "hook_event_name")...)
		return ev, err
	}
	said, _ := obj["hook_event_name"].(string)
	names.Guess(ev, said)
	if err := check(obj, ev.Kind, name, said); err != nil {
		return ev, err
	}
	f := strict.FieldsOf(obj, "")
	ev.Name = f.String("hook_event_name")
	ev.Session.ID, ev.Session.Dir = f.String("session_id"), f.String("cwd")
	readParts(f, ev)
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

func check(obj map[string]any, kind trammel.Kind, name, said string) error {
	if err := strict.CaseVariant(obj, known[:]...); err != nil {
		return err
	}
	if said == "" {
		return trammel.Fail(trammel.CodeInput, `found no "hook_event_name", expected the name of an event`)
	}
	if err := names.Agree(name, said); err != nil {
		return err
	}
	return strict.Call(obj, obj["tool_input"], kind)
}

func readParts(f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PostToolUse:
		readTool(f, ev)
	case trammel.UserPromptSubmit:
		if _, there := f.Rest()["prompt"]; !there {
			f.Refuse("prompt", "the prompt")
		}
		ev.Prompt = &trammel.Prompt{Text: f.String("prompt")}
	case trammel.Stop:
		ev.Stop = &trammel.StopInfo{Message: f.String("assistant_response")}
	}
}

func readTool(f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{Name: f.String("tool_name"), Input: f.Object("tool_input")}
	ev.Tool, ev.Tools = t, tools()
	if t.Name == "" {
		f.Refuse("tool_name", "the name of a tool")
	}
	if t.Input == nil && ev.Kind.FailsClosed() {
		f.Refuse("tool_input", "an object")
	}
	t.Action = action(t)
	if ev.Kind == trammel.PostToolUse {
		t.Done, t.Response = true, f.Any("tool_response")
		t.Output = outputText(t.Response)
		if response, ok := t.Response.(map[string]any); ok && response["success"] == false {
			t.Failed, t.Error = true, t.Output
		}
	}
}

// outputText is a tool's response as text: a string, or else its JSON.
func outputText(response any) string {
	if response == nil {
		return ""
	}
	if text, ok := response.(string); ok {
		return text
	}
	text, err := canonical.Append(nil, response)
	if err != nil {
		return ""
	}
	return string(text)
}
