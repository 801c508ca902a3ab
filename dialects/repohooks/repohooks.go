// Package repohooks is the dialect of repository hooks, in .system/hooks: the
// context that a script gets on stdin, and the HookResult with its signals that
// it prints.
//
// Scripts never decide by exit code. They print typed signals, each of which
// has to name its hook and event: a result with a signal of another hook is
// refused as a whole, and counts as a failure of the hook.
package repohooks

import (
	_ "embed"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Name is the name of the dialect in configuration, and the host of events from
// runtimes that send these contexts themselves.
const Name = "repohooks"

//go:embed host.txt
var about string

// Host is what is known about runtimes that send these contexts: their names.
var Host = dialects.Host{System: Name, About: &about}

// EventType is an event on which repository hooks run.
type EventType string

// The events. The first three can stop something, and the agent sees their
// signals; the others only observe (AIC-10).
const (
	PromptSubmitEvent     EventType = "PromptSubmit"
	PreAbilityCreateEvent EventType = "PreAbilityCreate"
	PreAbilityCallEvent   EventType = "PreAbilityCall"
	PostAbilityCallEvent  EventType = "PostAbilityCall"
	SessionStopEvent      EventType = "SessionStop"
)

// EventTypes lists them in the order of a session.
func EventTypes() []EventType {
	return []EventType{PromptSubmitEvent, PreAbilityCreateEvent, PreAbilityCallEvent, PostAbilityCallEvent, SessionStopEvent}
}

// SignalsAgent reports whether signals of the event reach the agent.
func (e EventType) SignalsAgent() bool {
	return e == PromptSubmitEvent || e == PreAbilityCreateEvent || e == PreAbilityCallEvent
}

// Kinds are the events of any host that are this one.
func (e EventType) Kinds() []trammel.Kind {
	switch e {
	case PromptSubmitEvent:
		return []trammel.Kind{trammel.UserPromptSubmit}
	case PreAbilityCreateEvent:
		return []trammel.Kind{trammel.PreAbilityCreate}
	case PreAbilityCallEvent:
		return []trammel.Kind{trammel.PreToolUse}
	case PostAbilityCallEvent:
		return []trammel.Kind{trammel.PostToolUse, trammel.PostToolFailure}
	case SessionStopEvent:
		return []trammel.Kind{trammel.SessionEnd}
	}
	return nil
}

// EventOf is the event that a kind is, "" for kinds that repository hooks do
// not know.
func EventOf(kind trammel.Kind) EventType {
	switch kind {
	case trammel.UserPromptSubmit:
		return PromptSubmitEvent
	case trammel.PreAbilityCreate:
		return PreAbilityCreateEvent
	case trammel.PreToolUse:
		return PreAbilityCallEvent
	case trammel.PostToolUse, trammel.PostToolFailure:
		return PostAbilityCallEvent
	case trammel.SessionEnd:
		return SessionStopEvent
	}
	return ""
}

// Dialect is the dialect for one hook; the zero value is for no hook in
// particular.
type Dialect struct {
	hook     string   // the id that its signals must have; "" accepts any
	scope    []string // its ability_scope
	advisory bool     // it is not blocking: what it decides is only reported
}

// Name returns "repohooks".
func (Dialect) Name() string { return Name }

// Options are the keys of a declaration other than its program.
type Options struct {
	Hook     string   // the id in the declaration
	Scope    []string // match.ability_scope
	Advisory bool     // blocking: false on an event that can be stopped
}

// JSON is the form that Configure reads.
func (o Options) JSON() map[string]any {
	out := map[string]any{"hook_id": o.Hook}
	if len(o.Scope) > 0 {
		out["ability_scope"] = o.Scope
	}
	if o.Advisory {
		out["advisory"] = true
	}
	return out
}

// Configure returns the dialect for a hook. Without options, its id is the one
// that it runs under.
func (d Dialect) Configure(hook string, options []byte) (trammel.HookDialect, error) {
	d.hook = hook
	if options == nil {
		return d, nil
	}
	obj, err := strict.Object(options, strict.Limits{})
	if err != nil {
		return nil, err
	}
	f := strict.FieldsOf(obj, "")
	if id := f.String("hook_id"); id != "" {
		d.hook = id
	}
	d.scope, d.advisory = f.Strings("ability_scope"), f.Bool("advisory")
	if err := f.Done(); err != nil {
		return nil, fmt.Errorf("options of %s: %w", Name, err)
	}
	return d, nil
}

// Ceiling: scripts may stop the first three events, and rewrite and approve
// nothing; on the others they observe.
func (Dialect) Ceiling(kind trammel.Kind) trammel.Authority {
	if EventOf(kind).SignalsAgent() {
		return trammel.Guard
	}
	return trammel.Observe
}

// Environ tells a script for which hook and event it runs, so that one script
// can serve several declarations.
func (d Dialect) Environ(ev *trammel.Event) []string {
	return []string{"HOOK_ID=" + d.hook, "HOOK_EVENT_TYPE=" + string(EventOf(ev.Kind))}
}
