// Package redactsecrets is the policy redact_secrets, docker-agent's built-in
// of that name (DA-50): secrets are replaced by [REDACTED] in what a tool is
// called with, in what comes out of it and in what goes to the model. Nothing
// is refused, and everything else stays as it is.
package redactsecrets

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("redact_secrets", trammel.Rewrite,
		"replaces secrets with [REDACTED] in tool arguments, tool output and model messages", option.None{}, build,
		trammel.PreToolUse, trammel.ToolInputTransform, trammel.BeforeLLMCall, trammel.ToolResponseTransform, trammel.PostToolUse)
}

func build(_ option.None, _ trammel.Spec) (trammel.Handler, error) {
	return trammel.HandlerFunc(redact), nil
}

func redact(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	sieve := secret.Sieve{Bare: true}
	can := ev.Kind.Can()
	switch {
	case ev.Tool != nil && can.Any(trammel.RewriteOutput):
		safe, found := sieve.Text(ev.Tool.Output)
		if len(found) == 0 {
			return trammel.Answer{}, nil
		}
		return trammel.Answer{Output: &safe, Findings: findings(found, ev.Tool.Name)}, nil
	case ev.Tool != nil && can.Any(trammel.RewriteInput):
		patch, found, named := sieve.Patch(ev.Tool.Input)
		if named {
			return trammel.Answer{}, fmt.Errorf("the name of an argument of %s holds a secret, which no rewrite can remove", ev.Tool.Name)
		}
		if len(found) == 0 {
			return trammel.Answer{}, nil
		}
		return trammel.Answer{Input: patch, Findings: findings(found, ev.Tool.Name)}, nil
	case ev.Model != nil && ev.Kind == trammel.BeforeLLMCall:
		safe, found := sieve.Value(ev.Model.Messages)
		if len(found) == 0 {
			return trammel.Answer{}, nil
		}
		return trammel.Answer{Input: map[string]any{"messages": safe}, Findings: findings(found, "messages")}, nil
	}
	return trammel.Answer{Diagnostics: []string{fmt.Sprintf("nothing can be redacted on %s", ev.Kind)}}, nil
}

// findings name each kind once.
func findings(found []secret.Secret, place string) []trammel.Finding {
	var out []trammel.Finding
	seen := map[string]bool{}
	for _, s := range found {
		if !seen[s.Kind] {
			seen[s.Kind] = true
			out = append(out, trammel.Finding{Code: "secret_redacted", Severity: "info", Target: s.Kind + " in " + place})
		}
	}
	return out
}
