package feishu

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// VerifyAndParse implements channels.Answerer.
func (f *feishu) VerifyAndParse(_ context.Context, c *channels.Callback) (*channels.Decision, *channels.Reply, error) {
	body, sealed, err := f.open(c.Body)
	if err != nil {
		return nil, nil, channels.Unproved(err.Error())
	}
	var in callback
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, nil, channels.Unproved("it is not the expected JSON")
	}
	p := f.proof(c)
	switch {
	case in.Type == "url_verification":
		return f.challenge(&in, sealed)
	case in.Header != nil:
		return f.event(&in, p)
	case in.Action != nil:
		return f.legacy(&in, p, c.Body)
	}
	return nil, nil, channels.Unproved("this channel does not know this kind of callback")
}

// open decrypts a body, if it is encrypted.
func (f *feishu) open(body []byte) (plain []byte, sealed bool, err error) {
	var envelope struct {
		Encrypt string `json:"encrypt"`
	}
	if json.Unmarshal(body, &envelope) != nil || envelope.Encrypt == "" {
		return body, false, nil
	}
	if f.key == "" {
		return nil, false, errDecrypt
	}
	plain, err = decrypt(f.key, envelope.Encrypt)
	return plain, true, err
}

// proof is what the headers of a callback prove.
type proof struct {
	key, token bool // a signature made with the encrypt key, or with the verification token
	timed      bool // a timestamp
	fresh      bool // the timestamp is about now
}

func (f *feishu) proof(c *channels.Callback) proof {
	timestamp, nonce := c.Header.Get("X-Lark-Request-Timestamp"), c.Header.Get("X-Lark-Request-Nonce")
	given := c.Header.Get("X-Lark-Signature")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	p := proof{timed: timestamp != "", fresh: err == nil && channels.Fresh(f.env.Now(), seconds)}
	p.key = f.key != "" && same(given, signature2(timestamp, nonce, f.key, c.Body))
	p.token = f.verify != "" && same(given, signature1(timestamp, nonce, f.verify, c.Body))
	return p
}

// callback holds all shapes: the envelope with a header, the older flat one,
// and the URL verification.
type callback struct {
	Type      string `json:"type"`
	Challenge string `json:"challenge"`
	Token     string `json:"token"`
	Header    *struct {
		ID      string `json:"event_id"`
		Type    string `json:"event_type"`
		Created string `json:"create_time"`
		Token   string `json:"token"`
		App     string `json:"app_id"`
	} `json:"header"`
	Event struct {
		Operator struct {
			OpenID string `json:"open_id"`
		} `json:"operator"`
		Token   string  `json:"token"`
		Action  *action `json:"action"`
		Context struct {
			Message string `json:"open_message_id"`
			Chat    string `json:"open_chat_id"`
		} `json:"context"`
	} `json:"event"`
	OpenID  string  `json:"open_id"`
	Message string  `json:"open_message_id"`
	Chat    string  `json:"open_chat_id"`
	Action  *action `json:"action"`
}

type action struct {
	Value json.RawMessage `json:"value"`
	Form  struct {
		Comment string `json:"comment"`
	} `json:"form_value"`
}

// challenge answers the URL verification, if the sender knows the token or the
// key.
func (f *feishu) challenge(in *callback, sealed bool) (*channels.Decision, *channels.Reply, error) {
	if f.verify != "" && !same(in.Token, f.verify) || f.verify == "" && !sealed {
		return nil, nil, channels.Unproved("the token is wrong")
	}
	r := channels.JSON(http.StatusOK, map[string]string{"challenge": in.Challenge})
	return nil, &r, nil
}

// event reads the envelope with a header. With an encrypt key it must be
// signed; the token must match if there is one.
func (f *feishu) event(in *callback, p proof) (*channels.Decision, *channels.Reply, error) {
	h := in.Header
	if !p.timed && f.key == "" {
		p.fresh = f.recent(h.Created)
	}
	switch {
	case f.key != "" && !p.key:
		return nil, nil, channels.Unproved("the signature is missing or wrong")
	case f.verify != "" && !same(h.Token, f.verify):
		return nil, nil, channels.Unproved("the token is wrong")
	case !p.fresh:
		return nil, nil, channels.Unproved("the timestamp is missing or too far from now")
	case h.App != f.AppID:
		return nil, nil, channels.Foreign("this is from another app")
	case h.Type != "card.action.trigger" && h.Type != "card.action.trigger_v1" || in.Event.Action == nil:
		return nil, &nothing, nil
	case h.ID == "":
		return nil, nil, channels.Malformed("it has no event_id")
	}
	e := &in.Event
	d := &channels.Decision{Identity: "feishu:" + e.Operator.OpenID, Target: e.Context.Chat, Ref: e.Context.Message, Event: h.ID,
		Back: &back{}}
	if d.Target == "" {
		return nil, nil, channels.Malformed("it does not say which chat it is from")
	}
	return f.decision(d, e.Action)
}

// legacy reads the flat shape of older cards, which has no token: only its
// signature proves anything, and if there is an encrypt key, the signature must
// be made with it.
func (f *feishu) legacy(in *callback, p proof, body []byte) (*channels.Decision, *channels.Reply, error) {
	switch {
	case !p.key && (f.key != "" || !p.token):
		return nil, nil, channels.Unproved("the signature is missing or wrong")
	case !p.fresh:
		return nil, nil, channels.Unproved("the timestamp is missing or too far from now")
	}
	sum := sha256.Sum256(body)
	d := &channels.Decision{Identity: "feishu:" + in.OpenID, Target: in.Chat, Ref: in.Message, Event: "body " + hex.EncodeToString(sum[:]),
		Back: &back{update: in.Token, legacy: true}}
	return f.decision(d, in.Action)
}

// recent reports whether a time in microseconds, as events have it, or in
// milliseconds, as some had it, is about now.
func (f *feishu) recent(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return false
	}
	for n > 1e11 { // seconds have ten digits for the next centuries
		n /= 1000
	}
	return channels.Fresh(f.env.Now(), n)
}

// nothing is the reply to a callback that needs no answer.
var nothing = channels.JSON(http.StatusOK, object{})

// decision reads the value of a button: an object, or an object in a string.
func (f *feishu) decision(d *channels.Decision, act *action) (*channels.Decision, *channels.Reply, error) {
	raw := act.Value
	var inside string
	if json.Unmarshal(raw, &inside) == nil {
		raw = json.RawMessage(inside)
	}
	var value struct {
		Approval string `json:"confirmation_id"`
		Decision string `json:"decision"`
		Nonce    string `json:"nonce"`
		Digest   string `json:"digest"`
	}
	err := json.Unmarshal(raw, &value)
	d.Approval, d.Nonce, d.Digest, d.Comment = value.Approval, value.Nonce, value.Digest, act.Form.Comment
	d.Approve = value.Decision == "approve"
	switch {
	case err != nil, d.Approval == "", value.Decision != "approve" && value.Decision != "reject":
		r := toast("error", "This button cannot be read", "无法识别该按钮", nil)
		return nil, &r, nil
	case d.Identity == "feishu:" || d.Ref == "":
		return nil, nil, channels.Malformed("it does not say who clicked on what")
	case f.ChatType == "chat_id" && d.Target != "" && d.Target != f.Chat:
		return nil, nil, channels.Foreign("this is from another chat")
	}
	return d, nil, nil
}
