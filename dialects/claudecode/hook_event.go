package claudecode

import (
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/claudelike"
	"github.com/trammel-dev/trammel/internal/strict"
)

// EncodeEvent says an event of any host as Claude Code would have sent it:
// with its names for events and, where the action is known, for tools and
// their arguments.
func (Dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	var w strict.Writer
	w.Open()
	s := &ev.Session
	w.Text("session_id", s.ID)
	w.Text("transcript_path", s.Transcript)
	w.Text("cwd", s.Dir)
	w.Text("prompt_id", s.Turn)
	w.Text("permission_mode", modeOf(s))
	w.Text("agent_id", s.AgentID)
	w.Text("agent_type", s.Agent)
	w.Text("hook_event_name", hookEventName(ev))
	writeParts(&w, ev)
	taken := written(ev)
	for _, key := range slices.Sorted(maps.Keys(ev.Fields)) {
		if !slices.Contains(taken, key) {
			w.Key(key)
			w.Value(ev.Fields[key])
		}
	}
	w.Close()
	return append(w.Bytes(), '\n'), w.Err()
}

// written lists the fields that EncodeEvent fills itself, so that a field of a
// foreign host cannot stand there a second time. Fields of Claude Code's own
// events that we do not read are in nobody's way.
func written(ev *trammel.Event) []string {
	if ev.Host == Name {
		return nil
	}
	return append(known[:], "custom_instructions", "compact_summary", "from_model", "to_model", "notification_type", "title", "message",
		"task_id", "task_subject", "task_description")
}

// hookEventName is the name under which programs for Claude Code know the
// event, or its nearest relative there. An event without one keeps a name.
func hookEventName(ev *trammel.Event) string {
	kind := ev.Kind
	switch kind {
	case trammel.ToolGuard, trammel.ToolInputTransform, trammel.PreAbilityCreate:
		kind = trammel.PreToolUse
	case trammel.ToolResponseTransform:
		kind = trammel.PostToolUse
	case trammel.UserSteeringSubmit, trammel.UserFollowupSubmit:
		kind = trammel.UserPromptSubmit
	case trammel.BeforeCompaction:
		kind = trammel.PreCompact
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
	switch s.Mode {
	case "default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "":
		return s.Mode
	}
	if s.Bypass {
		return "bypassPermissions"
	}
	return "default"
}

func writeParts(w *strict.Writer, ev *trammel.Event) {
	if ev.Tool != nil {
		writeTool(w, ev)
	}
	if p := ev.Prompt; p != nil {
		w.Key("prompt")
		w.String(p.Text)
		w.Text("command_name", p.Command)
	}
	if s := ev.Stop; s != nil {
		if ev.Kind != trammel.StopFailure {
			w.Key("stop_hook_active")
			w.Bool(s.Active)
		}
		w.Text("last_assistant_message", s.Message)
	}
	if c := ev.Compaction; c != nil {
		w.Text("trigger", c.Reason)
		w.Text("custom_instructions", c.Instructions)
		w.Text("compact_summary", c.Summary)
	} else if ev.Kind == trammel.Setup {
		w.Text("trigger", ev.Source)
	} else {
		w.Text("source", ev.Source)
	}
	w.Text("reason", ev.Reason)
	if ev.Kind == trammel.SessionStart {
		w.Text("model", ev.Session.Model)
	}
	if s := ev.Switch; s != nil && s.Kind == "model" {
		w.Text("from_model", s.From)
		w.Text("to_model", s.To)
	}
	if n := ev.Notice; n != nil {
		writeNotice(w, ev.Kind, n)
	}
	if t := ev.Task; t != nil {
		w.Text("task_id", t.ID)
		w.Text("task_subject", t.Subject)
		w.Text("task_description", t.Description)
	}
}

func writeNotice(w *strict.Writer, kind trammel.Kind, n *trammel.NoticeInfo) {
	switch kind {
	case trammel.StopFailure:
		w.Text("error", n.Kind)
		w.Text("error_details", n.Message)
	case trammel.Elicitation:
		w.Text("mcp_server_name", n.Title)
		w.Text("message", n.Message)
		w.Text("mode", n.Kind)
	default:
		w.Text("message", n.Message)
		w.Text("title", n.Title)
		w.Text("notification_type", n.Kind)
	}
}

func writeTool(w *strict.Writer, ev *trammel.Event) {
	t := ev.Tool
	call := present(ev)
	w.Text("tool_name", call.name)
	w.Key("tool_input")
	w.Value(call.input)
	if t.Done && !t.Failed {
		w.Key("tool_response")
		w.Value(response(ev, call.name))
	}
	w.Text("tool_use_id", t.ID)
	w.Text("error", t.Error)
	w.Number("duration_ms", t.Duration.Milliseconds())
}

// call is a tool call in Claude Code's terms.
type call struct {
	name  string
	input map[string]any
	// from says under which name the host has an argument that goes by another
	// one here; "" means under none, because it was made from several.
	from map[string]string
}

// present says a tool call in Claude Code's terms. A call of Claude Code
// itself stays as it is, and so does one that its programs read right as it is:
// the same name alone is not enough, as the arguments may stand elsewhere.
func present(ev *trammel.Event) call {
	t := ev.Tool
	own := call{name: t.Name, input: t.Input}
	if own.input == nil {
		own.input = map[string]any{}
	}
	if ev.Host == Name || strings.HasPrefix(t.Name, "mcp__") || claudelike.Understood(tools(), t) {
		return own
	}
	a := &t.Action
	name, want := "", map[string]string{}
	switch path := first(a.Paths); {
	case a.Kind == trammel.ShellAction:
		name, want["command"] = "Bash", a.Command
	case a.Kind == trammel.WriteAction && len(a.Paths) == 1:
		name, want["file_path"], want["content"] = "Write", path, a.Content
	case a.Kind == trammel.EditAction && len(a.Paths) == 1:
		name, want["file_path"], want["new_string"] = "Edit", path, a.Content
	case a.Kind == trammel.ReadAction && len(a.Paths) == 1:
		name, want["file_path"] = "Read", path
	case a.Kind == trammel.FetchAction:
		name, want["url"] = "WebFetch", a.URL
	case a.Kind == trammel.AgentAction:
		name, want["subagent_type"], want["prompt"] = "Agent", a.Agent, a.Content
	case a.Kind == trammel.MCPAction && a.Server != "":
		own.name = "mcp__" + a.Server + "__" + a.Tool
		return own
	default:
		return own
	}
	maps.DeleteFunc(want, func(_, value string) bool { return value == "" })
	c := call{name: name, input: maps.Clone(own.input), from: map[string]string{}}
	for key, value := range want {
		if c.from[key] = source(t.Input, key, value); c.from[key] != "" {
			delete(c.input, c.from[key])
		}
	}
	for key, value := range want {
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

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// response is a tool's output in the shape that the tool has in Claude Code.
func response(ev *trammel.Event, name string) any {
	t := ev.Tool
	if ev.Host == Name && t.Response != nil {
		if t.Output == outputText(t.Response) {
			return t.Response
		}
		if changed := reshape(t, t.Output); changed != nil {
			return changed
		}
	}
	switch name {
	case "Bash":
		return map[string]any{"stdout": t.Output, "stderr": "", "interrupted": false, "isImage": false}
	case "Read":
		return map[string]any{"type": "text", "file": map[string]any{"filePath": first(t.Action.Paths), "content": t.Output}}
	}
	return t.Output
}

// Environ returns what programs for Claude Code expect of their environment.
func (Dialect) Environ(ev *trammel.Event) []string {
	project := ev.Session.Project
	if project == "" {
		project = ev.Session.Dir
	}
	return []string{"CLAUDECODE=1", "CLAUDE_PROJECT_DIR=" + project}
}

// Ceiling is what Claude Code lets a hook do: approve before a call, otherwise
// what the event can. Events that it does not have permit what they permit.
func (d Dialect) Ceiling(kind trammel.Kind) trammel.Authority {
	can := kind.Can()
	if nameOf(kind) != "" {
		can = d.Powers(kind).Can
	}
	switch {
	case can.Any(trammel.Approve):
		return trammel.Grant
	case can.Any(trammel.Block | trammel.Continue):
		return trammel.Guard
	case can.Any(trammel.RewriteInput | trammel.RewriteOutput):
		return trammel.Rewrite
	case can.Any(trammel.Inject) || kind.Can().Any(trammel.Inject):
		return trammel.Contextual
	}
	return trammel.Observe
}
