// Package secrets is the policy secrets: keys, tokens and passwords must not go
// where they would be stored or passed on. It checks a tool's arguments and
// output, prompts, and messages to the model. Its answers never repeat a secret.
package secrets

import (
	"context"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	p := option.Policy("secrets", trammel.Guard, "keeps keys, tokens and passwords out of tool calls, outputs, prompts and model calls",
		Options{Network: "deny", File: "ask", Command: "ask", Input: "ask", Output: "redact", Prompt: "deny", Messages: "redact",
			StandIn: "ask"}, build,
		trammel.PreToolUse, trammel.PostToolUse, trammel.ToolResponseTransform, trammel.UserPromptSubmit, trammel.UserSteeringSubmit,
		trammel.UserFollowupSubmit, trammel.BeforeLLMCall)
	p.Rewrites = true
	return p
}

// Options configure the policy. Each of the first seven is a place
// where a secret may turn up.
type Options struct {
	Network  string `json:"network,omitempty" enum:"deny,ask,redact,off" jsonschema:"What happens to a tool call that would send a secret to a network: a command that talks to a host, a fetch, a tool of an MCP server."`
	File     string `json:"file,omitempty" enum:"deny,ask,redact,off" jsonschema:"What happens to a tool call that would write a secret into a file, by a tool or by a command."`
	Command  string `json:"command,omitempty" enum:"deny,ask,redact,off" jsonschema:"What happens to any other shell command with a secret in it."`
	Input    string `json:"input,omitempty" enum:"deny,ask,redact,off" jsonschema:"What happens to the call of any other tool with a secret among its arguments."`
	Output   string `json:"output,omitempty" enum:"deny,redact,off" jsonschema:"What happens to the output of a tool that holds a secret; deny withholds all of it."`
	Prompt   string `json:"prompt,omitempty" enum:"deny,redact,off" jsonschema:"What happens to a prompt that holds a secret."`
	Messages string `json:"messages,omitempty" enum:"deny,redact,off" jsonschema:"What happens to a call of the model whose messages hold a secret."`
	StandIn  string `json:"stand_in,omitempty" enum:"deny,ask,off" jsonschema:"What happens to a tool call that would write [REDACTED:…] into a file, where a secret may have been."`

	Kinds  []string `json:"kinds,omitempty" jsonschema:"The only kinds of secrets that count; all if there are none."`
	Except []string `json:"except,omitempty" jsonschema:"Kinds of secrets that do not count."`
	Allow  Allow    `json:"allow,omitempty" jsonschema:"What looks like a secret, but is not one here."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	g := &guard{Options: o}
	if err := g.check(); err != nil {
		return nil, err
	}
	return g, nil
}

type guard struct{ Options }

// Handle judges one event. If it finds nothing, it changes nothing.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	sieve := secret.Sieve{}
	if g.spares() {
		sieve.Spare = g.spare
	}
	switch {
	case ev.Tool != nil && ev.Kind.FailsClosed(): // it has not run yet
		return g.call(ev, &sieve), nil
	case ev.Tool != nil:
		return g.output(ev, &sieve), nil
	case ev.Prompt != nil:
		return g.prompt(ev, &sieve), nil
	case ev.Model != nil && ev.Kind == trammel.BeforeLLMCall:
		return g.messages(ev, &sieve), nil
	}
	return trammel.Answer{}, nil
}
