// Package agent is the Agent Runtime: the long-running side of a session. It
// takes what a user says, asks the hooks about it, hands the turn to a planner
// in whatever language, and carries out what the planner wants through the
// Tool Runner. Hooks are never called by the planner; it sees their signals.
//
//	session, err := (&agent.Runtime{Root: root, Hooks: hooks}).Start(ctx, "")
//	turn, err := session.Prompt(ctx, "Fix the signup test.", nil)
//	if turn.Ready { plan with turn.Control and turn.Context; session.Create(…), session.Run(…) }
//	summary, err := session.Stop(ctx)
//
// Serve does the same over lines of JSON; docs/agent-protocol.md is its
// contract.
package agent

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/repohooks"
	"github.com/trammel-dev/trammel/tasks"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Runtime holds what sessions of one repository share.
type Runtime struct {
	Root        string
	Hooks       tasks.Hooks // nil: no hooks
	Environment string
}

// Session is one session. Its calls come one after another.
type Session struct {
	ID        string
	StartedAt time.Time

	runtime *Runtime
	tasks   *tasks.Runner
	before  *snapshot
	turns   int
	ready   bool
	stopped bool
	used    []string
	touched []*touched
}

// touched is a task that the session has created or run.
type touched struct {
	key, ability string
	status       repohooks.Status // of its last run, "" if there was none
}

// ErrNoTurn is an action outside of a turn that the hooks let begin.
var ErrNoTurn = errors.New("no turn is open: send a prompt first, and wait for turn_ready")

// ErrNoSession is an action before there is a session.
var ErrNoSession = errors.New("no session is open: send session_start or a prompt first")

// ErrStopped is anything after the end of a session.
var ErrStopped = errors.New("the session has ended")

// Start begins a session; "" gives it an id of its own.
func (r *Runtime) Start(ctx context.Context, id string) (*Session, error) {
	if id == "" {
		var random [8]byte
		rand.Read(random[:])
		id = "session-" + hex.EncodeToString(random[:])
	}
	if len(id) > 200 {
		return nil, fmt.Errorf("the session's id has more than 200 bytes")
	}
	return &Session{ID: id, StartedAt: time.Now().UTC().Truncate(time.Second), runtime: r, before: look(ctx, r.Root),
		tasks: &tasks.Runner{Root: r.Root, Hooks: r.Hooks, Environment: r.Environment, Caller: tasks.Caller{Source: repohooks.AISession,
			SessionID: id}}}, nil
}

// Control is the message with which a turn begins.
type Control struct {
	Type        string                 `json:"type"`
	TurnReady   bool                   `json:"turn_ready"`
	SourceEvent repohooks.EventType    `json:"source_event"`
	HookSignals []repohooks.HookSignal `json:"hook_signals"`
	// Where the hooks did not let the turn begin:
	Reason     string `json:"reason,omitempty"`
	Suggestion string `json:"suggestion,omitempty"`
}

// TurnContext is what a planner plans with.
type TurnContext struct {
	UserRawInput string                 `json:"user_raw_input"`
	HookSignals  []repohooks.HookSignal `json:"hook_signals"`
	// Context is what hooks beside those of the repository tell the model.
	Context []string `json:"context,omitempty"`
}

// Turn is the beginning of a turn.
type Turn struct {
	Number  int
	Ready   bool
	Control Control
	Context TurnContext
}

// Prompt runs the PromptSubmit pipeline (AIC-50). A prompt that the hooks deny
// begins no turn; the one before it is over all the same. Hooks that are not
// blocking run too, and can hold nothing up.
func (s *Session) Prompt(ctx context.Context, text string, files []string) (*Turn, error) {
	if s.stopped {
		return nil, ErrStopped
	}
	s.ready = false
	said := &repohooks.Result{}
	if s.runtime.Hooks != nil {
		var err error
		said, err = s.runtime.Hooks.RunHooks(ctx, repohooks.PromptSubmitEvent, &repohooks.PromptSubmit{SessionID: s.ID, UserRawInput: text,
			CurrentFiles: files}, false)
		if err != nil {
			return nil, fmt.Errorf("PromptSubmit: %w", err)
		}
	}
	signals := said.Signals
	if signals == nil {
		signals = []repohooks.HookSignal{}
	}
	s.turns++
	s.ready = said.Decision < trammel.Ask
	turn := &Turn{Number: s.turns, Ready: s.ready,
		Control: Control{Type: "control", TurnReady: s.ready, SourceEvent: repohooks.PromptSubmitEvent, HookSignals: signals},
		Context: TurnContext{UserRawInput: text, HookSignals: signals, Context: append(said.Context, said.Warnings...)}}
	if !s.ready {
		turn.Control.Reason, turn.Control.Suggestion = said.Reason, said.Suggestion
	}
	return turn, nil
}

// open says whether an action can be taken.
func (s *Session) open() error {
	switch {
	case s.stopped:
		return ErrStopped
	case !s.ready:
		return ErrNoTurn
	}
	return nil
}

// Abilities is the action LIST_ABILITIES.
func (s *Session) Abilities() ([]registry.Entry, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	return s.tasks.List()
}

// Create is the action CREATE_TASK.
func (s *Session) Create(ctx context.Context, ability string, input map[string]any) (*tasks.Result, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	made, err := s.tasks.Create(ctx, tasks.Request{Ability: ability, Input: input})
	if err == nil && made.TaskKey != "" {
		s.touch(made.TaskKey, made.AbilityID)
	}
	return made, err
}

// Update is the action UPDATE_TASK.
func (s *Session) Update(ctx context.Context, key string, patch map[string]any) (*tasks.Result, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	return s.tasks.Update(ctx, key, patch)
}

// Run is the action RUN_TASK.
func (s *Session) Run(ctx context.Context, key string) (*tasks.Result, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	result, err := s.tasks.Run(ctx, key)
	if err != nil || result.Run == 0 { // nothing ran
		return result, err
	}
	s.touch(key, result.AbilityID).status = repohooks.Status(result.Status)
	if !slices.Contains(s.used, result.AbilityID) {
		s.used = append(s.used, result.AbilityID)
	}
	return result, nil
}

func (s *Session) touch(key, ability string) *touched {
	for _, t := range s.touched {
		if t.key == key {
			return t
		}
	}
	t := &touched{key: key, ability: ability}
	s.touched = append(s.touched, t)
	return t
}
