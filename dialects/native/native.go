// Package native is Trammel's own dialect: the JSON of `trammel run` and
// `trammel-hook native`, and of hook programs that are written for Trammel.
//
// An event, with what does not apply left out:
//
//	{"event":"pre_tool_use","host":"my-agent",
//	 "session":{"id":"s1","dir":"/src/app","agent":"coder","mode":"auto"},
//	 "tool":{"id":"c1","name":"shell","input":{"command":"git push -f"}}}
//
// event may be any agent's name for it. Unknown fields are refused. If a tool's
// action is not given, it is derived from its arguments.
//
// A verdict, or the answer of a hook program:
//
//	{"decision":"deny","reason":"Force-push is off."}
//
// It may also have input (a patch of the tool's arguments), output, context,
// notice, summary, facts, signals, diagnostics and findings; a verdict also
// granted, canceled and degraded.
//
// For a caller, the exit code is decisive: 0 means that the event may continue,
// 2 that it may not, because it was denied, because a person has to decide
// first, or because there was no time to ask all hooks. The JSON says which. A
// hook program answers with exit code 0; exit code 2 is a denial with stderr as
// its reason.
package native

import "github.com/trammel-dev/trammel"

// Frameworks are the names that the adapters in integrations use as a host.
var Frameworks = []string{"strands", "langgraph", "openai-agents", "voltagent"}

// Dialect is the native dialect, for hosts and for hook programs.
type Dialect struct{}

// Name returns "native".
func (Dialect) Name() string { return "native" }

// Powers says that a native host can do all that an event permits, and waits
// as long as it takes.
func (Dialect) Powers(kind trammel.Kind) trammel.Powers {
	if kind == trammel.Other {
		return trammel.Powers{Can: trammel.Block}
	}
	return trammel.Powers{Can: kind.Can()}
}

// Ceiling permits all that an event permits.
func (Dialect) Ceiling(trammel.Kind) trammel.Authority { return trammel.Grant }

// Environ adds nothing to what every hook program gets.
func (Dialect) Environ(*trammel.Event) []string { return nil }
