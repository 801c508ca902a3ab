package webhook

import "testing"

// The example of Standard Webhooks, and ours.
func TestVectors(t *testing.T) {
	k, err := keys("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ id, ts, body, want string }{
		{"msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", `{"test": 2432232314}`, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
		{"dlv_1", "1700000000",
			`{"type":"approval.decision","data":{"approval_id":"apr_1","args_sha256":"0000","decision":"approve","decider":{"id":"alice"}}}`,
			"v1,ghJfLgviFzFY5vR5wRYIUKmoJfVcnZjbJxORthnDHP0="},
	} {
		if got := sign(k[0], c.id, c.ts, []byte(c.body)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// A decision that names no decider, or no request, does not count.
func TestDecisionNamesItsDecider(t *testing.T) {
	const rest = `"decision":"approve"`
	for data, ok := range map[string]bool{
		`"approval_id":"apr_1","decider":{"id":"alice"}`: true,
		`"approval_id":"apr_1"`:                          false,
		`"approval_id":"apr_1","decider":{}`:             false,
		`"approval_id":"apr_1","decider":{"id":""}`:      false,
		`"decider":{"id":"alice"}`:                       false,
	} {
		d, err := decision([]byte(`{"type":"approval.decision","data":{` + data + `,` + rest + `}}`))
		if (err == nil) != ok {
			t.Errorf("%s: %+v, %v", data, d, err)
		}
	}
}

// A secret has to be one.
func TestKeys(t *testing.T) {
	for _, bad := range []string{"whsec_", "whsec_%%", "whsec_AAAA"} {
		if _, err := keys(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
	if k, err := keys("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw  whsec_QUFBQUFBQUFBQUFBQUFBQQ=="); err != nil || len(k) != 2 {
		t.Error(k, err)
	}
}
