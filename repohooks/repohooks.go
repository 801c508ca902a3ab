// Package repohooks runs the hooks of a repository for a runtime: the Tool
// Runner before and after abilities, the Agent Runtime around prompts and
// sessions, and whoever else has something that hooks should know of.
//
//	runner, err := repohooks.New(dir)
//	…
//	r, err := runner.RunHooks(ctx, repohooks.PreAbilityCallEvent, &repohooks.PreAbilityCall{
//		AbilityID: "edit_file", Caller: repohooks.Caller{Source: repohooks.ManualCLI}, Args: args,
//	}, true)
//	if err != nil { … nothing may run … }
//	switch r.Decision {
//	case trammel.Deny: … r.Reason, r.Suggestion
//	case trammel.Ask:  … a human has to decide
//	}
//
// The hooks are those of .system/hooks and, because an ability is a tool like
// any other, those of trammel.yaml that listen to the same events. The agent
// never calls hooks; it sees the signals (AIC-03).
package repohooks

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
)

// What hooks are told and what they say, in the words of the contract.
type (
	EventType        = repohooks.EventType
	Context          = repohooks.Context
	PromptSubmit     = repohooks.PromptSubmit
	PreAbilityCreate = repohooks.PreAbilityCreate
	PreAbilityCall   = repohooks.PreAbilityCall
	PostAbilityCall  = repohooks.PostAbilityCall
	SessionStop      = repohooks.SessionStop
	AbilityRef       = repohooks.AbilityRef
	Caller           = repohooks.Caller
	Source           = repohooks.Source
	Status           = repohooks.Status
	TaskSummary      = repohooks.TaskSummary
	HookSignal       = repohooks.HookSignal
)

// The events, callers, references and outcomes.
const (
	PromptSubmitEvent, SessionStopEvent        = repohooks.PromptSubmitEvent, repohooks.SessionStopEvent
	PreAbilityCreateEvent, PreAbilityCallEvent = repohooks.PreAbilityCreateEvent, repohooks.PreAbilityCallEvent
	PostAbilityCallEvent                       = repohooks.PostAbilityCallEvent
	AISession, BackgroundJob                   = repohooks.AISession, repohooks.BackgroundJob
	CIPipeline, ManualCLI                      = repohooks.CIPipeline, repohooks.ManualCLI
	AbilityID, OperationKey                    = repohooks.AbilityID, repohooks.OperationKey
	Success, Failure, Partial                  = repohooks.Success, repohooks.Failure, repohooks.Partial
)

// ReadContext reads the context of an event from JSON, strictly.
func ReadContext(event EventType, raw []byte) (Context, error) {
	return repohooks.ReadContext(event, raw)
}

// Summary is arguments in one line of JSON, as contexts carry them.
func Summary(args map[string]any) string { return repohooks.Summary(args) }

// Result is what all hooks of one event came to.
type Result struct {
	// Decision is None or Allow where the event may go on, Ask where a human
	// has to decide, Deny where it must not. It is None after the fact.
	Decision trammel.Decision `json:"-"` // "decision" in JSON: allow, require_human, deny
	// Reason and Suggestion are of the hook that decided.
	Reason     string `json:"reason,omitempty"`
	Suggestion string `json:"suggestion,omitempty"`
	// HookID is the hook that decided.
	HookID string `json:"hook_id,omitempty"`
	// Signals are what the agent may see, in the order of the hooks.
	Signals []HookSignal `json:"hook_signals"`
	// Context is what hooks beside those of the repository tell the model.
	Context []string `json:"context,omitempty"`
	// Input are the arguments that a hook rewrote, by name; nil if none did.
	Input map[string]any `json:"input,omitempty"`
	// Output replaces the ability's output, if a hook rewrote it.
	Output *string `json:"output,omitempty"`
	// Warnings are for the caller of an event that may go on.
	Warnings []string `json:"warnings,omitempty"`
	Logs     []string `json:"logs,omitempty"`
	// UsageRecorded says that a hook has written down what was used.
	UsageRecorded bool `json:"usage_recorded,omitempty"`
	// Errors are hooks that failed. What that means is in Decision already.
	Errors []HookError `json:"errors,omitempty"`
	// Ran are the hooks that ran, in the order in which they count.
	Ran []Ran `json:"ran"`
}

// MarshalJSON says the decision in the words of the contract.
func (r Result) MarshalJSON() ([]byte, error) {
	type plain Result
	return json.Marshal(struct {
		Decision string `json:"decision"`
		*plain
	}{decisionWord(r.Decision), (*plain)(&r)})
}

// Refused is the result for an event whose hooks could not be asked: what they
// may hold up must not go on.
func Refused(event EventType, err error) *Result {
	r := &Result{Signals: []HookSignal{}, Ran: []Ran{}, Reason: err.Error()}
	if event.SignalsAgent() {
		r.Decision = trammel.Deny
	}
	return r
}

// Remarks are what a person at a terminal should see whatever is printed
// elsewhere: warnings, and why the event must not go on.
func (r *Result) Remarks() []string {
	if r.Proceed() {
		return r.Warnings
	}
	return append(slices.Clone(r.Warnings), fmt.Sprintf("%s: %s", decisionWord(r.Decision), r.Reason))
}

func decisionWord(d trammel.Decision) string {
	return [...]string{trammel.None: "allow", trammel.Allow: "allow", trammel.Ask: "require_human", trammel.Deny: "deny"}[d]
}

// Proceed reports whether the event may go on.
func (r *Result) Proceed() bool { return r.Decision < trammel.Ask }

// DanglingError says why the hook that a binding names cannot run.
type DanglingError struct {
	HookID string
	Err    error
}

func (e *DanglingError) Error() string { return e.Err.Error() }
func (e *DanglingError) Unwrap() error { return e.Err }

// HookError is a hook that failed.
type HookError struct {
	HookID  string       `json:"hook_id"`
	Code    trammel.Code `json:"code"`
	Message string       `json:"message"`
}

// Ran is one run of a hook.
type Ran struct {
	HookID     string `json:"hook_id"`
	Status     string `json:"status"`             // success, failure
	Decision   string `json:"decision,omitempty"` // deny, require_human
	DurationMS int64  `json:"duration_ms"`
}
