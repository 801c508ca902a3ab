// Package promptrouter is the policy prompt-router: which abilities and
// documents of a repository a prompt is about, from the routing hints of its
// registry and its ROUTING.md files (AIC-65, the recipe prompt_router). It
// suggests; it never decides.
package promptrouter

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("prompt-router", trammel.Contextual, "suggests abilities and documents of the repository that a prompt is about",
		options{Most: defaultMost}, build, trammel.UserPromptSubmit)
}

type options struct {
	Most int `json:"most,omitempty" jsonschema:"How many abilities, and how many documents, are suggested at most."`
}

const defaultMost = 3

func build(o options, _ trammel.Spec) (trammel.Handler, error) {
	return &policy{o}, option.Between("most", o.Most, 1, 50)
}

type policy struct{ options }

// suggestion is an ability or a document, with the reason for it.
type suggestion struct {
	name, reason string
	score        float64
}

// Handle looks for what the prompt is about.
func (p *policy) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Kind != trammel.UserPromptSubmit || ev.Prompt == nil || ev.Prompt.Synthetic || ev.Session.Project == "" {
		return trammel.Answer{}, nil
	}
	said := wordsOf(ev.Prompt.Text)
	if len(said.list) == 0 {
		return trammel.Answer{}, nil
	}
	reg, err := registry.Load(ev.Session.Project)
	if err != nil {
		return trammel.Answer{}, fmt.Errorf("the registry cannot be read: %w", err)
	}
	abilities := p.best(abilities(reg, said))
	documents := p.best(documents(ev, said))
	if len(abilities)+len(documents) == 0 {
		return trammel.Answer{}, nil
	}
	hint := map[string]any{"suggested_abilities": list(abilities, "id", true), "suggested_documents": list(documents, "path", false)}
	return answer(
		repohooks.HookSignal{Kind: repohooks.RoutingHint, Code: "ROUTE_SUGGESTION", Payload: hint},
		repohooks.HookSignal{Kind: repohooks.NormalizedIntent, Code: "INTENT_NORMALIZED", Payload: intent(ev.Prompt.Text, said, reg, abilities,
			documents)},
	), nil
}

func answer(signals ...repohooks.HookSignal) (a trammel.Answer) {
	for _, s := range signals {
		s.SourceEvent, s.HookID, s.Severity = repohooks.PromptSubmitEvent, "prompt_router", "info"
		a.Signals = append(a.Signals, trammel.Signal{Kind: string(s.Kind), Code: s.Code, Severity: s.Severity, Payload: s.Payload})
		a.Context = append(a.Context, s.Tell())
	}
	return a
}

// best returns the most relevant suggestions, best first.
func (p *policy) best(all []suggestion) []suggestion {
	slices.SortFunc(all, func(a, b suggestion) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name)) })
	return all[:min(len(all), p.Most)]
}

func list(all []suggestion, key string, confident bool) []any {
	out := make([]any, len(all))
	for i, s := range all {
		one := map[string]any{key: s.name, "reason": s.reason}
		if confident {
			one["confidence"] = math.Round((1-math.Pow(0.6, s.score))*100) / 100
		}
		out[i] = one
	}
	return out
}

// abilities returns those with a keyword in the prompt, and no negative keyword.
func abilities(reg *registry.Registry, said words) (out []suggestion) {
	add := func(id string, h registry.Hints) {
		if len(said.named(h.NegativeKeywords)) > 0 {
			return
		}
		if found := said.named(h.Keywords); len(found) > 0 {
			out = append(out, suggestion{id, "The prompt names " + strings.Join(found, ", ") + ".", float64(len(found))})
		}
	}
	for id, a := range reg.Abilities {
		add(id, a.RoutingHints)
	}
	for id, o := range reg.Operations {
		add(id, o.RoutingHints)
	}
	return out
}
