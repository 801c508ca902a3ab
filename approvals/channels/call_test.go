package channels_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals/channels"
)

// Only what a platform cannot take now is a failure, and how long to wait is
// bounded.
func TestCall(t *testing.T) {
	env := &channels.Env{Now: time.Now}
	for _, c := range []struct {
		status int
		retry  string
		after  time.Duration // 0 is no failure
	}{
		{200, "", 0}, {200, "5", 0}, {400, "5", 0}, {403, "", 0}, {429, "", time.Second}, {429, "5", 5 * time.Second},
		{429, "soon", time.Second}, {500, "", 0}, {503, "", 0}, {503, "7", 7 * time.Second}, {503, "100000", channels.MaxAfter},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.retry != "" {
				w.Header().Set("Retry-After", c.retry)
			}
			w.WriteHeader(c.status)
		}))
		r, err := env.Call(t.Context(), http.MethodPost, server.URL, http.Header{}, nil)
		server.Close()
		failure := (*channels.Failure)(nil)
		if errors.As(err, &failure); (err != nil) != (c.after > 0) || err != nil && (failure == nil || failure.After != c.after) {
			t.Errorf("%d, Retry-After %q: %v", c.status, c.retry, err)
		}
		if r == nil || r.Status != c.status {
			t.Errorf("%d: the answer is %+v", c.status, r)
		}
	}
}

// An address can be a secret, so no error contains it.
func TestErrorsDoNotHaveTheAddress(t *testing.T) {
	env := &channels.Env{Now: time.Now}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, address := range []string{gone.URL + "/very-secret", "http://very-secret:1%zz/", "ftp://host/very-secret"} {
		_, err := env.Call(t.Context(), http.MethodPost, address, http.Header{}, nil)
		if err == nil || strings.Contains(err.Error(), "very-secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
