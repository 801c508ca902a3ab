// Package flowagents speaks to hook programs that were written for the hook
// contract of Flow Agents (contract version 1.0). It is a language for hooks
// only: the hosts that Flow Agents runs under have dialects of their own.
//
// The contract: the event is one JSON object on stdin. Exit code 0 allows;
// stdout then repeats the event, and guidance for the model may follow it after
// a line of three dashes. Exit code 2 blocks, with the reason on stderr and
// nothing on stdout. Any other exit code is an error, and an error allows.
package flowagents

import "github.com/trammel-dev/trammel"

// Name is what the language is called in configuration.
const Name = "flow-agents"

// Dialect is the language of Flow Agents, towards hook programs.
type Dialect struct{}

// New returns the language of Flow Agents.
func New() Dialect { return Dialect{} }

// Name returns "flow-agents".
func (Dialect) Name() string { return Name }

// OnError is what a failure means for programs of this contract that declare
// nothing else: the contract lets the event go on (FLOW-20).
func (Dialect) OnError() trammel.OnError { return trammel.IgnoreOnError }

// Ceiling: programs of this contract block, and guide the model; they rewrite
// and approve nothing.
func (Dialect) Ceiling(kind trammel.Kind) trammel.Authority {
	switch can := kind.Can(); {
	case can.Any(trammel.Block | trammel.Continue):
		return trammel.Guard
	case can.Any(trammel.Inject):
		return trammel.Contextual
	}
	return trammel.Observe
}

// maxInput is how much of an event programs of this contract read.
const maxInput = "1048576"

// Environ returns what programs of this contract are told beside the event
// (FLOW-64). We never cut an event short.
func (Dialect) Environ(ev *trammel.Event) []string {
	return []string{"FLOW_AGENTS_HOOK_RUNTIME=" + ev.Host, "FLOW_AGENTS_TELEMETRY_RUNTIME=" + ev.Host,
		"SA_HOOK_INPUT_TRUNCATED=0", "SA_HOOK_INPUT_MAX_BYTES=" + maxInput}
}
