package flowagents

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// MaxInput is how many bytes of an event count.
const MaxInput = 1 << 20

// known are the fields whose meaning we rely on.
var known = [...]string{"hook_event_name", "session_id", "cwd", "tool_name", "tool_input", "tool_response", "tool_output", "error",
	"prompt"}

// DecodeCall reads an event and holds it against the limit of the contract. What
// is beyond it is not looked at, whoever has cut it off, and the event says so.
func (d dialect) DecodeCall(raw []byte, name string, getenv func(string) string) (*trammel.Event, error) {
	part, cut := Cut(raw, getenv)
	ev, err := d.DecodeEvent(part, name)
	ev.Raw = raw
	if !cut && !(isObject(raw) && errors.Is(err, io.ErrUnexpectedEOF)) {
		return ev, err
	}
	if ev.Fields == nil {
		ev.Fields = map[string]any{}
	}
	ev.Fields[dialects.Truncated] = true
	if untold(ev) {
		ev.Kind = trammel.PreToolUse // it may be one
	}
	return ev, nil
}

// Cut returns the part of a payload that counts, and whether that is less than
// the host had to say: here, or because an adapter before us has cut it already.
// The limit can be lowered, and not raised.
func Cut(raw []byte, getenv func(string) string) (part []byte, cut bool) {
	limit := MaxInput
	if n, err := strconv.Atoi(getenv("SA_HOOK_INPUT_MAX_BYTES")); err == nil && n > 0 {
		limit = min(limit, n)
	}
	flag := getenv("SA_HOOK_INPUT_TRUNCATED")
	return raw[:min(len(raw), limit)], len(raw) > limit || flag == "1" || flag == "true"
}

// LetsThrough: the contract allows what cannot be read. It was written for
// payloads that are no JSON; whether one that is can be read depends on what
// the agent put into it, and then a tool call is not let through.
func (dialect) LetsThrough(ev *trammel.Event, f *trammel.Failure) bool {
	if f.Code != trammel.CodeInput {
		return false
	}
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PermissionRequest:
		return !isObject(ev.Raw)
	}
	return !untold(ev) || !isObject(ev.Raw)
}

func untold(ev *trammel.Event) bool { return ev.Kind == trammel.Other && ev.Name == "" }

func isObject(raw []byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '{'
}

// DecodeEvent reads what an adapter sent. The event's name is in any host's
// spelling, or missing: then the fields tell (FLOW-01, FLOW-02).
func (dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: Host.System, Name: name, Raw: raw}
	ev.Kind, _ = kindOf(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		strict.Names{Kind: kindOf}.Guess(ev, strict.Peek(raw, "hook_event_name")...)
		return ev, err
	}
	if sentName, _ := obj["hook_event_name"].(string); sentName != "" { // the contract lets it win over the wiring
		ev.Name = sentName
		if kind, ok := kindOf(sentName); ok || ev.Kind == trammel.Other {
			ev.Kind = kind
		}
	}
	if ev.Kind == trammel.Other && ev.Name == "" {
		ev.Kind = derived(obj)
	}
	if err := strict.CaseVariant(obj, known[:]...); err != nil {
		return ev, err
	}
	if err := strict.Call(obj, obj["tool_input"], ev.Kind); err != nil {
		return ev, err
	}
	f := strict.FieldsOf(obj, "")
	f.Any("hook_event_name")
	s := &ev.Session
	s.ID, s.Dir, s.Transcript = f.String("session_id"), f.String("cwd"), f.String("transcript_path")
	s.Agent, s.AgentID, s.Model = f.String("agent_name"), f.String("agent_id"), f.String("model")
	readParts(f, ev)
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

func readParts(f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PermissionRequest, trammel.PostToolUse, trammel.PostToolFailure:
		readTool(f, ev)
	case trammel.UserPromptSubmit:
		ev.Prompt = &trammel.Prompt{Text: promptText(f)}
	case trammel.SessionStart:
		ev.Source = f.String("source")
	case trammel.Stop, trammel.SubagentStop:
		ev.Reason = f.String("stop_reason")
		ev.Stop = &trammel.StopInfo{Message: f.String("last_assistant_message"), Active: f.Bool("stop_hook_active")}
	case trammel.SessionEnd:
		ev.Reason = f.String("reason")
	}
}

func readTool(f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{Name: f.String("tool_name"), ID: f.String("tool_use_id"), Input: f.Object("tool_input")}
	if t.ID == "" {
		t.ID = f.String("tool_id")
	}
	ev.Tool, ev.Tools = t, shapes(t.Name)
	t.Action = ev.Tools.Action(t)
	if ev.Kind != trammel.PostToolUse && ev.Kind != trammel.PostToolFailure {
		return
	}
	t.Done, t.Failed = true, ev.Kind == trammel.PostToolFailure
	if t.Response = f.Any("tool_response"); t.Response == nil {
		t.Response = f.Any("tool_output")
	}
	t.Output = decode.OutputText(t.Response)
	t.Error = f.String("error")
}

// promptText is what the user said, wherever the adapter put it.
func promptText(f *strict.Fields) string {
	for _, key := range [...]string{"prompt", "user_prompt", "message", "text"} {
		if text, ok := f.Rest()[key].(string); ok {
			f.Any(key)
			return text
		}
	}
	if turn, ok := f.Rest()["turn"].(map[string]any); ok {
		text, _ := turn["prompt_text"].(string)
		return text
	}
	return ""
}

// derived tells an event without a name by its fields. A tool call that has no
// result yet counts as one that is about to run.
func derived(obj map[string]any) trammel.Kind {
	has := func(keys ...string) bool {
		for _, key := range keys {
			if _, ok := obj[key]; ok {
				return true
			}
		}
		return false
	}
	switch {
	case has("tool_response", "tool_output"):
		return trammel.PostToolUse
	case has("tool_name", "tool_input"):
		return trammel.PreToolUse
	case has("stop_reason", "stop_hook_active"):
		return trammel.Stop
	case has("prompt", "user_prompt", "turn"):
		return trammel.UserPromptSubmit
	case has("source"):
		return trammel.SessionStart
	}
	return trammel.Other
}

// kindOf reads an event's name, as any host spells it.
func kindOf(name string) (trammel.Kind, bool) {
	switch name {
	case "":
		return trammel.Other, false
	case "PreToolUse", "preToolUse":
		return trammel.PreToolUse, true
	case "PostToolUse", "postToolUse":
		return trammel.PostToolUse, true
	case "UserPromptSubmit", "userPromptSubmit":
		return trammel.UserPromptSubmit, true
	case "SessionStart", "agentSpawn":
		return trammel.SessionStart, true
	case "Stop", "stop":
		return trammel.Stop, true
	case "PermissionRequest", "permissionRequest":
		return trammel.PermissionRequest, true
	}
	kind, ok := trammel.ParseKind(name)
	switch kind { // the reference's own, or close enough to be one of them
	case trammel.ToolGuard, trammel.ToolInputTransform:
		kind = trammel.PreToolUse
	case trammel.ToolResponseTransform:
		kind = trammel.PostToolUse
	case trammel.TurnStart:
		kind = trammel.UserPromptSubmit // pi's before_agent_start
	}
	return kind, ok
}
