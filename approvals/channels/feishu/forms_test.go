package feishu

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// What a click must say where the token alone proves it, and in the older shape:
// each row replaces a part of a whole one.
func TestForms(t *testing.T) {
	const (
		token    = `"token":"vtok"`
		app      = `"app_id":"cli_x"`
		created  = `"create_time":"1700000000000000"`
		operator = `"operator":{"open_id":"ou"}`
		value    = `"value":{"confirmation_id":"a","decision":"approve","nonce":"n","digest":"d"}`
		context  = `"context":{"open_message_id":"m","open_chat_id":"oc_1"}`
		kind     = `"event_type":"card.action.trigger"`
		id       = `"event_id":"e"`
		event    = `{"header":{` + id + `,` + kind + `,` + created + `,` + token + `,` + app + `},"event":{` + operator +
			`,"action":{` + value + `},` + context + `}}`
		person = `"open_id":"ou"`
		legacy = `{` + person + `,"open_message_id":"m","open_chat_id":"oc_1","action":{` + value + `}}`
	)
	made := func(token, key string) *feishu {
		return &feishu{options: options{AppID: "cli_x", Chat: "oc_1", ChatType: "chat_id"}, verify: token, key: key,
			env: &channels.Env{Now: func() time.Time { return time.Unix(1_700_000_000, 0) }}}
	}
	f, sealed, sealedOnly := made("vtok", ""), made("vtok", "ek-123"), made("", "ek-123")
	const counts, nothing, refused = "counts", "nothing", "refused"
	for _, c := range []struct{ whole, part, by, want string }{
		{event, "", "", counts}, {legacy, "", "", counts},
		{event, token, `"token":"other"`, refused}, {event, token, `"token":""`, refused}, {event, token, `"token":null`, refused},
		{event, token, `"x":1`, refused}, {event, token, `"token":["vtok"]`, refused}, {event, token, `"token":"vtok "`, refused},
		{event, token, `"token":"VTOK"`, refused},
		{event, app, `"app_id":"cli_y"`, refused}, {event, app, `"app_id":""`, refused}, {event, app, `"x":1`, refused},
		{event, created, `"create_time":"1699999700000000"`, counts}, {event, created, `"create_time":"1699999699000000"`, refused},
		{event, created, `"create_time":"1700000300000"`, counts}, {event, created, `"create_time":"1700000301000"`, refused},
		{event, created, `"create_time":"1700000000"`, counts}, {event, created, `"create_time":"-1700000000"`, refused},
		{event, created, `"create_time":""`, refused}, {event, created, `"create_time":"x"`, refused}, {event, created, `"x":1`, refused},
		{event, created, `"create_time":1700000000`, refused}, {event, created, `"create_time":"9223372036854775807"`, refused},
		{event, operator, `"operator":{}`, refused}, {event, operator, `"operator":null`, refused}, {event, operator, `"x":1`, refused},
		{event, operator, `"operator":{"open_id":""}`, refused}, {event, operator, `"operator":{"open_id":1}`, refused},
		{event, context, `"x":1`, refused}, {event, context, `"context":{"open_message_id":"m"}`, refused},
		{event, context, `"context":{"open_chat_id":"oc_1"}`, refused},
		{event, context, `"context":{"open_message_id":"m","open_chat_id":"oc_2"}`, refused},
		{event, kind, `"event_type":"im.message"`, nothing}, {event, kind, `"x":1`, nothing},
		{event, kind, `"event_type":"card.action.trigger_v1"`, counts},
		{event, id, `"event_id":""`, refused}, {event, id, `"x":1`, refused},
		{event, `"action"`, `"actions"`, nothing}, {event, `"header":{`, `"header":null,"x":{`, refused},
		{event, value, `"value":{"confirmation_id":"","decision":"approve"}`, nothing}, {event, value, `"value":{"decision":"approve"}`, nothing},
		{event, value, `"value":{"confirmation_id":"a"}`, nothing},
		{event, value, `"value":{"confirmation_id":"a","decision":"Approve"}`, nothing},
		{event, value, `"value":{"confirmation_id":"a","decision":"approve "}`, nothing}, {event, value, `"value":null`, nothing},
		{event, value, `"value":[]`, nothing}, {event, value, `"value":"a"`, nothing}, {event, value, `"x":1`, nothing},
		{event, value, `"value":{"confirmation_id":"a","decision":true}`, nothing},
		{event, value, `"value":"{\"confirmation_id\":\"a\",\"decision\":\"approve\",\"nonce\":\"n\",\"digest\":\"d\"}"`, counts},
		{legacy, person, `"open_id":""`, refused}, {legacy, person, `"x":1`, refused}, {legacy, `"open_message_id":"m"`, `"x":1`, refused},
		{legacy, `"oc_1"`, `"oc_2"`, refused}, {legacy, `"action"`, `"actions"`, refused},
		{event, event, `{}`, refused}, {event, event, `null`, refused}, {event, event, `[]`, refused}, {event, event, ``, refused},
		{event, event, `{"encrypt":""}`, refused}, {event, event, `{"type":"url_verification"}`, refused},
		{event, event, `{"type":"url_verification","token":""}`, refused}, {event, event, `{"type":"url_verification","token":"vtok"}`, nothing},
	} {
		text := c.whole
		if c.part != "" {
			text = strings.Replace(text, c.part, c.by, 1)
		}
		h := http.Header{}
		if c.whole == legacy {
			h.Set("X-Lark-Request-Timestamp", "1700000000")
			h.Set("X-Lark-Signature", signature1("1700000000", "", "vtok", []byte(text)))
		}
		d, reply, err := f.VerifyAndParse(t.Context(), &channels.Callback{Header: h, Body: []byte(text)})
		got := nothing
		switch {
		case err != nil:
			got = refused
		case d != nil:
			got = counts
		case reply == nil:
			got = "neither"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s (%v)", text, got, c.want, err)
		}
		if d != nil && (d.Approval != "a" || d.Nonce != "n" || d.Digest != "d" || d.Identity != "feishu:ou" || !d.Approve || d.Ref != "m" ||
			d.Target != "oc_1" || d.Event == "") {
			t.Errorf("%s: %+v", text, d)
		}
		h.Set("X-Lark-Request-Timestamp", "1700000000") // all that is missing is the signature with the key
		for name, f := range map[string]*feishu{"with a key": sealed, "with a key alone": sealedOnly} {
			d, reply, err := f.VerifyAndParse(t.Context(), &channels.Callback{Header: h, Body: []byte(text)})
			if question := strings.Contains(text, "url_verification"); d != nil || err == nil && !(question && f.verify != "") {
				t.Errorf("%s: %s counts without its signature: %+v %+v", name, text, d, reply)
			}
		}
		if c.whole != legacy || d == nil {
			continue
		}
		for name, change := range map[string]func(h http.Header){
			"no signature":         func(h http.Header) { h.Del("X-Lark-Signature") },
			"signed with no token": func(h http.Header) { h.Set("X-Lark-Signature", signature1("1700000000", "", "", []byte(text))) },
			"signed with no key":   func(h http.Header) { h.Set("X-Lark-Signature", signature2("1700000000", "", "", []byte(text))) },
			"no time": func(h http.Header) {
				h.Del("X-Lark-Request-Timestamp")
				h.Set("X-Lark-Signature", signature1("", "", "vtok", []byte(text)))
			},
			"another nonce": func(h http.Header) { h.Set("X-Lark-Request-Nonce", "n") },
			"long ago": func(h http.Header) {
				h.Set("X-Lark-Request-Timestamp", "1699999699")
				h.Set("X-Lark-Signature", signature1("1699999699", "", "vtok", []byte(text)))
			},
		} {
			h := h.Clone()
			change(h)
			for _, f := range []*feishu{f, sealed, sealedOnly} {
				if d, _, err := f.VerifyAndParse(t.Context(), &channels.Callback{Header: h, Body: []byte(text)}); d != nil || err == nil {
					t.Errorf("%s: %+v", name, d)
				}
			}
		}
	}
}
