// Package claudelike is what hosts have in common that took over the hooks of
// Claude Code, each with changes of its own: payloads in snake case with
// hook_event_name, answers with hookSpecificOutput. A dialect gives its names,
// its tools and what only its host has; the strictness is the same for all.
package claudelike

import "github.com/trammel-dev/trammel"

// Event is a host's name for a kind of event.
type Event struct {
	Name string
	Kind trammel.Kind
}

// Events are all names that a host has for its events, each kind at most once.
type Events []Event

// Kind finds an event by its exact name, or by any other spelling, which
// wiring may use and a payload may not.
func (e Events) Kind(name string) (trammel.Kind, bool) {
	for i := range e {
		if e[i].Name == name {
			return e[i].Kind, true
		}
	}
	if name != "" {
		if kind, ok := trammel.ParseKind(name); ok && e.Name(kind) != "" {
			return kind, true
		}
	}
	return trammel.Other, false
}

// Name is the host's name of a kind, "" if the host has no such event.
func (e Events) Name(kind trammel.Kind) string {
	for i := range e {
		if e[i].Kind == kind {
			return e[i].Name
		}
	}
	return ""
}

// Nearest is the name under which programs for this host know an event of any
// host, or its nearest relative there. An event without one keeps a name.
func (e Events) Nearest(ev *trammel.Event) string {
	if name := e.Name(ev.Kind); name != "" {
		return name
	}
	if name := e.Name(relative(ev.Kind)); name != "" {
		return name
	}
	if ev.Name != "" {
		return ev.Name
	}
	return ev.Kind.String()
}

// relative is the event of most hosts that happens at about the same moment.
func relative(kind trammel.Kind) trammel.Kind {
	switch kind {
	case trammel.ToolGuard, trammel.ToolInputTransform, trammel.PreAbilityCreate, trammel.PermissionRequest:
		return trammel.PreToolUse
	case trammel.ToolResponseTransform, trammel.PostToolFailure:
		return trammel.PostToolUse
	case trammel.UserSteeringSubmit, trammel.UserFollowupSubmit:
		return trammel.UserPromptSubmit
	case trammel.BeforeCompaction:
		return trammel.PreCompact
	}
	return kind
}

// Authority is what a set of capabilities lets a hook do at most.
func Authority(can trammel.Capabilities) trammel.Authority {
	switch {
	case can.Any(trammel.Approve):
		return trammel.Grant
	case can.Any(trammel.Block | trammel.Continue):
		return trammel.Guard
	case can.Any(trammel.RewriteInput | trammel.RewriteOutput):
		return trammel.Rewrite
	case can.Any(trammel.Inject):
		return trammel.Contextual
	}
	return trammel.Observe
}
