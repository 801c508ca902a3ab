package repohooks

import "github.com/trammel-dev/trammel/internal/strict"

// AppendJSON appends the context as scripts get it.
func (c *PromptSubmit) AppendJSON(dst []byte) []byte {
	w := open(PromptSubmitEvent)
	field(w, "session_id", c.SessionID)
	field(w, "user_raw_input", c.UserRawInput)
	w.List("current_files", c.CurrentFiles)
	return closed(w, dst)
}

// AppendJSON appends the context as scripts get it.
func (c *PreAbilityCreate) AppendJSON(dst []byte) []byte {
	w := open(PreAbilityCreateEvent)
	w.Text("session_id", c.SessionID)
	w.Part("ability_ref", func() {
		field(w, "kind", c.AbilityRef.Kind)
		field(w, "value", c.AbilityRef.Value)
	})
	w.Texts("input_summary", c.InputSummary, "environment", c.Environment)
	c.Caller.write(w)
	return closed(w, dst)
}

// AppendJSON appends the context as scripts get it.
func (c *PreAbilityCall) AppendJSON(dst []byte) []byte {
	w := open(PreAbilityCallEvent)
	call(w, c.SessionID, c.AbilityID, c.TaskKey)
	w.Text("args_summary", c.ArgsSummary)
	c.Caller.write(w)
	return closed(w, dst)
}

// AppendJSON appends the context as scripts get it.
func (c *PostAbilityCall) AppendJSON(dst []byte) []byte {
	w := open(PostAbilityCallEvent)
	call(w, c.SessionID, c.AbilityID, c.TaskKey)
	field(w, "status", string(c.Status))
	if c.Timed || c.DurationMS != 0 {
		w.Any("duration_ms", c.DurationMS)
	}
	w.Texts("input_summary", c.InputSummary, "output_summary", c.OutputSummary, "error_message", c.ErrorMessage)
	return closed(w, dst)
}

// AppendJSON appends the context as scripts get it.
func (c *SessionStop) AppendJSON(dst []byte) []byte {
	w := open(SessionStopEvent)
	field(w, "session_id", c.SessionID)
	w.List("changed_files", c.ChangedFiles)
	w.List("abilities_used", c.AbilitiesUsed)
	if len(c.TasksSummary) > 0 {
		w.Any("tasks_summary", tasks(c.TasksSummary))
	}
	w.Texts("started_at", c.StartedAt, "ended_at", c.EndedAt)
	return closed(w, dst)
}

// call says which call it is about.
func call(w *strict.Writer, session, ability, task string) {
	w.Text("session_id", session)
	field(w, "ability_id", ability)
	w.Text("task_key", task)
}

func (c *Caller) write(w *strict.Writer) {
	w.Part("caller", func() {
		field(w, "source", string(c.Source))
		w.Texts("session_id", c.SessionID, "job_id", c.JobID, "triggered_by", c.TriggeredBy)
	})
}

func tasks(list []TaskSummary) []any {
	out := make([]any, len(list))
	for i, t := range list {
		out[i] = map[string]any{"task_key": t.TaskKey, "ability_id": t.AbilityID, "status": string(t.Status)}
	}
	return out
}

func open(event EventType) *strict.Writer {
	w := &strict.Writer{}
	w.Open()
	field(w, "event_type", string(event))
	return w
}

// field writes a field even if it is empty.
func field(w *strict.Writer, key, value string) {
	w.Key(key)
	w.String(value)
}

func closed(w *strict.Writer, dst []byte) []byte {
	w.Close()
	return append(dst, w.Bytes()...)
}
