package repohooks

import (
	"slices"

	"github.com/trammel-dev/trammel"
)

// Context is what hooks of one event get. Its JSON has exactly the fields of
// its event; fields marked as ours are not sent.
type Context interface {
	EventType() EventType
	// AppendJSON appends the context as scripts get it.
	AppendJSON(dst []byte) []byte
	// Check says what is missing or has an unknown value.
	Check() error
	// Event is the engine's event.
	Event() *trammel.Event
}

// PromptSubmit is a new message of a user (AIC-30).
type PromptSubmit struct {
	SessionID    string
	UserRawInput string
	CurrentFiles []string
}

// PreAbilityCreate is a task about to be created; nothing runs yet (AIC-31).
type PreAbilityCreate struct {
	SessionID    string
	AbilityRef   AbilityRef
	InputSummary string
	Environment  string
	Caller       Caller

	Args map[string]any // ours: the input itself, for policies
}

// PreAbilityCall is an ability about to be run (AIC-32).
type PreAbilityCall struct {
	SessionID   string
	AbilityID   string
	TaskKey     string
	ArgsSummary string
	Caller      Caller

	Args map[string]any // ours: the arguments themselves, for policies
}

// PostAbilityCall is an ability that has run (AIC-33).
type PostAbilityCall struct {
	SessionID     string
	AbilityID     string
	TaskKey       string
	Status        Status
	DurationMS    int64 // sent where Timed or not 0
	Timed         bool
	InputSummary  string
	OutputSummary string
	ErrorMessage  string

	Args   map[string]any // ours: the arguments themselves, for policies
	Output string         // ours: the output itself; the summary where it is empty
}

// SessionStop is the end of a session or of a phase of it (AIC-34).
type SessionStop struct {
	SessionID     string
	ChangedFiles  []string
	AbilitiesUsed []string
	TasksSummary  []TaskSummary
	StartedAt     string // RFC 3339
	EndedAt       string
}

// AbilityRef names an ability or a low-level operation.
type AbilityRef struct{ Kind, Value string }

// The kinds of references.
const (
	AbilityID    = "ability_id"
	OperationKey = "operation_key"
)

// Caller is who wants the ability (AIC-35).
type Caller struct {
	Source      Source
	SessionID   string
	JobID       string
	TriggeredBy string
}

// Source is where a call comes from.
type Source string

// The sources.
const (
	AISession     Source = "ai_session"
	BackgroundJob Source = "background_job"
	CIPipeline    Source = "ci_pipeline"
	ManualCLI     Source = "manual_cli"
)

// Status is how a call ended.
type Status string

// How a call can end (AIC-13).
const (
	Success Status = "success"
	Failure Status = "failure"
	Partial Status = "partial"
)

// TaskSummary is one task of a session.
type TaskSummary struct {
	TaskKey   string `json:"task_key"`
	AbilityID string `json:"ability_id"`
	Status    Status `json:"status"`
}

// EventType is the event of the context.
func (*PromptSubmit) EventType() EventType     { return PromptSubmitEvent }
func (*PreAbilityCreate) EventType() EventType { return PreAbilityCreateEvent }
func (*PreAbilityCall) EventType() EventType   { return PreAbilityCallEvent }
func (*PostAbilityCall) EventType() EventType  { return PostAbilityCallEvent }
func (*SessionStop) EventType() EventType      { return SessionStopEvent }

// Check says what is wrong with the context.
func (c *PromptSubmit) Check() error { return need("session_id", c.SessionID) }

// Check says what is wrong with the context.
func (c *PreAbilityCreate) Check() error {
	if c.AbilityRef.Kind != AbilityID && c.AbilityRef.Kind != OperationKey {
		return wrongWord("ability_ref.kind", c.AbilityRef.Kind, AbilityID, OperationKey)
	}
	if err := need("ability_ref.value", c.AbilityRef.Value); err != nil {
		return err
	}
	return c.Caller.check()
}

// Check says what is wrong with the context.
func (c *PreAbilityCall) Check() error {
	if err := need("ability_id", c.AbilityID); err != nil {
		return err
	}
	return c.Caller.check()
}

// Check says what is wrong with the context.
func (c *PostAbilityCall) Check() error {
	if c.DurationMS < 0 {
		return trammel.Fail(trammel.CodeInput, "found %d in duration_ms, expected a number from 0", c.DurationMS)
	}
	if err := need("ability_id", c.AbilityID); err != nil {
		return err
	}
	return c.Status.check("status")
}

// Check says what is wrong with the context.
func (c *SessionStop) Check() error {
	for _, t := range c.TasksSummary {
		if err := t.Status.check("tasks_summary.status"); err != nil {
			return err
		}
	}
	return need("session_id", c.SessionID)
}

func (c *Caller) check() error {
	if !slices.Contains([]Source{AISession, BackgroundJob, CIPipeline, ManualCLI}, c.Source) {
		return wrongWord("caller.source", string(c.Source), string(AISession), string(BackgroundJob), string(CIPipeline), string(ManualCLI))
	}
	return nil
}

func (s Status) check(field string) error {
	if s != Success && s != Failure && s != Partial {
		return wrongWord(field, string(s), string(Success), string(Failure), string(Partial))
	}
	return nil
}

func need(field, value string) error {
	if value == "" {
		return trammel.Fail(trammel.CodeInput, "the context has no %s", field)
	}
	return nil
}

func wrongWord(field, found string, expected ...string) error {
	return trammel.Fail(trammel.CodeInput, "found %q in %s, expected one of %v", found, field, expected)
}
