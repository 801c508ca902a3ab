package otlp

import "testing"

// An endpoint without a host is a mistake, and is told before anything is sent.
func TestEndpoints(t *testing.T) {
	for endpoint, ok := range map[string]bool{"http://127.0.0.1:4318": true, "": true, "127.0.0.1": false, "http:///x": false, "otlp": false,
		":": false} {
		e, err := Open(t.Context(), endpoint, "0")
		if (err == nil) != ok {
			t.Errorf("%q: %v", endpoint, err)
		}
		if err == nil {
			e.Close(t.Context())
		}
	}
}
