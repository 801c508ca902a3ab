package repohooks

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// ReadContext reads the context of an event, strictly: every field and every
// value must be known.
func ReadContext(event EventType, raw []byte) (Context, error) {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return nil, err
	}
	f := strict.FieldsOf(obj, "")
	said := EventType(f.String("event_type"))
	if said != event && f.Err() == nil {
		return nil, trammel.Fail(trammel.CodeInput, "found event_type %q, expected %q", said, event)
	}
	var c Context
	switch event {
	case PromptSubmitEvent:
		c = &PromptSubmit{SessionID: f.String("session_id"), UserRawInput: f.String("user_raw_input"), CurrentFiles: f.Strings("current_files")}
	case PreAbilityCreateEvent:
		p := &PreAbilityCreate{SessionID: f.String("session_id"), InputSummary: f.String("input_summary"), Environment: f.String("environment"),
			Caller: readCaller(f)}
		f.Part("ability_ref", func(f *strict.Fields) { p.AbilityRef = AbilityRef{f.String("kind"), f.String("value")} })
		c = p
	case PreAbilityCallEvent:
		c = &PreAbilityCall{SessionID: f.String("session_id"), AbilityID: f.String("ability_id"), TaskKey: f.String("task_key"),
			ArgsSummary: f.String("args_summary"), Caller: readCaller(f)}
	case PostAbilityCallEvent:
		_, timed := f.Rest()["duration_ms"]
		c = &PostAbilityCall{SessionID: f.String("session_id"), AbilityID: f.String("ability_id"), TaskKey: f.String("task_key"),
			Status:     Status(f.String("status")),
			DurationMS: int64(f.Float("duration_ms")), Timed: timed, InputSummary: f.String("input_summary"),
			OutputSummary: f.String("output_summary"), ErrorMessage: f.String("error_message")}
	case SessionStopEvent:
		s := &SessionStop{SessionID: f.String("session_id"), ChangedFiles: f.Strings("changed_files"), AbilitiesUsed: f.Strings("abilities_used"),
			StartedAt: f.String("started_at"), EndedAt: f.String("ended_at")}
		for _, v := range f.List("tasks_summary") {
			task, _ := v.(map[string]any)
			t := strict.FieldsOf(task, "tasks_summary")
			s.TasksSummary = append(s.TasksSummary, TaskSummary{t.String("task_key"), t.String("ability_id"), Status(t.String("status"))})
			f.Fail(t.Done())
		}
		c = s
	default:
		return nil, trammel.Fail(trammel.CodeInput, "unknown event %q, expected one of %v", event, EventTypes())
	}
	if err := f.Done(); err != nil {
		return nil, err
	}
	return c, c.Check()
}

func readCaller(f *strict.Fields) (c Caller) {
	f.Part("caller", func(f *strict.Fields) {
		c = Caller{Source(f.String("source")), f.String("session_id"), f.String("job_id"), f.String("triggered_by")}
	})
	return c
}
