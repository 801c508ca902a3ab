// Package slack reaches people in a Slack channel: a message with buttons that
// is kept up to date, a dialog for the reason of a rejection. Clicks arrive
// signed over HTTP, or over a socket that we open (Socket Mode), so that Slack
// does not need to reach us.
package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

// options are what a Slack channel is declared with.
type options struct {
	Type              string `json:"type"`
	BaseURL           string `json:"base_url"`
	Channel           string `json:"channel"`
	Team              string `json:"team"`
	AppID             string `json:"app_id"`
	TokenEnv          string `json:"token_env"`
	TokenFile         string `json:"token_file"`
	SigningSecretEnv  string `json:"signing_secret_env"`
	SigningSecretFile string `json:"signing_secret_file"`
	AppTokenEnv       string `json:"app_token_env"`
	AppTokenFile      string `json:"app_token_file"`
}

// slack answers over HTTP; socket, which embeds it, over a socket.
type slack struct {
	options
	token, secret, appToken string
	env                     *channels.Env
}

// Open makes a Slack channel. With an app token it uses Socket Mode.
func Open(_ string, raw []byte, env *channels.Env) (channels.Channel, error) {
	s := &slack{options: options{BaseURL: "https://slack.com"}, env: env}
	if err := channels.Read(raw, &s.options); err != nil {
		return nil, err
	}
	var err error
	if s.BaseURL, err = channels.Address(s.BaseURL); err != nil {
		return nil, fmt.Errorf("base_url: %w", err)
	}
	if s.Channel == "" {
		return nil, fmt.Errorf("channel is missing")
	}
	if s.token, err = env.Need(channels.Secret{Option: "token", Env: s.TokenEnv, File: s.TokenFile}); err != nil {
		return nil, err
	}
	if s.secret, err = env.Secret(channels.Secret{Option: "signing_secret", Env: s.SigningSecretEnv, File: s.SigningSecretFile}); err != nil {
		return nil, err
	}
	if s.appToken, err = env.Secret(channels.Secret{Option: "app_token", Env: s.AppTokenEnv, File: s.AppTokenFile}); err != nil {
		return nil, err
	}
	switch {
	case s.appToken != "":
		return &socket{s}, nil
	case s.secret == "":
		return nil, fmt.Errorf("signing_secret_env or app_token_env is missing: clicks could not be verified")
	}
	return s, nil
}

// Deliver implements channels.Channel. Slack does not detect a message that is
// sent twice; only the one whose reference was stored can be answered.
func (s *slack) Deliver(ctx context.Context, a *store.Approval) (channels.Message, error) {
	var got struct{ Channel, TS string }
	err := s.put(ctx, "chat.postMessage", a, object{"channel": s.Channel, "unfurl_links": false, "unfurl_media": false,
		"metadata": object{"event_type": "hook_approval", "event_payload": object{"approval_id": a.ID}}}, &got)
	if err != nil {
		return channels.Message{}, err
	}
	if got.Channel == "" || got.TS == "" {
		return channels.Message{}, &channels.Failure{Detail: "slack: the answer has no channel or timestamp of the message"}
	}
	return channels.Message{Target: got.Channel, Ref: got.TS}, nil
}

// Update implements channels.Channel. Nobody notices that a message has changed,
// so a reminder is a reply below it.
func (s *slack) Update(ctx context.Context, d *store.Delivery, a *store.Approval) error {
	err := s.put(ctx, "chat.update", a, object{"channel": d.Target, "ts": d.Ref}, nil)
	if err != nil || !channels.StandingOf(a).Nudges(channels.ParseStanding(d.Shows)) {
		return err
	}
	text := "Approval " + a.ID + " is still waiting. Needs " + show.Needs(a)
	return s.call(ctx, "chat.postMessage", s.token, object{"channel": d.Target, "thread_ts": d.Ref, "reply_broadcast": true,
		"text": markup.Replace(text)}, nil)
}

// Notify implements channels.Notifier.
func (s *slack) Notify(ctx context.Context, n *channels.Notice) error {
	blocks := []object{{"type": "header", "text": plain(n.Title, 150)}}
	if n.Text != "" {
		blocks = append(blocks, object{"type": "section", "text": plain(n.Text, 3000)})
	}
	return s.call(ctx, "chat.postMessage", s.token, object{"channel": s.Channel, "unfurl_links": false, "unfurl_media": false,
		"text": markup.Replace(n.Title), "blocks": blocks}, nil)
}

// put sends an approval as a message. If Slack refuses the whole message, it
// sends the short form: the limit is not documented.
func (s *slack) put(ctx context.Context, method string, a *store.Approval, where object, out any) error {
	send := func(f form) error {
		m := s.message(a, f)
		maps.Copy(m, where)
		return s.call(ctx, method, s.token, m, out)
	}
	err := send(long)
	var f *channels.Failure
	if errors.As(err, &f) && slices.Contains(tooLong, f.Code) {
		err = send(short)
	}
	return err
}

// Slack's errors for a message that is too long, and for one that can no longer
// be changed.
var (
	tooLong = []string{"msg_too_long", "msg_blocks_too_long", "invalid_blocks", "invalid_blocks_format"}
	gone    = []string{"message_not_found", "cant_update_message", "edit_window_closed"}
)

// call calls a method of Slack's API. It says in the body whether it worked.
func (s *slack) call(ctx context.Context, method, token string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	h := http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json; charset=utf-8"}}
	r, err := s.env.Call(ctx, http.MethodPost, s.BaseURL+"/api/"+method, h, body)
	if err != nil {
		return err
	}
	var reply struct {
		OK    bool   `json:"ok"`
		Error string `json:"error"`
	}
	switch err := r.Decode(&reply); {
	case err != nil:
		return err
	case reply.Error == "ratelimited":
		return &channels.Failure{Detail: "slack: too many calls", After: 2 * time.Second}
	case !reply.OK:
		return &channels.Failure{Detail: fmt.Sprintf("slack: %s: %.200s", method, reply.Error), Code: reply.Error,
			Gone: slices.Contains(gone, reply.Error)}
	case out == nil:
		return nil
	}
	return r.Decode(out)
}
