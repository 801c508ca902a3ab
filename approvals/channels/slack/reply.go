package slack

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/internal/visible"
)

// triggerTime is how long a dialog may take to open: Slack allows three seconds
// after the click, including our reply.
const triggerTime = 1500 * time.Millisecond

// askWhy opens a dialog for the reason of a rejection.
func (s *slack) askWhy(ctx context.Context, in *interaction, value string) error {
	ctx, stop := context.WithTimeout(ctx, triggerTime)
	defer stop()
	reason := object{"type": "input", "block_id": "r", "optional": true, "label": plain("Reason", 75),
		"element": object{"type": "plain_text_input", "action_id": "reason", "multiline": true, "max_length": 2000}}
	view := object{"type": "modal", "callback_id": reasonView, "private_metadata": value, "title": plain("Reject", 24),
		"submit": plain("Reject", 24), "close": plain("Cancel", 24), "blocks": []object{reason}}
	return s.call(ctx, "views.open", s.token, object{"trigger_id": in.Trigger, "view": view}, nil)
}

// RenderReply implements channels.Answerer. The message itself is updated for
// all; texts for the person who clicked are shown only to them.
func (s *slack) RenderReply(o *channels.Outcome) channels.Reply {
	if o.Refusal == nil {
		return done
	}
	text := visible.Line(o.Refusal.Detail)
	in := o.Back.(*interaction)
	if in.Type == "view_submission" {
		return channels.JSON(http.StatusOK, object{"response_action": "errors", "errors": object{"r": text}})
	}
	return channels.Reply{Status: http.StatusOK, After: func(ctx context.Context) error { return s.whisper(ctx, in.ResponseURL, text) }}
}

// whisper shows a text only to the person who clicked.
func (s *slack) whisper(ctx context.Context, address, text string) error {
	if !s.own(address) {
		return fmt.Errorf("slack: the response_url is not Slack's")
	}
	body, err := json.Marshal(object{"response_type": "ephemeral", "replace_original": false, "text": markup.Replace(text)})
	if err != nil {
		return err
	}
	r, err := s.env.Call(ctx, http.MethodPost, address, http.Header{"Content-Type": {"application/json; charset=utf-8"}}, body)
	if err == nil && r.Status/100 != 2 {
		err = &channels.Failure{Detail: fmt.Sprintf("slack: the response_url answered with status %d", r.Status)}
	}
	return err
}

// own reports whether an address belongs to Slack, or to its replacement in tests.
func (s *slack) own(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	return u.Scheme == "https" && (u.Host == "slack.com" || strings.HasSuffix(u.Host, ".slack.com")) ||
		u.Scheme+"://"+u.Host == s.BaseURL
}
