package slack

import "testing"

// Slack's published example, and ours (FIM-32).
func TestVectors(t *testing.T) {
	const secret = "8f742231b10e8888abcd99yyyzzz85a5"
	for _, c := range []struct{ ts, body, want string }{
		{"1531420618", "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&" +
			"channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&" +
			"response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&" +
			"trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
			"v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"},
		{"1700000000", "payload=%7B%22type%22%3A%22block_actions%22%2C%22user%22%3A%7B%22id%22%3A%22U1%22%7D%2C%22actions%22%3A%5B%7B" +
			"%22action_id%22%3A%22hook_approve%22%2C%22value%22%3A%22apr_1%22%7D%5D%7D",
			"v0=6c41d548eb54ca239d31d8fc95a3b5cc038f93d49ef105c53a54d5443bdf66a7"},
	} {
		if got := signature(secret, c.ts, []byte(c.body)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
