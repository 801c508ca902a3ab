package webhook

import "testing"

// Whatever arrives, nothing panics, and a decision names who decided about what.
func FuzzDecision(f *testing.F) {
	f.Add([]byte(`{"type":"approval.decision","data":{"approval_id":"a","nonce":"n","args_sha256":"d","decision":"approve",` +
		`"decider":{"id":"al","display":"Al"},"comment":"c","edited_args":{"a":[1,null]}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if d, err := decision(body); err == nil && (d.Approval == "" || len(d.Identity) <= len("webhook:")) {
			t.Errorf("%+v", d)
		}
	})
}
