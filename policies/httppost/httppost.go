// Package httppost is the policy http_post: it posts a fixed text to a server
// on the configured events (DA-50). It sends nothing from the event; the http
// handler does that.
package httppost

import (
	"context"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
)

// Policy returns the declaration of the policy. It has no default events.
func Policy() trammel.Policy {
	return option.Policy("http_post", trammel.Observe, "posts a fixed text to a server when something happens",
		Options{Body: "{}", Timeout: option.Duration(10 * time.Second)}, build)
}

// Options are the policy's options.
type Options struct {
	URL          string          `json:"url,omitempty" jsonschema:"Where the text is posted to."`
	Body         string          `json:"body,omitempty" jsonschema:"The text, as JSON."`
	AllowPrivate bool            `json:"allow_private,omitempty" jsonschema:"The server may be on this machine or in a private network."`
	Timeout      option.Duration `json:"timeout,omitempty" jsonschema:"How long the call may take."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	at, err := post.Parse(o.URL)
	if err != nil {
		return nil, &option.Error{Key: "url", Message: err.Error()}
	}
	if o.Timeout <= 0 {
		return nil, &option.Error{Key: "timeout", Message: "there is no time", Expected: "a duration above zero"}
	}
	return &handler{o, at, post.Client{Public: !o.AllowPrivate}}, nil
}

type handler struct {
	Options
	at     *post.Address
	client post.Client
}

// Waits returns true: a server takes time.
func (h *handler) Waits() bool { return true }

// Handle posts the text. The event goes on in any case; errors are in the
// diagnostics.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Rehearsal {
		return trammel.Answer{Diagnostics: []string{"would post to " + h.at.String()}}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(h.Timeout))
	defer cancel()
	resp, err := h.client.Post(ctx, h.URL, map[string][]string{"Content-Type": {"application/json"}}, []byte(h.Body))
	said := fmt.Sprintf("posted to %s: status %d", h.at, resp.Status)
	if err != nil {
		said = err.Error()
	}
	return trammel.Answer{Diagnostics: []string{said}}, nil
}
