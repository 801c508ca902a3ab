package pi

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// The fields whose meaning we rely on. One that looks like them and is not
// them is refused.
var (
	known      = [...]string{"event", "cwd", "session", "mode", "hasUI"}
	knownEvent = [...]string{"type", "toolName", "toolCallId", "input", "content", "isError", "text", "source", "command", "prompt",
		"reason", "active"}
)

// names are the events, by name.
var names = strict.Names{Kind: kindOf, Exact: exact}

// DecodeEvent reads what the extension sent.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: Name, Name: name, Raw: raw}
	ev.Kind, _ = kindOf(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		names.Guess(ev, peek(raw)...)
		return ev, err
	}
	inner, _ := obj["event"].(map[string]any)
	said, _ := inner["type"].(string)
	names.Guess(ev, said)
	if err := check(obj, inner, ev.Kind, name, said); err != nil {
		return ev, err
	}
	ev.Name = said
	f := strict.FieldsOf(obj, "")
	s := &ev.Session
	s.ID, s.Dir, s.Mode = f.String("session"), f.String("cwd"), f.String("mode")
	f.Bool("hasUI")
	in := strict.FieldsOf(f.Object("event"), "event")
	in.String("type")
	readParts(in, ev)
	f.Fail(in.Err())
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

// peek finds the event's names in a payload that cannot be read as a whole.
func peek(raw []byte) []string {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	var found []string
	for {
		key, err := dec.ReadToken()
		if err != nil || key.Kind() != '"' {
			return found
		}
		wanted, at := key.String() == "event", dec.InputOffset()
		if wanted && dec.PeekKind() == '{' {
			rest := raw[at:]
			found = append(found, strict.Peek(rest[bytes.IndexByte(rest, '{'):], "type")...)
		}
		if dec.SkipValue() != nil {
			return found
		}
	}
}

func check(obj, inner map[string]any, kind trammel.Kind, name, said string) error {
	if err := strict.CaseVariant(obj, known[:]...); err != nil {
		return err
	}
	if err := strict.CaseVariant(inner, knownEvent[:]...); err != nil {
		return err
	}
	if said == "" {
		return trammel.Fail(trammel.CodeInput, `found no "event.type", expected the name of an event`)
	}
	if err := names.Agree(name, said); err != nil {
		return err
	}
	if input, ok := inner["input"].(map[string]any); ok {
		if err := strict.FoldedTwins(input); err != nil {
			return err
		}
	}
	if kind.FailsClosed() {
		return strict.NUL(obj)
	}
	return nil
}

func readParts(f *strict.Fields, ev *trammel.Event) {
	switch ev.Kind {
	case trammel.PreToolUse, trammel.PostToolUse:
		readTool(f, ev)
	case trammel.UserPromptSubmit:
		if _, there := f.Rest()["text"]; !there {
			f.Refuse("text", "the prompt")
		}
		ev.Source = f.String("source")
		ev.Prompt = &trammel.Prompt{Text: f.String("text"), Synthetic: ev.Source == "extension"}
	case trammel.Stop:
		ev.Stop = &trammel.StopInfo{Message: f.String("text"), Active: f.Bool("active")}
	case trammel.SessionStart, trammel.InstructionsLoaded:
		ev.Source = f.String("reason")
	case trammel.SessionEnd:
		ev.Reason = f.String("reason")
	case trammel.TurnStart:
		if text := f.String("prompt"); text != "" {
			ev.Prompt = &trammel.Prompt{Text: text}
		}
	case trammel.PreCompact:
		ev.Compaction = &trammel.Compaction{Instructions: f.String("customInstructions")}
	}
}

func readTool(f *strict.Fields, ev *trammel.Event) {
	t := &trammel.ToolCall{ID: f.String("toolCallId"), Name: f.String("toolName"), Input: f.Object("input")}
	if ev.Name == "user_bash" { // the person's own command, which has no tool
		t.Name, t.Input = "bash", map[string]any{"command": f.String("command")}
	}
	ev.Tool, ev.Tools = t, tools()
	if t.Name == "" {
		f.Refuse("toolName", "the name of a tool")
	}
	if t.Input == nil && ev.Kind.FailsClosed() {
		f.Refuse("input", "an object")
	}
	t.Action = ev.Tools.Action(t)
	if ev.Kind == trammel.PostToolUse {
		t.Done, t.Failed = true, f.Bool("isError")
		content := f.List("content")
		t.Response, t.Output = content, contentText(content)
		if t.Failed {
			t.Error = t.Output
		}
	}
}

// contentText is the texts of a result. Pictures are left out.
func contentText(content []any) string {
	var texts []string
	for _, c := range content {
		if part, ok := c.(map[string]any); ok {
			if text, ok := part["text"].(string); ok {
				texts = append(texts, text)
			}
		}
	}
	return strings.Join(texts, "\n")
}
