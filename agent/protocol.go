package agent

import (
	"errors"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/tasks"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Protocol is the version that a session announces.
const Protocol = 1

// The actions of a planner.
const (
	ListAbilities = "LIST_ABILITIES"
	CreateTask    = "CREATE_TASK"
	UpdateTask    = "UPDATE_TASK"
	RunTask       = "RUN_TASK"
)

// message is one line from the planner's side.
type message struct {
	kind    string
	id      string
	session string
	text    string
	files   []string
	action  string
	ability string
	key     string
	input   map[string]any
}

// read takes a line apart, strictly: what two readers could understand
// differently, and what is unknown, is refused.
func read(line []byte) (message, error) {
	obj, err := strict.Object(line, strict.Limits{})
	if err != nil {
		return message{}, err
	}
	f := strict.FieldsOf(obj, "")
	m := message{kind: f.String("type"), id: f.String("id")}
	switch m.kind {
	case "session_start":
		m.session = f.String("session_id")
	case "prompt":
		m.text, m.files = f.String("user_raw_input"), f.Strings("current_files")
	case "action":
		m.action = f.String("action")
		switch m.action {
		case ListAbilities:
		case CreateTask:
			m.ability, m.input = need(f, "ability"), f.Object("input")
		case UpdateTask:
			m.key, m.input = need(f, "task_key"), f.Object("input")
		case RunTask:
			m.key = need(f, "task_key")
		default:
			f.Refuse("action", "one of LIST_ABILITIES, CREATE_TASK, UPDATE_TASK, RUN_TASK")
		}
	case "cancel", "session_stop":
	default:
		f.Refuse("type", "one of session_start, prompt, action, cancel, session_stop")
	}
	return m, f.Done()
}

func need(f *strict.Fields, key string) string {
	s := f.String(key)
	if s == "" {
		f.Refuse(key, "text")
	}
	return s
}

// The lines to the planner's side, beside Control.
type (
	sessionLine struct {
		Type      string `json:"type"` // session
		Protocol  int    `json:"protocol"`
		SessionID string `json:"session_id"`
		StartedAt string `json:"started_at"`
	}
	turnLine struct {
		Type string `json:"type"` // turn_context
		Turn int    `json:"turn"`
		TurnContext
	}
	resultLine struct {
		Type      string           `json:"type"` // result
		ID        string           `json:"id,omitempty"`
		Action    string           `json:"action"`
		Result    *tasks.Result    `json:"result,omitempty"`
		Abilities []registry.Entry `json:"abilities,omitempty"`
	}
	errorLine struct {
		Type    string `json:"type"` // error
		ID      string `json:"id,omitempty"`
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	stoppedLine struct {
		Type string `json:"type"` // session_stopped
		*Summary
	}
)

func failure(id string, err error) errorLine {
	code := string(trammel.CodeError)
	var f *trammel.Failure
	switch {
	case errors.As(err, &f):
		code = string(f.Code)
	case errors.Is(err, ErrNoTurn):
		code = "no_turn"
	case errors.Is(err, ErrStopped), errors.Is(err, ErrNoSession):
		code = "no_session"
	case errors.Is(err, tasks.ErrNoTask):
		code = "no_task"
	case errors.Is(err, tasks.ErrBusy):
		code = "busy"
	}
	return errorLine{"error", id, code, err.Error()}
}
