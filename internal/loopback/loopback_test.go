package loopback

import "testing"

func TestIs(t *testing.T) {
	for host, want := range map[string]bool{"localhost": true, "LocalHost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"::ffff:127.0.0.1": true, "": false, "0.0.0.0": false, "::": false, "10.0.0.1": false, "localhost.example.com": false,
		"127.0.0.1.example.com": false, "[::1]": false, "127.1": false} {
		if got := Is(host); got != want {
			t.Errorf("Is(%q) = %v", host, got)
		}
	}
}
