package slack

import (
	"net/http"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// Whatever arrives, nothing panics, and a decision names who decided about what.
func FuzzCallback(f *testing.F) {
	f.Add([]byte(`payload={"type":"block_actions","team":{"id":"T"},"user":{"id":"U"},"container":{"message_ts":"1","channel_id":"C"},` +
		`"actions":[{"action_id":"hook_approve","value":"a.b.c"}]}`))
	f.Add([]byte(`payload={"type":"view_submission","team":{"id":"T"},"user":{"id":"U"},"view":{"callback_id":"hook_reject_reason",` +
		`"private_metadata":"a.b.c","state":{"values":{"r":{"reason":{"value":"no"}}}}}}`))
	f.Add([]byte(`{"type":"url_verification","challenge":"x"}`))
	s := &slack{secret: "secret", options: options{BaseURL: "http://127.0.0.1:1"},
		env: &channels.Env{Now: func() time.Time { return time.Unix(1_700_000_000, 0) }, HTTP: &http.Client{Transport: nowhere{}}}}
	f.Fuzz(func(t *testing.T, body []byte) {
		h := http.Header{}
		h.Set("X-Slack-Request-Timestamp", "1700000000")
		h.Set("X-Slack-Signature", signature("secret", "1700000000", body))
		d, reply, err := s.VerifyAndParse(t.Context(), &channels.Callback{Header: h, Body: body})
		if (d != nil) == (reply != nil || err != nil) {
			t.Errorf("%v %v %v", d, reply, err)
		}
		if d != nil && (d.Approval == "" || d.Event == "" || len(d.Identity) < len("slack:T/U")) {
			t.Errorf("%+v", d)
		}
	})
}

type nowhere struct{}

func (nowhere) RoundTrip(*http.Request) (*http.Response, error) { return nil, http.ErrHandlerTimeout }
