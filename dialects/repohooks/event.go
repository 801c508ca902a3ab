package repohooks

import (
	"cmp"
	"time"

	"github.com/trammel-dev/trammel"
)

// Event is the engine's event. Host is this dialect, and Raw is the context
// itself, which is what scripts get.
func (c *PromptSubmit) Event() *trammel.Event {
	ev := event(c, trammel.UserPromptSubmit, c.SessionID)
	ev.Prompt = &trammel.Prompt{Text: c.UserRawInput}
	put(ev, "current_files", c.CurrentFiles)
	return ev
}

// Event is the engine's event: an ability is a tool.
func (c *PreAbilityCreate) Event() *trammel.Event {
	ev := event(c, trammel.PreAbilityCreate, c.SessionID)
	ev.Tool = &trammel.ToolCall{Name: c.AbilityRef.Value, Input: c.Args}
	ev.Fields["ability_ref"] = map[string]any{"kind": c.AbilityRef.Kind, "value": c.AbilityRef.Value}
	if c.Environment != "" {
		ev.Fields["environment"] = c.Environment
	}
	c.Caller.put(ev)
	return ev
}

// Event is the engine's event: an ability is a tool.
func (c *PreAbilityCall) Event() *trammel.Event {
	ev := event(c, trammel.PreToolUse, c.SessionID)
	ev.Tool = &trammel.ToolCall{ID: c.TaskKey, Name: c.AbilityID, Input: c.Args}
	task(ev, c.TaskKey, "")
	c.Caller.put(ev)
	return ev
}

// Event is the engine's event. A partial success counts as a success.
func (c *PostAbilityCall) Event() *trammel.Event {
	kind := trammel.PostToolUse
	if c.Status == Failure {
		kind = trammel.PostToolFailure
	}
	ev := event(c, kind, c.SessionID)
	output := cmp.Or(c.Output, c.OutputSummary)
	ev.Tool = &trammel.ToolCall{ID: c.TaskKey, Name: c.AbilityID, Input: c.Args, Done: true, Output: output, Error: c.ErrorMessage,
		Failed: c.Status == Failure, Duration: time.Duration(c.DurationMS) * time.Millisecond}
	task(ev, c.TaskKey, string(c.Status))
	ev.Fields["status"] = string(c.Status)
	return ev
}

// Event is the engine's event.
func (c *SessionStop) Event() *trammel.Event {
	ev := event(c, trammel.SessionEnd, c.SessionID)
	put(ev, ChangedFiles, c.ChangedFiles)
	put(ev, "abilities_used", c.AbilitiesUsed)
	if len(c.TasksSummary) > 0 {
		ev.Fields["tasks_summary"] = tasks(c.TasksSummary)
	}
	return ev
}

// ChangedFiles is the field of an event that lists the files that a session
// has changed, for hosts that know.
const ChangedFiles = "changed_files"

func event(c Context, kind trammel.Kind, session string) *trammel.Event {
	return &trammel.Event{Kind: kind, Name: string(c.EventType()), Host: Name, Session: trammel.Session{ID: session}, Raw: c.AppendJSON(nil),
		Fields: map[string]any{}}
}

func task(ev *trammel.Event, key, status string) {
	if key != "" {
		ev.Task = &trammel.TaskInfo{ID: key, Status: status}
	}
}

func (c *Caller) put(ev *trammel.Event) {
	m := map[string]any{"source": string(c.Source)}
	for key, value := range map[string]string{"session_id": c.SessionID, "job_id": c.JobID, "triggered_by": c.TriggeredBy} {
		if value != "" {
			m[key] = value
		}
	}
	ev.Fields["caller"] = m
}

func put(ev *trammel.Event, key string, list []string) {
	if len(list) > 0 {
		values := make([]any, len(list))
		for i, s := range list {
			values[i] = s
		}
		ev.Fields[key] = values
	}
}
