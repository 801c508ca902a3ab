// Package flowagents is the dialect of the hook contract of Flow Agents
// (version 1.0): for hook programs that were written for it, and for adapters
// that call us instead of its runner.
//
// The contract: the event is one JSON object on stdin. Exit code 0 allows;
// stdout then repeats the event, and guidance for the model may follow it after
// a line of three dashes. Exit code 2 blocks, with the reason on stderr and
// nothing on stdout. Any other exit code is an error, and an error allows.
//
// A payload that is not a JSON object is let through, as the contract says. One
// that is an object but is cut off or ambiguous is judged as such, because the
// agent chooses its contents.
package flowagents

import (
	_ "embed"
	"strconv"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about adapters of the contract. Their hosts' replies
// have no place for context before a tool call.
var Host = dialects.Host{System: "flow-agents", About: &about}

// Dialect is the dialect of Flow Agents, for hosts and for hook programs.
var Dialect = dialect{&Host}

type dialect struct{ *dialects.Host }

// OnError is what a failure means for programs of this contract that declare
// nothing else: the contract lets the event continue (FLOW-20).
func (dialect) OnError() trammel.OnError { return trammel.IgnoreOnError }

// Ceiling: programs of this contract block, and guide the model; they rewrite
// and approve nothing.
func (dialect) Ceiling(kind trammel.Kind) trammel.Authority {
	switch can := kind.Can(); {
	case can.Any(trammel.Block | trammel.Continue):
		return trammel.Guard
	case can.Any(trammel.Inject):
		return trammel.Contextual
	}
	return trammel.Observe
}

// Environ returns the variables of programs of this contract (FLOW-64). We
// never truncate an event, but it may be truncated when it reaches us.
func (dialect) Environ(ev *trammel.Event) []string {
	truncated := "0"
	if ev.Fields[dialects.Truncated] == true {
		truncated = "1"
	}
	return []string{"FLOW_AGENTS_HOOK_RUNTIME=" + ev.Host, "FLOW_AGENTS_TELEMETRY_RUNTIME=" + ev.Host,
		"SA_HOOK_INPUT_TRUNCATED=" + truncated, "SA_HOOK_INPUT_MAX_BYTES=" + strconv.Itoa(MaxInput)}
}
