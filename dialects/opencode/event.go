package opencode

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// bus is the event of everything on the host's event bus.
const bus = "event"

// Dialect is opencode's dialect, for the host.
var Dialect = dialect{decode.Reader{Host: &Host, Foreign: true, Read: read, SentName: sentName, Peek: peek,
	Known: []string{"event", "directory", "worktree", "parents", "input", "output"},
	Within: []decode.Part{
		{Name: "input", Known: []string{"tool", "sessionID", "callID", "args", "type", "properties", "agent", "command", "arguments"}},
		{Name: "output", Known: []string{"args", "output", "message", "parts"}}},
	Inputs: func(obj map[string]any) []any {
		input, _ := obj["input"].(map[string]any)
		output, _ := obj["output"].(map[string]any)
		return []any{input["args"], output["args"]}
	}}}

type dialect struct{ decode.Reader }

func read(r *decode.Reader, f *strict.Fields, ev *trammel.Event) {
	f.String("event")
	s := &ev.Session
	s.Dir, s.Project, s.Parents = f.String("directory"), project(f.String("worktree")), f.Strings("parents")
	in, out := strict.FieldsOf(f.Object("input"), "input"), strict.FieldsOf(f.Object("output"), "output")
	readParts(r, in, out, ev)
	f.Fail(in.Err())
	f.Fail(out.Err())
}

func sentName(obj map[string]any, _ string) string {
	name, _ := obj["event"].(string)
	if name == bus {
		input, _ := obj["input"].(map[string]any)
		name, _ = input["type"].(string)
	}
	return name
}

// peek finds the event's names in a payload that cannot be read as a whole. On
// the bus the name is not enough.
func peek(raw []byte) []string {
	return slices.DeleteFunc(strict.Peek(raw, "event"), func(name string) bool { return name == bus })
}

func readParts(r *decode.Reader, in, out *strict.Fields, ev *trammel.Event) {
	s := &ev.Session
	s.ID, s.Agent = in.String("sessionID"), in.String("agent")
	switch ev.Kind {
	case trammel.PreToolUse:
		readTool(r, in, ev, out.Object("args"))
	case trammel.PostToolUse:
		readTool(r, in, ev, in.Object("args"))
		t := ev.Tool
		t.Done, t.Output = true, out.String("output")
		t.Response = t.Output
	case trammel.UserPromptSubmit:
		readMessage(out, ev)
	case trammel.UserPromptExpansion:
		ev.Prompt = &trammel.Prompt{Command: in.String("command"), Text: in.String("arguments")}
	default:
		if ev.Name == loaded {
			s.Dir, s.Project, ev.Source = in.String("directory"), project(in.String("worktree")), loaded
			return
		}
		if properties := in.Object("properties"); properties != nil {
			readBus(strict.FieldsOf(properties, "properties"), ev)
		}
	}
}

func readTool(r *decode.Reader, in *strict.Fields, ev *trammel.Event, args map[string]any) {
	r.Tool(in, ev, &trammel.ToolCall{ID: in.String("callID"), Name: in.String("tool"), Input: args}, "tool", "args")
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

// readBus reads an event of the host's bus.
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

// project is the directory of a worktree. Without a repository the host says /,
// which is not a project.
func project(worktree string) string {
	if worktree == "/" {
		return ""
	}
	return worktree
}
