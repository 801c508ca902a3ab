package opencode

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// The fields whose meaning we rely on. One that looks like them and is not
// them is refused.
var (
	known       = [...]string{"event", "directory", "worktree", "parents", "input", "output"}
	knownInput  = [...]string{"tool", "sessionID", "callID", "args", "type", "properties", "agent", "command", "arguments"}
	knownOutput = [...]string{"args", "output", "message", "parts"}
)

// bus is the event under which the host's bus hands over all of its own.
const bus = "event"

// names are the events, by name.
var names = strict.Names{Kind: kindOf, Exact: exact}

// DecodeEvent reads what the plugin sent.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Host: Name, Name: name, Raw: raw}
	ev.Kind, _ = kindOf(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		names.Guess(ev, peek(raw)...)
		return ev, err
	}
	input, _ := obj["input"].(map[string]any)
	output, _ := obj["output"].(map[string]any)
	said, _ := obj["event"].(string)
	if said == bus {
		said, _ = input["type"].(string)
	}
	names.Guess(ev, said)
	if err := check(obj, input, output, ev.Kind, name, said); err != nil {
		return ev, err
	}
	ev.Name = said
	f := strict.FieldsOf(obj, "")
	f.String("event")
	s := &ev.Session
	s.Dir, s.Project, s.Parents = f.String("directory"), f.String("worktree"), f.Strings("parents")
	in, out := strict.FieldsOf(f.Object("input"), "input"), strict.FieldsOf(f.Object("output"), "output")
	readParts(in, out, ev)
	f.Fail(in.Err())
	f.Fail(out.Err())
	if rest := f.Rest(); len(rest) > 0 {
		ev.Fields = rest
	}
	return ev, f.Err()
}

// peek finds the event's names in a payload that cannot be read as a whole. On
// the bus the name says nothing.
func peek(raw []byte) []string {
	return slices.DeleteFunc(strict.Peek(raw, "event"), func(name string) bool { return name == bus })
}

func check(obj, input, output map[string]any, kind trammel.Kind, name, said string) error {
	for _, c := range []struct {
		obj   map[string]any
		known []string
	}{{obj, known[:]}, {input, knownInput[:]}, {output, knownOutput[:]}} {
		if err := strict.CaseVariant(c.obj, c.known...); err != nil {
			return err
		}
	}
	if said == "" {
		return trammel.Fail(trammel.CodeInput, `found no "event", expected the name of one`)
	}
	if err := names.Agree(name, said); err != nil {
		return err
	}
	for _, args := range []any{input["args"], output["args"]} {
		if args, ok := args.(map[string]any); ok {
			if err := strict.FoldedTwins(args); err != nil {
				return err
			}
		}
	}
	if kind.FailsClosed() {
		return strict.NUL(obj)
	}
	return nil
}

func readParts(in, out *strict.Fields, ev *trammel.Event) {
	s := &ev.Session
	s.ID, s.Agent = in.String("sessionID"), in.String("agent")
	switch ev.Kind {
	case trammel.PreToolUse:
		readTool(in, ev, out.Object("args"))
	case trammel.PostToolUse:
		readTool(in, ev, in.Object("args"))
		t := ev.Tool
		t.Done, t.Output = true, out.String("output")
		t.Response = t.Output
	case trammel.UserPromptSubmit:
		readMessage(out, ev)
	case trammel.UserPromptExpansion:
		ev.Prompt = &trammel.Prompt{Command: in.String("command"), Text: in.String("arguments")}
	default:
		if ev.Name == loaded {
			s.Dir, s.Project, ev.Source = in.String("directory"), in.String("worktree"), loaded
			return
		}
		if properties := in.Object("properties"); properties != nil {
			readBus(strict.FieldsOf(properties, "properties"), ev)
		}
	}
}

func readTool(in *strict.Fields, ev *trammel.Event, args map[string]any) {
	t := &trammel.ToolCall{ID: in.String("callID"), Name: in.String("tool"), Input: args}
	ev.Tool, ev.Tools = t, tools()
	if t.Name == "" {
		in.Refuse("tool", "the name of a tool")
	}
	if t.Input == nil && ev.Kind.FailsClosed() {
		in.Refuse("args", "an object with the tool's arguments")
	}
	t.Action = ev.Tools.Action(t)
}

// readMessage reads a prompt: the texts that a person wrote, not those which
// the host or a plugin has added.
func readMessage(out *strict.Fields, ev *trammel.Event) {
	var texts []string
	written := false
	for _, p := range out.List("parts") {
		part, _ := p.(map[string]any)
		text, ok := part["text"].(string)
		if !ok {
			continue
		}
		texts = append(texts, text)
		if made, _ := part["synthetic"].(bool); !made {
			written = true
		}
	}
	if len(texts) == 0 {
		written = true // files alone are a person's doing as well
	}
	ev.Prompt = &trammel.Prompt{Text: strings.Join(texts, "\n"), Synthetic: !written}
	message := strict.FieldsOf(out.Object("message"), "output.message")
	if ev.Session.Agent == "" {
		ev.Session.Agent = message.String("agent")
	}
	ev.Session.Turn = message.String("id")
	out.Fail(message.Err())
}

// readBus reads what the host's bus says.
func readBus(f *strict.Fields, ev *trammel.Event) {
	s := &ev.Session
	if s.ID == "" {
		s.ID = f.String("sessionID")
	}
	switch ev.Kind {
	case trammel.SessionStart:
		info := strict.FieldsOf(f.Object("info"), "info")
		if s.Dir == "" {
			s.Dir = info.String("directory")
		}
		if parent := info.String("parentID"); parent != "" && len(s.Parents) == 0 {
			s.Parents = []string{parent}
		}
	case trammel.Stop:
		ev.Stop = &trammel.StopInfo{}
	case trammel.UserInput:
		ev.Notice = &trammel.NoticeInfo{Kind: f.String("permission")}
	case trammel.PermissionDenied:
		ev.Reason = f.String("reply")
	}
}
