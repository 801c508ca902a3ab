package slack

import "testing"

// What only concerns who clicked goes to Slack, and nowhere else.
func TestOwn(t *testing.T) {
	s := &slack{options: options{BaseURL: "http://127.0.0.1:80"}}
	for address, want := range map[string]bool{
		"https://hooks.slack.com/actions/T1/1/x": true, "https://slack.com/x": true, "http://127.0.0.1:80/respond": true,
		"http://hooks.slack.com/x": false, "https://hooks.slack.com.evil.example/": false, "https://evilslack.com/": false,
		"https://u@hooks.slack.com/": false, "http://127.0.0.1:81/": false, "": false, "file:///etc/passwd": false,
		"http://169.254.169.254/latest": false,
	} {
		if got := s.own(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
	if err := s.whisper(t.Context(), "http://169.254.169.254/", "x"); err == nil {
		t.Error("it was sent")
	}
}
