// Package webhook sends requests to an address of the operator, and takes
// decisions from there, both signed according to Standard Webhooks.
package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/store"
)

// options are the options of a webhook.
type options struct {
	Type               string `json:"type"`
	URL                string `json:"url"`
	SecretEnv          string `json:"secret_env"`
	SecretFile         string `json:"secret_file"`
	DecisionSecretEnv  string `json:"decision_secret_env"`
	DecisionSecretFile string `json:"decision_secret_file"`
}

type webhook struct {
	name, url string
	out, in   [][]byte // keys
	env       *channels.Env
}

// Open makes a webhook.
func Open(name string, raw []byte, env *channels.Env) (channels.Channel, error) {
	var o options
	if err := channels.Read(raw, &o); err != nil {
		return nil, err
	}
	w := &webhook{name: name, url: o.URL, env: env}
	var err error
	if _, err = channels.Address(o.URL); err != nil {
		return nil, fmt.Errorf("url: %w", err)
	}
	secret, err := env.Need(channels.Secret{Option: "secret", Env: o.SecretEnv, File: o.SecretFile})
	if err != nil {
		return nil, err
	}
	if w.out, err = keys(secret); err != nil {
		return nil, fmt.Errorf("secret: %w", err)
	}
	decisions, err := env.Secret(channels.Secret{Option: "decision_secret", Env: o.DecisionSecretEnv, File: o.DecisionSecretFile})
	if err != nil {
		return nil, err
	}
	if w.in, err = keys(decisions); err != nil {
		return nil, fmt.Errorf("decision_secret: %w", err)
	}
	for _, key := range w.in {
		for _, other := range w.out {
			if string(key) == string(other) {
				return nil, fmt.Errorf("decision_secret and secret are the same: what we send could be sent back as a decision")
			}
		}
	}
	return w, nil
}

// Deliver implements channels.Channel.
func (w *webhook) Deliver(ctx context.Context, a *store.Approval) (channels.Message, error) {
	id := w.id(a, "requested", 0)
	return channels.Message{Ref: id}, w.send(ctx, id, "requested", a)
}

// Update implements channels.Channel: it sends what has happened since, in
// order. After a failure, messages are sent again with the same id.
func (w *webhook) Update(ctx context.Context, d *store.Delivery, a *store.Approval) error {
	was, is := channels.ParseStanding(d.Shows), channels.StandingOf(a)
	for _, step := range steps(was, is) {
		if err := w.send(ctx, w.id(a, step.kind, step.n), step.kind, a); err != nil {
			return err
		}
	}
	return nil
}

type step struct {
	kind string
	n    int
}

func steps(was, is channels.Standing) (out []step) {
	if is.Reminded > was.Reminded {
		out = append(out, step{"reminded", is.Reminded})
	}
	if is.Escalated > was.Escalated {
		out = append(out, step{"escalated", is.Escalated})
	}
	if is.State == was.State {
		return out
	}
	switch is.State {
	case store.Consumed, store.Lapsed, store.Revoked:
		if was.State == store.Pending {
			out = append(out, step{"approved", 0})
		}
	}
	return append(out, step{string(is.State), 0})
}

// id is the same for the same message.
func (w *webhook) id(a *store.Approval, kind string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d", a.ID, w.name, kind, n))
	return "dlv_" + hex.EncodeToString(sum[:12])
}

// Notify implements channels.Notifier.
func (w *webhook) Notify(ctx context.Context, n *channels.Notice) error {
	notice := map[string]string{"title": n.Title, "text": n.Text}
	body, _ := json.Marshal(map[string]any{"type": "notice", "timestamp": w.env.Now().UTC(), "data": notice}) // texts
	return w.post(ctx, n.ID, body)
}

func (w *webhook) send(ctx context.Context, id, kind string, a *store.Approval) error {
	return w.post(ctx, id, w.body(kind, a))
}

func (w *webhook) post(ctx context.Context, id string, body []byte) error {
	timestamp := strconv.FormatInt(w.env.Now().Unix(), 10)
	var signatures []string
	for _, key := range w.out {
		signatures = append(signatures, sign(key, id, timestamp, body))
	}
	h := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	h.Set(headerID, id)
	h.Set(headerTime, timestamp)
	h.Set(headerSignature, strings.Join(signatures, " "))
	r, err := w.env.Call(ctx, http.MethodPost, w.url, h, body)
	if err == nil && r.Status/100 != 2 {
		err = &channels.Failure{Detail: fmt.Sprintf("the webhook answered with status %d", r.Status)}
	}
	return err
}
