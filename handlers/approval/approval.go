// Package approval is the handler that asks people: a rule says whether a call
// needs an approval, and a desk asks for it.
package approval

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
)

// Config is the handler's part of a declaration.
type Config struct {
	// Rule is the rule that asks, in the form of the handler of that kind.
	Rule json.RawMessage `json:"rule"`
	// Terms are the hook's terms; Desk are the settings of the machine and the user.
	Terms approvals.Terms    `json:"terms"`
	Desk  approvals.Settings `json:"desk"`
}

// Read reads a Config from JSON and refuses unknown fields.
func Read(data []byte) (c Config, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return c, err
	}
	if len(c.Rule) == 0 {
		return c, fmt.Errorf("the rule that says when to ask is missing")
	}
	terms := c.Desk.Merged(&c.Terms)
	return c, c.Desk.Check(&terms)
}

// Desks opens desks, one for all hooks with the same settings.
type Desks struct {
	// Open makes a desk for settings.
	Open func(s approvals.Settings) *desk.Desk
	// Config returns the handler's part of the current declaration for an
	// event: nil if the hook is gone.
	Config func(ev *trammel.Event, hook string) ([]byte, error)

	mu   sync.Mutex
	open map[string]*desk.Desk
}

// For returns the desk with these settings.
func (d *Desks) For(s approvals.Settings) *desk.Desk {
	key, _ := json.Marshal(s)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open == nil {
		d.open = map[string]*desk.Desk{}
	}
	if d.open[string(key)] == nil {
		d.open[string(key)] = d.Open(s)
	}
	return d.open[string(key)]
}

// New makes the factory. rules builds the rule inside a declaration.
func New(rules trammel.Factory, desks *Desks) trammel.Factory {
	return func(spec trammel.Spec) (trammel.Handler, error) {
		c, err := Read(spec.Config)
		if err != nil {
			return nil, err
		}
		inner := spec
		inner.Kind, inner.Config = "rule", c.Rule
		rule, err := rules(inner)
		if err != nil {
			return nil, err
		}
		return &Handler{spec: spec, rule: rule, terms: c.Terms, desks: desks, desk: desks.For(c.Desk)}, nil
	}
}

// Handler asks people about calls that its rule asks about.
type Handler struct {
	spec  trammel.Spec
	rule  trammel.Handler
	terms approvals.Terms
	desks *Desks
	desk  *desk.Desk
}

var _ trammel.Committer = (*Handler)(nil)

// Waits implements trammel.Waiter: people need time.
func (*Handler) Waits() bool { return true }

// Gates implements trammel.Gate: people are asked after all guards have let the
// call pass.
func (*Handler) Gates() bool { return true }

// Explain implements trammel.Explainer.
func (h *Handler) Explain() string { return h.desk.Settings.Describe(&h.terms) }

// Target implements trammel.Finder: the effect that its rule asks about.
func (h *Handler) Target(ev *trammel.Event) (trammel.Target, bool) {
	if f, ok := h.rule.(trammel.Finder); ok {
		return f.Target(ev)
	}
	return trammel.Target{}, false
}

// Rule is the rule that says whether people are asked.
func (h *Handler) Rule() trammel.Handler { return h.rule }

// Handle implements trammel.Handler.
func (h *Handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	a, err := h.rule.Handle(ctx, ev)
	if err != nil || a.Decision != trammel.Ask {
		return a, err
	}
	if ev.Rehearsal {
		a.Diagnostics = append(a.Diagnostics, h.Explain())
		return a, nil
	}
	answer, err := h.desk.Resolve(ctx, ev, &desk.Question{Hook: h.spec.Hook, Source: source(&h.spec), Reason: a.Reason,
		Policy: digest(&h.spec, h.spec.Config), User: approvals.UserOf(ev), Terms: h.terms, Still: func() string { return h.changed(ev) }})
	if err != nil {
		return trammel.Answer{}, err
	}
	answer.Findings = append(answer.Findings, a.Findings...)
	return answer, nil
}

// Commit implements trammel.Committer. The policy must still be the one under
// which people were asked.
func (h *Handler) Commit(ctx context.Context, ev *trammel.Event, a *trammel.Answer) error {
	if why := h.changed(ev); why != "" {
		return errors.New(why)
	}
	return h.desk.Commit(ctx, ev, a, &desk.Question{Policy: digest(&h.spec, h.spec.Config), User: approvals.UserOf(ev), Terms: h.terms})
}

// changed says how the policy has changed since people were asked, "" if it has not.
func (h *Handler) changed(ev *trammel.Event) string {
	if h.desks.Config == nil {
		return ""
	}
	now, err := h.desks.Config(ev, h.spec.Hook)
	switch {
	case err != nil:
		return fmt.Sprintf("the policy can no longer be read: %v", err)
	case digest(&h.spec, now) != digest(&h.spec, h.spec.Config):
		return "the policy has changed"
	}
	return ""
}

// digest is that of a hook's declaration.
func digest(spec *trammel.Spec, config []byte) string {
	d := sha256.Sum256(fmt.Appendf(nil, "%q %s", spec.Hook, config))
	return hex.EncodeToString(d[:])
}

// source is where the hook is declared, and whether that is trusted.
func source(spec *trammel.Spec) string {
	if spec.Source.Untrusted {
		return spec.Source.String() + " (a project that is not trusted)"
	}
	return spec.Source.String()
}
