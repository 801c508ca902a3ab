package classhook

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// chain runs the hooks of one point as one handler, so that the engine asks it
// once: rewrites go from hook to hook within it.
type chain struct {
	point  Point
	hooks  []Hook // in the order in which they run
	bypass string // why nothing they say has an effect; "" if it has
}

// Early puts the chain before the guards, which then judge what it has made of
// the arguments.
func (*chain) Early() bool { return true }

// Nests lets a sub-agent have a chain of its own, which runs after its parent's
// (FIM-53).
func (*chain) Nests() bool { return true }

// Waits lets the engine bound it: a hook may ask something outside.
func (*chain) Waits() bool { return true }

func (c *chain) Explain() string {
	names := make([]string, len(c.hooks))
	for i, h := range c.hooks {
		names[i] = h.Name()
	}
	return "class hooks " + strings.Join(names, ", ")
}

func (c *chain) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	var answer trammel.Answer
	if c.bypass != "" {
		answer.Diagnostics = append(answer.Diagnostics, c.bypass)
	}
	seen := contextOf(c.point, ev)
	for _, h := range c.hooks {
		if !matches(h, seen) {
			continue
		}
		res, err := execute(ctx, h, seen)
		note(&answer, h, res.SideEffects)
		if err != nil {
			failure := failed(h, err, &answer)
			if c.point == PreToolUse {
				return trammel.Answer{}, failure
			}
			answer.Diagnostics = append(answer.Diagnostics, failure.Error())
			continue
		}
		answer.Context = append(answer.Context, res.Context...)
		if res.Block && c.point == PreToolUse {
			answer.Decision, answer.Reason = trammel.Deny, res.Error
			if answer.Reason == "" {
				answer.Reason = fmt.Sprintf("Blocked by hook '%s'", h.Name())
			}
			answer.Findings = []trammel.Finding{{Code: "class_hook", Severity: "error", Target: h.Name()}}
			return answer, nil
		}
		if err := carry(&answer, seen, &res); err != nil {
			return trammel.Answer{}, failed(h, err, &answer)
		}
	}
	return answer, nil
}

// note keeps what a hook did for the trace, each line under the hook's name.
func note(answer *trammel.Answer, h Hook, effects []string) {
	for _, effect := range effects {
		if !strings.HasPrefix(effect, h.Name()+":") { // many hooks say it themselves
			effect = h.Name() + ": " + effect
		}
		answer.Diagnostics = append(answer.Diagnostics, effect)
	}
}

// failed is the failure of a hook, with what the chain had done so far (FIM-08).
func failed(h Hook, err error, sofar *trammel.Answer) *trammel.Failure {
	f := trammel.Fail(trammel.CodeError, "class hook %q: %w", h.Name(), err)
	f.Diagnostics = sofar.Diagnostics
	return f
}

// carry takes what a hook has rewritten to the hooks after it and into the
// answer (FIM-06, FIM-07).
func carry(answer *trammel.Answer, seen *Context, res *Result) error {
	if res.Args != nil && seen.Point == PreToolUse {
		seen.ToolArgs = merged(seen.ToolArgs, res.Args)
		answer.Input = merged(answer.Input, res.Args)
	}
	if res.Result == nil || seen.Point != PostToolUse {
		return nil
	}
	text, ok := res.Result.(string)
	if !ok {
		data, err := canonical.Append(nil, res.Result)
		if err != nil {
			return fmt.Errorf("a result that is not JSON: %w", err)
		}
		text = string(data)
	}
	seen.ToolResult = text
	if !seen.Event.Kind.Can().Any(trammel.RewriteOutput) {
		answer.Diagnostics = append(answer.Diagnostics, "the output cannot be rewritten on "+seen.Event.Kind.String())
		return nil
	}
	answer.Output = &text
	return nil
}

func merged(old, patch map[string]any) map[string]any {
	out := maps.Clone(old)
	if out == nil {
		out = make(map[string]any, len(patch))
	}
	maps.Copy(out, patch)
	return out
}

func matches(h Hook, seen *Context) bool {
	filter := h.Filter()
	if filter == "" || seen.Point == SessionStart {
		return true
	}
	ok, err := path.Match(filter, seen.ToolName)
	return ok || err != nil // a filter that cannot be read must not hide a guard
}

// execute asks one hook. A panic is an error of that hook.
func execute(ctx context.Context, h Hook, seen *Context) (res Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = Result{}, fmt.Errorf("panic: %v", p)
		}
	}()
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if !h.ShouldTrigger(seen) {
		return Result{}, nil
	}
	return h.Execute(ctx, seen)
}

func contextOf(point Point, ev *trammel.Event) *Context {
	s := &ev.Session
	c := &Context{Point: point, AgentID: s.AgentID, UserID: s.User, ConversationID: s.ID, Event: ev,
		Metadata: map[string]any{"org_id": s.Org, "conversation_id": s.ID}}
	c.AgentID = cmp.Or(c.AgentID, s.Agent)
	for name, value := range ev.Fields {
		if _, ours := c.Metadata[name]; !ours {
			c.Metadata[name] = value
		}
	}
	if t := ev.Tool; t != nil {
		c.ToolName, c.ToolArgs, c.ToolResult, c.Failed = t.Name, t.Input, t.Output, t.Failed
		if c.Failed && c.ToolResult == "" {
			c.ToolResult = t.Error
		}
		c.Metadata["tool_call_id"], c.Metadata["requires_confirmation"] = t.ID, t.Confirm
	}
	return c
}
