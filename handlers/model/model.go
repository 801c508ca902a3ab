// Package model answers events by asking a language model: as a judge, whose
// decision is read from its reply, or for a comment, which becomes context for
// the agent (DA-12).
//
// The model gets the event as data, between marks that are random for every
// call, without secrets. A reply that is not clearly a decision is a failure,
// and a failure of a guard blocks. If a model allows a call, it only has no
// objection; with may: grant, the user is not asked either.
package model

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/template"
	"github.com/trammel-dev/trammel/internal/version"
)

// New is the factory of the kind "model".
func New(spec trammel.Spec) (trammel.Handler, error) { return newHandler(spec, nil) }

func newHandler(spec trammel.Spec, shapes []Shape) (trammel.Handler, error) {
	cfg := Defaults()
	if err := option.Read(spec.Config, &cfg); err != nil {
		return nil, err
	}
	if err := cfg.chooseShape(shapes); err != nil {
		return nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	prompt, err := template.New(cfg.Prompt)
	if err != nil {
		return nil, &option.Error{Key: "prompt", Message: err.Error()}
	}
	return &handler{Config: cfg, prompt: prompt, client: post.Client{MaxResponse: maxReply, Retries: retries, RetryErrors: true},
		state: state.Of(spec)}, nil
}

const (
	maxReply = 1 << 20
	// retries is how often a call is repeated that the endpoint did not accept.
	// Asking a model twice does no harm.
	retries = 2
)

type handler struct {
	Config
	prompt *template.Template
	client post.Client
	state  trammel.State
}

// Waits returns true: a model needs time.
func (h *handler) Waits() bool { return true }

// Explain says which model would be asked for what.
func (h *handler) Explain() string {
	if h.shape != nil {
		return fmt.Sprintf("lets the model %s judge (%s)", h.Model, h.Endpoint)
	}
	return fmt.Sprintf("asks the model %s for context (%s)", h.Model, h.Endpoint)
}

// Handle asks the model, unless the answer is cached.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	asked, err := h.ask(ev)
	if err != nil {
		return trammel.Answer{}, err
	}
	key := h.key(asked)
	if r, ok := h.recall(ctx, key); ok {
		return h.answer(r, usage{}, true), nil
	}
	reply, used, trace, err := h.call(ctx, asked)
	if err != nil {
		return trammel.Answer{}, traced(err, used, trace)
	}
	r, err := h.understand(reply)
	if err != nil {
		return trammel.Answer{}, traced(err, used, trace)
	}
	answer := h.answer(r, used, false)
	answer.Trace = trace
	if ev.Rehearsal {
		return answer, nil
	}
	if err := h.remember(ctx, key, r); err != nil { // that only costs another call
		answer.Diagnostics = append(answer.Diagnostics, err.Error())
	}
	return answer, nil
}

// call makes the call and reads the model's reply from the response.
func (h *handler) call(ctx context.Context, q question) (reply, usage, *trammel.Trace, error) {
	api := h.api()
	body, err := api.request(&h.Config, q)
	if err != nil {
		return reply{}, usage{}, nil, err
	}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}, "User-Agent": {"trammel/" + version.Version}}
	if h.KeyEnv != "" {
		key := os.Getenv(h.KeyEnv)
		if key == "" {
			return reply{}, usage{}, nil, trammel.Fail(trammel.CodeConfig,
				"the variable %s, which holds the key of the model's endpoint, is not set", h.KeyEnv)
		}
		api.authorize(header, key)
	}
	api.headers(header)
	trace := &trammel.Trace{Input: canonical.Digest(body)}
	resp, err := h.client.Post(ctx, h.url(), header, body)
	if resp.Status != 0 {
		trace.Output = canonical.Digest(resp.Body)
	}
	switch {
	case err != nil:
		return reply{}, usage{}, trace, err
	case resp.Status != http.StatusOK:
		return reply{}, usage{}, trace, trammel.Fail(trammel.CodeError, "the model's endpoint answered with status %d: %s", resp.Status,
			excerpt(resp.Body))
	}
	said, used, err := api.response(&h.Config, resp.Body)
	return said, used, trace, err
}

// answer makes an answer from the model's result, with its cost.
func (h *handler) answer(r result, used usage, cached bool) trammel.Answer {
	facts := map[string]any{"model": h.Model, "cached": cached, "input_tokens": used.input, "output_tokens": used.output}
	said := used.String()
	if h.priced() {
		cost := h.cost(used)
		facts["model_cost"] = cost
		said += fmt.Sprintf(", model_cost %.6f", cost)
	}
	if cached {
		said = "answered from the cache, model_cost 0"
	}
	a := trammel.Answer{Decision: r.decision, Reason: r.reason}
	if r.own != nil {
		a = *r.own
		maps.Copy(facts, a.Facts)
	}
	a.Facts, a.Diagnostics = facts, append(a.Diagnostics, "model "+h.Model+": "+said)
	if r.context != "" {
		a.Context = []string{r.context}
	}
	if r.decision != trammel.None {
		severity := "info"
		if r.decision > trammel.Allow {
			severity = "error"
		}
		a.Findings = []trammel.Finding{{Code: "model_" + r.decision.String(), Severity: severity, Target: h.Model}}
	}
	return a
}

// usage counts the tokens of a call.
type usage struct{ input, output int64 }

func (u usage) String() string {
	return fmt.Sprintf("%d input and %d output tokens", u.input, u.output)
}

func (h *handler) priced() bool { return h.Price != Price{} }

func (h *handler) cost(u usage) float64 {
	return (float64(u.input)*h.Price.Input + float64(u.output)*h.Price.Output) / 1e6
}

// traced adds the exchange and its cost to a failure: a reply costs money even if
// it cannot be read.
func traced(err error, used usage, trace *trammel.Trace) error {
	out := trammel.Traced(err, trace)
	if used != (usage{}) {
		out.Detail += " (" + used.String() + ")"
	}
	return out
}
