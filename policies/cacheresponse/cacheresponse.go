// Package cacheresponse is the policy cache_response: it stores an agent's
// answers, and returns the stored answer when the same is asked again (DA-50).
//
// No host lets a hook answer in the agent's place, so the model gets the stored
// answer as context, and a runtime that embeds the engine gets it as a fact,
// which it may replay.
package cacheresponse

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/state"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("cache_response", trammel.Contextual,
		"stores an agent's answers, and tells the model when the same question was asked before",
		Options{For: option.Duration(24 * time.Hour), Min: 20, Max: 16 << 10, Fold: true}, build, trammel.UserPromptSubmit, trammel.Stop)
}

// Options are the policy's options.
type Options struct {
	For  option.Duration `json:"for,omitempty" jsonschema:"How long an answer is kept."`
	Min  int             `json:"min,omitempty" jsonschema:"Prompts with fewer characters are left alone: what yes means depends on what came before."`
	Max  option.Size     `json:"max,omitempty" jsonschema:"The longest answer that is kept."`
	Fold bool            `json:"fold,omitempty" jsonschema:"Prompts that differ only in capital letters and blanks are the same."`
}

// maxAge is the longest time that an answer can be stored.
const maxAge = 30 * 24 * time.Hour

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	switch {
	case o.For <= 0 || time.Duration(o.For) > maxAge:
		return nil, &option.Error{Key: "for", Message: "found " + o.For.String(), Expected: "a duration above zero, up to 720h"}
	case o.Max < 1 || o.Max > 1<<20:
		return nil, &option.Error{Key: "max", Message: "found " + o.Max.String(), Expected: "a size from 1 to 1MiB"}
	}
	return &handler{o, spec.State}, nil
}

type handler struct {
	Options
	state trammel.State
}

var (
	answered = trammel.Bucket{Name: "answers", Keep: maxAge, Most: 1000, Lossy: true}
	prompts  = trammel.Bucket{Name: "prompts", Keep: maxAge, Most: 1000, Lossy: true}
)

// Waits returns true: answers are on a disk.
func (h *handler) Waits() bool { return true }

// Handle notes prompts, and stores answers.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	at := func(b *trammel.Bucket) state.Cache {
		return state.Cache{Store: state.Store{State: h.state, Bucket: b, Rehearsal: ev.Rehearsal}}
	}
	answers, asked := at(&answered), at(&prompts)
	switch {
	case ev.Kind == trammel.UserPromptSubmit && ev.Prompt != nil && !ev.Prompt.Synthetic:
		return h.ask(ctx, ev, answers, asked)
	case ev.Kind == trammel.Stop:
		return trammel.Answer{}, h.keep(ctx, ev, answers, asked)
	}
	return trammel.Answer{}, nil
}

// ask looks for the answer to a prompt, and notes the session's current prompt.
func (h *handler) ask(ctx context.Context, ev *trammel.Event, answers, asked state.Cache) (trammel.Answer, error) {
	key := h.key(ev, ev.Prompt.Text)
	if session := sessionKey(ev); session != "" {
		if err := asked.Put(ctx, session, []byte(key)); err != nil {
			return trammel.Answer{}, err
		}
	}
	if key == "" {
		return trammel.Answer{}, nil
	}
	text, age, ok := answers.Get(ctx, key, time.Duration(h.For))
	if !ok || !utf8.Valid(text) {
		return trammel.Answer{}, nil
	}
	ago := age.Round(time.Minute).String()
	return trammel.Answer{
		Context: []string{fmt.Sprintf("The same was asked in this project before. %s ago the answer was as follows; if nothing has changed "+
			"since, give it again.\n<answer>\n%s\n</answer>", ago, text)},
		Facts: map[string]any{"cached_response": string(text), "age_seconds": int64(age / time.Second)},
	}, nil
}

// keep stores an agent's final answer under its prompt.
func (h *handler) keep(ctx context.Context, ev *trammel.Event, answers, asked state.Cache) error {
	var answer, key string
	if ev.Model != nil {
		answer = ev.Model.Response
		key = h.key(ev, ev.Model.LastPrompt)
	}
	if ev.Stop != nil && ev.Stop.Message != "" {
		answer = ev.Stop.Message
	}
	if session := sessionKey(ev); key == "" && session != "" {
		noted, _, _ := asked.Get(ctx, session, maxAge)
		key = string(noted)
	}
	answer, _ = secret.Redact(strings.TrimSpace(strings.ToValidUTF8(answer, "\uFFFD")))
	if key == "" || answer == "" || len(answer) > int(h.Max) {
		return nil
	}
	return answers.Put(ctx, key, []byte(answer))
}

// key is the cache key for a prompt, "" if the prompt is too short to make sense
// on its own.
func (h *handler) key(ev *trammel.Event, prompt string) string {
	if h.Fold {
		prompt = strings.ToLower(strings.Join(strings.Fields(prompt), " "))
	}
	if prompt == "" || utf8.RuneCountInString(prompt) < h.Min {
		return ""
	}
	return state.Digest("answer", ev.Session.Place(), ev.Session.Agent, prompt)
}

func sessionKey(ev *trammel.Event) string {
	if ev.Session.ID == "" {
		return ""
	}
	return state.Digest("session", ev.Host, ev.Session.ID, ev.Session.AgentID)
}
