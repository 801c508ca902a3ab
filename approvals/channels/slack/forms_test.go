package slack

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// What a click and a dialog must say: each row replaces a part of a whole one.
func TestForms(t *testing.T) {
	const (
		app      = `"api_app_id":"A1"`
		team     = `"team":{"id":"T1"}`
		user     = `"user":{"id":"U1"}`
		where    = `"container":{"message_ts":"1.2","channel_id":"C1"}`
		action   = `{"action_id":"hook_approve","value":"apr_1.n.d","action_ts":"9"}`
		click    = `{"type":"block_actions",` + app + `,` + team + `,` + user + `,` + where + `,"actions":[` + action + `]}`
		metadata = `"private_metadata":"apr_1.n.d"`
		dialog   = `{"type":"view_submission",` + app + `,` + team + `,` + user + `,"view":{"id":"V1","callback_id":"hook_reject_reason",` +
			metadata + `,"state":{"values":{"r":{"reason":{"value":"no"}}}}}}`
	)
	s := &slack{options: options{BaseURL: "http://127.0.0.1:1", AppID: "A1", Team: "T1"},
		env: &channels.Env{Now: time.Now, HTTP: &http.Client{Transport: nowhere{}}}}
	const counts, nothing, refused = "counts", "nothing", "refused"
	for _, c := range []struct{ whole, part, by, want string }{
		{click, "", "", counts}, {dialog, "", "", counts},
		{click, app, `"api_app_id":"A2"`, refused}, {click, app, `"x":1`, refused}, {click, app, `"api_app_id":""`, refused},
		{click, app, `"api_app_id":null`, refused}, {click, app, `"api_app_id":["A1"]`, refused},
		{click, team, `"team":{"id":"T2"}`, refused}, {click, team, `"team":null`, refused}, {click, team, `"team":{}`, refused},
		{click, user, `"user":null`, refused}, {click, user, `"user":{}`, refused}, {click, user, `"user":{"id":""}`, refused},
		{click, user, `"user":{"id":1}`, refused}, {click, user, `"user":"U1"`, refused},
		{click, user, `"user":{"id":"U1","team_id":"T9"}`, counts},
		{click, where, `"x":1`, refused}, {click, where, `"container":{"message_ts":"1.2"}`, refused},
		{click, where, `"container":{"channel_id":"C1"}`, refused}, {click, where, `"channel":{"id":"C1"},"message":{"ts":"1.2"}`, counts},
		{click, where, where + `,"channel":{"id":"C2"}`, refused}, {click, where, where + `,"message":{"ts":"1.3"}`, refused},
		{click, where, where + `,"message":{"ts":"1.2"},"channel":{"id":"C1"}`, counts},
		{click, action, ``, nothing}, {click, action, action + `,` + action, nothing},
		{click, action, `{"action_id":"hook_approves","value":"apr_1.n.d"}`, nothing},
		{click, action, `{"action_id":"Hook_Approve","value":"apr_1.n.d"}`, nothing}, {click, action, `{"value":"apr_1.n.d"}`, nothing},
		{click, action, `{"action_id":"hook_approve"}`, refused}, {click, action, `{"action_id":"hook_approve","value":""}`, refused},
		{click, action, `{"action_id":"hook_approve","value":"apr_1..d"}`, refused},
		{click, action, `{"action_id":"hook_approve","value":"apr_1.n."}`, refused},
		{click, action, `{"action_id":"hook_approve","value":"apr_1"}`, refused},
		{click, action, `{"action_id":"hook_approve","value":"apr_1.n"}`, refused},
		{click, action, `{"action_id":"hook_approve","value":"apr_1.n.d.e"}`, refused},
		{click, action, `{"action_id":"hook_approve","value":".n.d"}`, refused},
		{click, action, `{"action_id":"hook_approve","value":1}`, refused},
		{click, `"block_actions"`, `"block_action"`, nothing}, {click, `"block_actions"`, `null`, nothing},
		{click, click, `null`, refused}, {click, click, `[]`, refused}, {click, click, ``, refused},
		{dialog, metadata, `"private_metadata":""`, refused}, {dialog, metadata, `"x":1`, refused},
		{dialog, metadata, `"private_metadata":"apr_1.n"`, refused}, {dialog, metadata, `"private_metadata":".n.d"`, refused},
		{dialog, `"hook_reject_reason"`, `"other"`, nothing}, {dialog, user, `"user":{}`, refused},
		{dialog, `"state"`, `"states"`, counts},
	} {
		text := c.whole
		if c.part != "" {
			text = strings.Replace(text, c.part, c.by, 1)
		}
		d, reply, err := s.parse(t.Context(), []byte(text))
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
		if d == nil {
			continue
		}
		who := "slack:T1/U1"
		if strings.Contains(text, "T9") {
			who = "slack:T9/U1"
		}
		if d.Approval != "apr_1" || d.Nonce != "n" || d.Digest != "d" || d.Identity != who || d.Approve != (c.whole == click) || d.Event == "" {
			t.Errorf("%s: %+v", text, d)
		}
		if c.whole == click && (d.Target != "C1" || d.Ref != "1.2") {
			t.Errorf("%s: %+v", text, d)
		}
	}
}

// A signature counts for five minutes before and after, and only with a secret.
func TestSignatures(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		name, secret, at, given string // given is after the signature; "-" is instead of it
		ok                      bool
	}{
		{"now", "s", "1700000000", "", true},
		{"no secret", "", "1700000000", "", false},
		{"five minutes ago", "s", "1699999700", "", true},
		{"a second more", "s", "1699999699", "", false},
		{"in five minutes", "s", "1700000300", "", true},
		{"and a second", "s", "1700000301", "", false},
		{"never", "s", "9223372036854775807", "", false},
		{"long ago", "s", "-9223372036854775808", "", false},
		{"no number", "s", "now", "", false},
		{"no time", "s", "", "", false},
		{"no signature", "s", "1700000000", "-", false},
		{"another scheme", "s", "1700000000", "-v1=00", false},
		{"more of it", "s", "1700000000", "0", false},
	} {
		h := http.Header{}
		h.Set("X-Slack-Request-Timestamp", c.at)
		if given, instead := strings.CutPrefix(c.given, "-"); instead {
			h.Set("X-Slack-Signature", given)
		} else {
			h.Set("X-Slack-Signature", signature(c.secret, c.at, []byte("b"))+given)
		}
		if err := verify(c.secret, h, []byte("b"), now); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := verify(c.secret, h, []byte("c"), now); err == nil {
			t.Errorf("%s: counts for another body", c.name)
		}
	}
}
