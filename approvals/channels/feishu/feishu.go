// Package feishu reaches people in a group chat of Feishu or Lark: a card with
// buttons and a field for a comment, kept up to date, and callbacks that count
// only with a signature or the app's token.
package feishu

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

// options are what a Feishu channel is declared with. base_url is
// https://open.larksuite.com for Lark.
type options struct {
	Type                  string `json:"type"`
	BaseURL               string `json:"base_url"`
	AppID                 string `json:"app_id"`
	Chat                  string `json:"chat"`
	ChatType              string `json:"chat_type" enum:"chat_id,open_id,user_id,union_id,email"`
	AppSecretEnv          string `json:"app_secret_env"`
	AppSecretFile         string `json:"app_secret_file"`
	VerificationTokenEnv  string `json:"verification_token_env"`
	VerificationTokenFile string `json:"verification_token_file"`
	EncryptKeyEnv         string `json:"encrypt_key_env"`
	EncryptKeyFile        string `json:"encrypt_key_file"`
}

type feishu struct {
	options
	name                string
	secret, verify, key string // the app's secret, the verification token, the encrypt key
	env                 *channels.Env
	token               token
}

// Open makes a Feishu channel.
func Open(name string, raw []byte, env *channels.Env) (channels.Channel, error) {
	f := &feishu{name: name, options: options{BaseURL: "https://open.feishu.cn", ChatType: "chat_id"}, env: env}
	if err := channels.Read(raw, &f.options); err != nil {
		return nil, err
	}
	var err error
	if f.BaseURL, err = channels.Address(f.BaseURL); err != nil {
		return nil, fmt.Errorf("base_url: %w", err)
	}
	if f.AppID == "" || f.Chat == "" {
		return nil, fmt.Errorf("app_id and chat must be set")
	}
	if f.secret, err = env.Need(channels.Secret{Option: "app_secret", Env: f.AppSecretEnv, File: f.AppSecretFile}); err != nil {
		return nil, err
	}
	f.verify, err = env.Secret(channels.Secret{Option: "verification_token", Env: f.VerificationTokenEnv, File: f.VerificationTokenFile})
	if err != nil {
		return nil, err
	}
	if f.key, err = env.Secret(channels.Secret{Option: "encrypt_key", Env: f.EncryptKeyEnv, File: f.EncryptKeyFile}); err != nil {
		return nil, err
	}
	if f.verify == "" && f.key == "" {
		return nil, fmt.Errorf("verification_token_env or encrypt_key_env is missing: clicks could not be verified")
	}
	return f, nil
}

// Deliver implements channels.Channel.
func (f *feishu) Deliver(ctx context.Context, a *store.Approval) (channels.Message, error) {
	var got struct {
		Message string `json:"message_id"`
		Chat    string `json:"chat_id"`
	}
	about := a.ID
	for _, d := range a.Deliveries { // a deleted message is not the one that is sent now
		if d.Channel == f.name && d.Ref != "" {
			about += " " + d.Ref
		}
	}
	err := f.put(a, func(card object) error { return f.post(ctx, "interactive", card, about, &got) })
	if err != nil {
		return channels.Message{}, err
	}
	if got.Message == "" {
		return channels.Message{}, &channels.Failure{Detail: "feishu: the answer has no message id"}
	}
	if got.Chat == "" && f.ChatType == "chat_id" {
		got.Chat = f.Chat
	}
	return channels.Message{Target: got.Chat, Ref: got.Message}, nil
}

// put sends an approval as a card; with only some of its arguments, if Feishu
// refuses the whole card.
func (f *feishu) put(a *store.Approval, send func(card object) error) error {
	err := send(f.card(a))
	var failure *channels.Failure
	if errors.As(err, &failure) && tooLong(failure.Code) {
		err = send(f.short(a))
	}
	return err
}

// post sends a message. Its uuid, derived from its subject, lets Feishu detect
// that it is sent twice.
func (f *feishu) post(ctx context.Context, kind string, content object, about string, out any) error {
	sum := sha256.Sum256([]byte(f.name + "\x00" + about))
	in := object{"receive_id": f.Chat, "msg_type": kind, "content": text(content), "uuid": hex.EncodeToString(sum[:16])}
	return f.call(ctx, http.MethodPost, "/open-apis/im/v1/messages?receive_id_type="+url.QueryEscape(f.ChatType), in, out)
}

// Update implements channels.Channel. Nobody notices that a card has changed,
// so a reminder is a separate message.
func (f *feishu) Update(ctx context.Context, d *store.Delivery, a *store.Approval) error {
	err := f.put(a, func(card object) error {
		return f.call(ctx, http.MethodPatch, "/open-apis/im/v1/messages/"+url.PathEscape(d.Ref), object{"content": text(card)}, nil)
	})
	is := channels.StandingOf(a)
	if err != nil || !is.Nudges(channels.ParseStanding(d.Shows)) {
		return err
	}
	reminder := "Approval " + a.ID + " is still waiting. Needs " + show.Needs(a)
	return f.post(ctx, "text", object{"text": inCode.Replace(reminder)}, a.ID+" "+is.String(), nil)
}

// Notify implements channels.Notifier.
func (f *feishu) Notify(ctx context.Context, n *channels.Notice) error {
	return f.post(ctx, "text", object{"text": inCode.Replace(strings.TrimSpace(n.Title + "\n" + n.Text))}, n.ID, nil)
}

// text is a card as a string, as Feishu requires.
func text(card object) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // escapes need more space
	_ = enc.Encode(card)     // texts and numbers
	return strings.TrimSpace(out.String())
}
