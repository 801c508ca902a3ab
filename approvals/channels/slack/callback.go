package slack

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/store"
)

// value is the value of a button: the approval, its nonce, and the digest of
// the shown call.
func value(a *store.Approval) string { return a.ID + "." + a.Nonce + "." + approvals.Shown(a) }

func parseValue(text string, d *channels.Decision) bool {
	parts := strings.Split(text, ".")
	if len(parts) != 3 || slices.Contains(parts, "") {
		return false
	}
	d.Approval, d.Nonce, d.Digest = parts[0], parts[1], parts[2]
	return true
}

func signature(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("v0:" + timestamp + ":"))
	mac.Write(body)
	return "v0=" + hex.EncodeToString(mac.Sum(nil))
}

func verify(secret string, h http.Header, body []byte, now time.Time) error {
	timestamp := h.Get("X-Slack-Request-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	switch {
	case secret == "":
		return channels.Unproved("there is no signing secret to verify this with")
	case timestamp == "" || h.Get("X-Slack-Signature") == "":
		return channels.Unproved("the signature is missing")
	case err != nil || !channels.Fresh(now, seconds):
		return channels.Unproved("the timestamp is too far from now")
	case !hmac.Equal([]byte(signature(secret, timestamp, body)), []byte(h.Get("X-Slack-Signature"))):
		return channels.Unproved("the signature is wrong")
	}
	return nil
}

// VerifyAndParse implements channels.Answerer.
func (s *slack) VerifyAndParse(ctx context.Context, c *channels.Callback) (*channels.Decision, *channels.Reply, error) {
	if err := verify(s.secret, c.Header, c.Body, s.env.Now()); err != nil {
		return nil, nil, err
	}
	if reply := challenge(c.Body); reply != nil {
		return nil, reply, nil
	}
	form, err := url.ParseQuery(string(c.Body))
	if err != nil || form.Get("payload") == "" {
		return nil, nil, channels.Malformed("there is no payload")
	}
	return s.parse(ctx, []byte(form.Get("payload")))
}

// challenge answers the URL verification.
func challenge(body []byte) *channels.Reply {
	var q struct{ Type, Challenge string }
	if json.Unmarshal(body, &q) != nil || q.Type != "url_verification" {
		return nil
	}
	r := channels.JSON(http.StatusOK, map[string]string{"challenge": q.Challenge})
	return &r
}

// interaction is the part that we read of a user's action in Slack.
type interaction struct {
	Type  string `json:"type"`
	AppID string `json:"api_app_id"`
	Team  struct {
		ID string `json:"id"`
	} `json:"team"`
	User struct {
		ID   string `json:"id"`
		Team string `json:"team_id"`
	} `json:"user"`
	Container struct {
		Channel string `json:"channel_id"`
		TS      string `json:"message_ts"`
	} `json:"container"`
	Channel struct {
		ID string `json:"id"`
	} `json:"channel"`
	Message struct {
		TS string `json:"ts"`
	} `json:"message"`
	Trigger     string `json:"trigger_id"`
	ResponseURL string `json:"response_url"`
	Actions     []struct {
		ID    string `json:"action_id"`
		Value string `json:"value"`
		At    string `json:"action_ts"`
	} `json:"actions"`
	View struct {
		ID       string `json:"id"`
		Callback string `json:"callback_id"`
		Metadata string `json:"private_metadata"`
		State    struct {
			Values map[string]map[string]struct {
				Value string `json:"value"`
			} `json:"values"`
		} `json:"state"`
	} `json:"view"`
}

// done is an empty reply.
var done = channels.Reply{Status: http.StatusOK}

// parse reads a verified interaction.
func (s *slack) parse(ctx context.Context, payload []byte) (*channels.Decision, *channels.Reply, error) {
	var in interaction
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, channels.Malformed("the payload is not the expected JSON")
	}
	switch {
	case s.AppID != "" && in.AppID != s.AppID:
		return nil, nil, channels.Foreign("this is from another app")
	case s.Team != "" && in.Team.ID != s.Team:
		return nil, nil, channels.Foreign("this is from another workspace")
	case in.User.ID == "" || in.Team.ID == "" && in.User.Team == "":
		return nil, nil, channels.Malformed("it does not say who did it")
	}
	d := &channels.Decision{Identity: "slack:" + or(in.User.Team, in.Team.ID) + "/" + in.User.ID, Back: &in}
	switch in.Type {
	case "block_actions":
		return s.click(ctx, &in, d)
	case "view_submission":
		return submission(&in, d)
	}
	return nil, &done, nil
}

// click reads a click on a button of a message.
func (s *slack) click(ctx context.Context, in *interaction, d *channels.Decision) (*channels.Decision, *channels.Reply, error) {
	if len(in.Actions) != 1 || in.Actions[0].ID != approveAction && in.Actions[0].ID != rejectAction {
		return nil, &done, nil // a link, or a button that is not ours
	}
	act := in.Actions[0]
	d.Approve = act.ID == approveAction
	d.Target, d.Ref = or(in.Container.Channel, in.Channel.ID), or(in.Container.TS, in.Message.TS)
	switch {
	case !parseValue(act.Value, d):
		return nil, nil, channels.Malformed("the button has no value that we set")
	case d.Target == "" || d.Ref == "":
		return nil, nil, channels.Malformed("it does not say which message was clicked")
	case in.Channel.ID != "" && in.Channel.ID != d.Target, in.Message.TS != "" && in.Message.TS != d.Ref:
		return nil, nil, channels.Malformed("it names two messages")
	}
	d.Event = strings.Join([]string{"click", act.At, in.User.ID, act.ID, act.Value}, " ")
	if !d.Approve && s.askWhy(ctx, in, act.Value) == nil {
		return nil, &done, nil
	}
	return d, nil, nil // without a reason if the dialog cannot be opened
}

// submission reads a dialog that somebody has filled in.
func submission(in *interaction, d *channels.Decision) (*channels.Decision, *channels.Reply, error) {
	if in.View.Callback != reasonView {
		return nil, &done, nil
	}
	if !parseValue(in.View.Metadata, d) {
		return nil, nil, channels.Malformed("the dialog has no value that we set")
	}
	d.Comment = in.View.State.Values["r"]["reason"].Value
	d.Event = strings.Join([]string{"view", in.View.ID, in.User.ID, in.View.Metadata, d.Comment}, " ")
	return d, nil, nil
}

func or(a, b string) string {
	return cmp.Or(a, b)
}
