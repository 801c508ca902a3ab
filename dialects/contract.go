package dialects

import (
	"fmt"

	"github.com/trammel-dev/trammel"
)

// The contract of a dialect: trammel.HostDialect for agents that call us,
// trammel.HookDialect for hook programs, or both. The interfaces below are
// optional and found by type assertion; a dialect that embeds a Host gets
// PowerLimiter, ProjectFinder and Shaper from it.

// Dialect implements HostDialect, HookDialect or both.
type Dialect interface{ Name() string }

// PowerLimiter is implemented by host dialects that can do less with some answers
// than with others of the same kind: a host may replace the output of one tool
// and not of another.
type PowerLimiter interface {
	// LimitPowers returns what is left of the powers for this verdict on this event.
	LimitPowers(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers
}

// ProjectFinder is implemented by host dialects whose host tells its hooks where
// the project is. That is more stable than the directory in the payload, which
// an agent can change.
type ProjectFinder interface {
	// ProjectDir is "" if it is not set.
	ProjectDir(getenv func(string) string) string
}

// Shaper is implemented by host dialects that know how the tools of their host
// translate into Actions.
type Shaper interface{ Shapes() trammel.Shapes }

// CallDecoder is implemented by host dialects that need more than the payload to
// read an event, and have their own limit for payloads.
type CallDecoder interface {
	// DecodeCall is DecodeEvent with the variables of the call. A payload above
	// the limit becomes an event that says so under Truncated.
	DecodeCall(raw []byte, name string, getenv func(string) string) (*trammel.Event, error)
}

// Truncated is the field of an event whose payload was cut off (FLOW-03).
const Truncated = "input_truncated"

// FailOpener is implemented by host dialects whose contract lets some events
// continue that could not be judged. They are still recorded.
type FailOpener interface {
	LetsThrough(ev *trammel.Event, f *trammel.Failure) bool
}

// Baseliner is implemented by host dialects whose callers expect some policies
// to run without being configured.
type Baseliner interface {
	// Baseline returns the policies that run unless the configuration uses the
	// same ones.
	Baseline(s Switches) []Use
}

// Switches can switch off policies of a baseline.
type Switches struct {
	Profile  string // "" if the configuration sets none
	Disabled string // ids, separated by commas
	// Getenv looks up a variable. If the configuration ignores the environment
	// (Fixed), there are none.
	Getenv func(string) string
	Fixed  bool
	// Called is true if the caller has named a policy: then it runs, whatever
	// the other switches say.
	Called bool
}

// Use is a policy with its options as JSON, nil for none.
type Use struct {
	Policy string
	With   []byte
}

// ServerLocator is implemented by host dialects whose events do not name the server of
// an MCP tool. Locate finds it, if it can.
type ServerLocator interface {
	Locate(ev *trammel.Event, w trammel.World)
}

// ErrorDefaulter is implemented by hook dialects of systems with their own default for
// what a failure means.
type ErrorDefaulter interface{ OnError() trammel.OnError }

// FailCloser is implemented by hook dialects of systems in which a hook that fails
// denies on some kinds of events, whatever its on_error says.
type FailCloser interface{ FailsClosed(trammel.Kind) bool }

// Configurer is implemented by hook dialects that differ from hook to hook.
type Configurer interface {
	// Configure returns the dialect for one hook; options is nil if its
	// declaration has none.
	Configure(hook string, options []byte) (trammel.HookDialect, error)
}

// Configure returns a dialect for one hook; options is nil if its declaration
// has none.
func Configure(d trammel.HookDialect, hook string, options []byte) (trammel.HookDialect, error) {
	c, ok := d.(Configurer)
	switch {
	case ok:
		return c.Configure(hook, options)
	case options != nil:
		return nil, fmt.Errorf("the dialect %s has no options", d.Name())
	}
	return d, nil
}

// ShapesOf is what a dialect knows about the tools of its host, nil for nothing.
func ShapesOf(d Dialect) trammel.Shapes {
	if s, ok := d.(Shaper); ok {
		return s.Shapes()
	}
	return nil
}

// CallShaper is implemented by host dialects for which the name of a tool says more than its row:
// to which server it belongs, or which of several languages the host speaks.
type CallShaper interface {
	ShapesFor(tool string) trammel.Shapes
}

// ShapesFor is ShapesOf for a call of one tool, where there is no payload to read.
func ShapesFor(d Dialect, tool string) trammel.Shapes {
	if s, ok := d.(CallShaper); ok {
		return s.ShapesFor(tool)
	}
	return ShapesOf(d)
}

// PowersFor is what a host can do with this verdict on this event.
func PowersFor(d trammel.HostDialect, ev *trammel.Event, v *trammel.Verdict) trammel.Powers {
	p := d.Powers(ev.Kind)
	if n, ok := d.(PowerLimiter); ok {
		return n.LimitPowers(ev, v, p)
	}
	return p
}

// PromptOnly removes the power to rewrite if a verdict would change anything of
// a prompt except its text, for hosts that can change nothing else.
func PromptOnly(ev *trammel.Event, v *trammel.Verdict, p trammel.Powers) trammel.Powers {
	if _, text := v.Input["prompt"].(string); ev.Kind == trammel.UserPromptSubmit && (!text || len(v.Input) != 1) {
		p.Can &^= trammel.RewriteInput
	}
	return p
}

// DegradeForHost degrades a verdict to what the host can do with it. EncodeVerdict
// begins with it, so that no verdict is sent in a form that the host ignores. A
// verdict that is already degraded is not changed.
func DegradeForHost(d trammel.HostDialect, ev *trammel.Event, v *trammel.Verdict) {
	Degrade(ev, v, PowersFor(d, ev, v))
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
