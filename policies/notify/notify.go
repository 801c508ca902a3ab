// Package notify is the policy notify: it tells a person that something
// happened, on the desktop, through a program or through a webhook.
package notify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/desktop"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/template"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("notify", trammel.Observe, "tells a person what happened: on the desktop, through a program or a webhook",
		options{When: "always", Repeat: option.Duration(time.Minute), Timeout: option.Duration(3 * time.Second)}, build,
		trammel.Notification, trammel.UserInput, trammel.PermissionRequest, trammel.ErrorOccurred, trammel.StopFailure)
}

type options struct {
	Desktop    bool            `json:"desktop,omitempty" jsonschema:"Whether to show it on the desktop (notify-send, osascript or PowerShell)."`
	Command    []string        `json:"command,omitempty" jsonschema:"A program to run, with its arguments; it gets the message as JSON on its standard input."`
	Webhook    string          `json:"webhook,omitempty" jsonschema:"A URL to send the message to, as JSON."`
	WebhookEnv string          `json:"webhook_env,omitempty" jsonschema:"The environment variable that holds that URL, where the URL itself is a secret."`
	When       string          `json:"when,omitempty" jsonschema:"Which events are reported: all, those that a hook has denied, or those about a tool that has failed." enum:"always,denied,failed"`
	Title      string          `json:"title,omitempty" jsonschema:"The title, as a template; what happened if it is not set."`
	Message    string          `json:"message,omitempty" jsonschema:"The text, as a template; what the event is about if it is not set."`
	Repeat     option.Duration `json:"repeat_after,omitempty" jsonschema:"How long the same message is not sent again; 0 sends it each time."`
	Timeout    option.Duration `json:"timeout,omitempty" jsonschema:"How long sending it may take."`
}

func build(o options, spec trammel.Spec) (trammel.Handler, error) {
	p := &policy{options: o, state: spec.State}
	switch {
	case !p.Desktop && len(p.Command) == 0 && p.Webhook == "" && p.WebhookEnv == "":
		return nil, &option.Error{Message: "there is no way to tell anybody", Expected: "at least one of desktop, command, webhook, webhook_env"}
	case p.Webhook != "" && p.WebhookEnv != "":
		return nil, &option.Error{Key: "webhook_env", Message: "the webhook is named twice", Expected: "webhook or webhook_env"}
	case p.Timeout <= 0 || time.Duration(p.Timeout) > time.Minute:
		return nil, &option.Error{Key: "timeout", Message: "found " + p.Timeout.String(), Expected: "a time up to 1m: the agent waits for it"}
	case time.Duration(p.Repeat) >= state.Retention:
		return nil, &option.Error{Key: "repeat_after", Message: "found " + p.Repeat.String(), Expected: "at most 30 days"}
	}
	if p.Webhook != "" {
		if _, err := post.Parse(p.Webhook); err != nil {
			return nil, &option.Error{Key: "webhook", Message: err.Error()}
		}
	}
	var err error
	if p.title, err = template.New(p.Title); err != nil {
		return nil, &option.Error{Key: "title", Message: err.Error()}
	}
	if p.message, err = template.New(p.Message); err != nil {
		return nil, &option.Error{Key: "message", Message: err.Error()}
	}
	return p, nil
}

type policy struct {
	options
	title, message *template.Template
	state          trammel.State
}

// Waits returns true: programs and servers take time.
func (p *policy) Waits() bool { return true }

// Handle sends the notification in all configured ways at once. It returns when
// all are done or the time is up.
func (p *policy) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if !p.wanted(ev) {
		return trammel.Answer{}, nil
	}
	m, err := p.compose(ev)
	if err != nil {
		return trammel.Answer{}, err
	}
	if p.told(ctx, ev, m) {
		return trammel.Answer{}, nil
	}
	if ev.Rehearsal {
		return trammel.Answer{Diagnostics: []string{"would tell: " + m.Title + ": " + m.Text}}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(p.Timeout))
	defer cancel()
	var group sync.WaitGroup
	var failed [3]error
	if p.Desktop {
		group.Go(func() { failed[0] = desktop.Show(ctx, m.Title, m.Text) })
	}
	if len(p.Command) > 0 {
		group.Go(func() { failed[1] = m.run(ctx, p.Command, ev.Session.Dir) })
	}
	if url := p.url(); url != "" {
		group.Go(func() { failed[2] = m.send(ctx, url) })
	} else if p.WebhookEnv != "" {
		failed[2] = fmt.Errorf("the variable %s, which should hold the webhook, is not set", p.WebhookEnv)
	}
	group.Wait()
	return trammel.Answer{}, errors.Join(failed[:]...)
}

func (p *policy) wanted(ev *trammel.Event) bool {
	switch p.When {
	case "denied":
		return ev.Outcome != nil && ev.Outcome.Decision == trammel.Deny
	case "failed":
		return ev.Tool != nil && (ev.Tool.Failed || ev.Kind == trammel.PostToolFailure)
	}
	return true
}

func (p *policy) url() string {
	if p.WebhookEnv != "" {
		return os.Getenv(p.WebhookEnv)
	}
	return p.Webhook
}

// told reports whether the same notification was sent a short while ago. If that
// is unknown, it is sent again.
func (p *policy) told(ctx context.Context, ev *trammel.Event, m *message) bool {
	if p.Repeat == 0 {
		return false
	}
	counts, err := state.CountersOf(p.state, ev).Take(ctx, state.Claim{Key: []string{"notify", m.Title, m.Text, m.session}, N: 1, Limit: 1,
		Window: time.Duration(p.Repeat)})
	return err == nil && !state.Taken(counts)
}
