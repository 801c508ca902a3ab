package feishu

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// Whatever arrives, nothing panics, and a decision names who decided about what.
func FuzzCallback(f *testing.F) {
	f.Add([]byte(`{"encrypt":"`+click+`"}`), uint8(0))
	f.Add([]byte(`{"challenge":"x","token":"vtok","type":"url_verification"}`), uint8(1))
	f.Add([]byte(`{"header":{"event_id":"e","event_type":"card.action.trigger","token":"vtok","app_id":"cli_x"},"event":{"operator":`+
		`{"open_id":"ou"},"action":{"value":"{\"confirmation_id\":\"a\",\"decision\":\"reject\"}"},"context":{"open_message_id":"m",`+
		`"open_chat_id":"oc_1"}}}`), uint8(2))
	f.Add([]byte(`{"open_id":"ou","open_message_id":"m","action":{"value":{"confirmation_id":"a","decision":"approve"}}}`), uint8(1))
	ch := &feishu{options: options{AppID: "cli_x", Chat: "oc_1", ChatType: "chat_id"}, verify: "vtok", key: "ek-123",
		env: &channels.Env{Now: func() time.Time { return time.Unix(1_700_000_000, 0) }}}
	f.Fuzz(func(t *testing.T, body []byte, how uint8) {
		h := http.Header{}
		h.Set("X-Lark-Request-Timestamp", strconv.Itoa(1_700_000_000))
		switch how % 3 {
		case 0:
			h.Set("X-Lark-Signature", signature2("1700000000", "", "ek-123", body))
		case 1:
			h.Set("X-Lark-Signature", signature1("1700000000", "", "vtok", body))
		}
		d, reply, err := ch.VerifyAndParse(t.Context(), &channels.Callback{Header: h, Body: body})
		if (d != nil) == (reply != nil || err != nil) {
			t.Errorf("%v %v %v", d, reply, err)
		}
		if d != nil && (how%3 == 2 || d.Approval == "" || d.Identity == "feishu:" || d.Ref == "" || d.Event == "") {
			t.Errorf("%+v", d)
		}
		_, _ = decrypt("ek-123", string(body))
	})
}
