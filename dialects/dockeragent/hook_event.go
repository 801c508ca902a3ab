package dockeragent

import (
	"maps"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/claudelike"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent says an event of any host as docker-agent would have sent it: its
// fields in its order, what is empty left out (DA-02), no newline at the end.
func (Dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	var w strict.Writer
	s := &ev.Session
	w.Open()
	w.Key("session_id")
	w.String(s.ID)
	w.Key("cwd")
	w.String(s.Dir)
	w.Text("hook_event_name", hookEventName(ev))
	w.Text("agent_name", s.Agent)
	if ev.Tool != nil {
		w.Text("tool_category", ev.Tool.Category)
	}
	w.Text("model_id", s.Model)
	writeModel(&w, ev)
	if ev.Tool != nil {
		writeTool(&w, ev)
	}
	w.Text("safety_policy", modeOf(s))
	w.Text("source", ev.Source)
	w.Text("reason", ev.Reason)
	if ev.Stop != nil {
		w.Text("stop_response", ev.Stop.Message)
	}
	if ev.Prompt != nil {
		w.Text("prompt", ev.Prompt.Text)
	}
	if len(s.Parents) > 0 {
		w.Text("parent_session_id", s.Parents[0])
	}
	writeRest(&w, ev)
	if ev.Host == Name { // fields of its own that we do not read
		for _, key := range slices.Sorted(maps.Keys(ev.Fields)) {
			w.Key(key)
			w.Value(ev.Fields[key])
		}
	}
	w.Close()
	return w.Bytes(), w.Err()
}

// hookEventName is the name under which programs for docker-agent know the
// event, or its nearest relative there. An event without one keeps a name.
func hookEventName(ev *trammel.Event) string {
	kind := ev.Kind
	switch kind {
	case trammel.PostToolFailure:
		kind = trammel.PostToolUse
	case trammel.UserPromptExpansion:
		kind = trammel.UserPromptSubmit
	case trammel.PreAbilityCreate:
		kind = trammel.PreToolUse
	}
	if name := nameOf(kind); name != "" {
		return name
	}
	if ev.Name != "" {
		return ev.Name
	}
	return kind.String()
}

// modeOf translates a foreign host's permission mode as far as it matters.
func modeOf(s *trammel.Session) string {
	if s.Bypass {
		return "autonomous"
	}
	switch s.Mode {
	case "strict", "balanced", "autonomous":
		return s.Mode
	}
	return ""
}

func writeModel(w *strict.Writer, ev *trammel.Event) {
	m := ev.Model
	if m == nil {
		return
	}
	w.Number("iteration", int64(m.Iteration))
	w.Text("last_user_message", m.LastPrompt)
	if len(m.Messages) > 0 {
		w.Key("messages")
		w.Value(m.Messages)
	}
	w.Text("stop_response", m.Response)
	if ev.Kind == trammel.AfterLLMCall {
		w.Key("usage")
		w.Value(map[string]any{"input_tokens": m.Usage.Input, "output_tokens": m.Usage.Output,
			"cached_input_tokens": m.Usage.CachedInput, "cached_write_tokens": m.Usage.CachedWrite})
		if m.Cost != 0 {
			w.Key("cost")
			w.Value(m.Cost)
		}
	}
}

func writeTool(w *strict.Writer, ev *trammel.Event) {
	t := ev.Tool
	call := present(ev)
	w.Text("tool_name", call.name)
	w.Text("tool_use_id", t.ID)
	if len(call.input) > 0 {
		w.Map("tool_input", call.input)
	}
	if t.Done {
		text := t.Output
		if text == "" {
			text = t.Error
		}
		if t.Response != nil && ev.Host == Name && outputText(t.Response) == t.Output {
			w.Key("tool_response")
			w.Value(t.Response)
		} else {
			w.Text("tool_response", text)
		}
		w.Flag("tool_error", t.Failed)
	}
}

func writeRest(w *strict.Writer, ev *trammel.Event) {
	if n := ev.Notice; n != nil {
		w.Text("notification_level", n.Level)
		w.Text("notification_message", n.Message)
	}
	if s := ev.Switch; s != nil && s.Kind != "model" {
		w.Text("from_agent", s.From)
		w.Text("to_agent", s.To)
		w.Text("agent_switch_kind", s.Kind)
	}
	if a := ev.Approval; a != nil {
		w.Text("approval_decision", a.Decision)
		w.Text("approval_source", a.Source)
		w.Text("safety_label", a.Label)
	}
	if c := ev.Compaction; c != nil {
		w.Number("input_tokens", c.InputTokens)
		w.Number("output_tokens", c.OutputTokens)
		w.Number("context_limit", c.ContextLimit)
		w.Text("compaction_reason", c.Reason)
		if ev.Kind != trammel.BeforeCompaction {
			w.Text("summary", c.Summary)
		}
	}
}

// call is a tool call in docker-agent's terms.
type call struct {
	name  string
	input map[string]any
	// from says under which name the host has an argument that goes by another
	// one here; "" means under none, because it was made from several.
	from map[string]string
}

// present says a tool call in docker-agent's terms. A call of docker-agent
// itself, or of a tool that it has under the same name, stays as it is.
func present(ev *trammel.Event) call {
	t := ev.Tool
	own := call{name: t.Name, input: t.Input}
	if ev.Host == Name || t.Action.Kind != trammel.ShellAction && claudelike.Understood(tools(), t) {
		return own
	}
	a := &t.Action
	want := map[string]string{}
	name := ""
	switch one := len(a.Paths) == 1; {
	case a.Kind == trammel.ShellAction:
		name, want["cmd"] = "shell", a.Command
	case a.Kind == trammel.WriteAction && one:
		name, want["path"], want["content"] = "write_file", a.Paths[0], a.Content
	case a.Kind == trammel.EditAction && one:
		name, want["path"] = "edit_file", a.Paths[0]
	case a.Kind == trammel.ReadAction && one:
		name, want["path"] = "read_file", a.Paths[0]
	default:
		return own
	}
	c := call{name: name, input: maps.Clone(t.Input), from: map[string]string{}}
	if c.input == nil {
		c.input = map[string]any{}
	}
	for key, value := range want {
		if value == "" {
			continue
		}
		if c.from[key] = source(t.Input, key, value); c.from[key] != "" {
			delete(c.input, c.from[key])
		}
		c.input[key] = value
	}
	return c
}

// source finds the argument that holds a value: the one of the same name, or
// else the only one.
func source(input map[string]any, key, value string) string {
	if input[key] == value {
		return key
	}
	found := ""
	for name, v := range input {
		if v == value {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}

// Environ adds nothing: docker-agent gives its hooks no variables of their own.
func (Dialect) Environ(*trammel.Event) []string { return nil }
