package httppost

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
)

func made(t *testing.T, options map[string]any) trammel.Handler {
	t.Helper()
	data, err := canonical.Append(nil, options)
	if err != nil {
		t.Fatal(err)
	}
	h, err := Policy().New(trammel.Spec{Config: data})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestPosts(t *testing.T) {
	var calls atomic.Int32
	status := 204
	stop := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		body, _ := io.ReadAll(r.Body)
		if string(body) != `{"text":"done"}` || r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %v %s", r.Method, r.Header, body)
		}
		if status == 0 {
			<-stop
			return
		}
		w.WriteHeader(status)
	}))
	defer srv.Close()
	defer close(stop)
	ev := &trammel.Event{Kind: trammel.SessionEnd, Prompt: &trammel.Prompt{Text: "secret of the event"}}
	for _, c := range []struct {
		private bool
		status  int
		calls   int32
		says    string
	}{
		{false, 204, 0, "private network"}, // DA-50: refused where it is dialled
		{true, 204, 1, "status 204"},
		{true, 500, 1, "status 500"},
		{true, 503, 1, "status 503"},
		{true, 0, 1, "did not answer in time"},
	} {
		calls.Store(0)
		status = c.status
		limit := "1m"
		if c.status == 0 {
			limit = "2s" // long enough to be called
		}
		h := made(t, map[string]any{"url": srv.URL, "body": `{"text":"done"}`, "allow_private": c.private, "timeout": limit})
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		a, err := h.Handle(ctx, ev)
		cancel()
		if err != nil || calls.Load() != c.calls || !strings.Contains(a.Diagnostics[0], c.says) {
			t.Errorf("%+v: %v, %v, %d calls", c, a.Diagnostics, err, calls.Load())
		}
	}
}

func TestRefusesOptions(t *testing.T) {
	for options, says := range map[string]string{`{}`: "url", `{"url":"file:///etc/passwd"}`: "scheme",
		`{"url":"https://x","timeout":"0s"}`: "timeout", `{"url":"https://x","args":[]}`: "args"} {
		if _, err := Policy().New(trammel.Spec{Config: []byte(options)}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", options, err)
		}
	}
}

func TestARehearsalPostsNothing(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was posted") }))
	defer srv.Close()
	h := made(t, map[string]any{"url": srv.URL + "/x?key=secret", "allow_private": true})
	a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.Stop, Rehearsal: true})
	if said := strings.Join(a.Diagnostics, ""); err != nil || !strings.HasPrefix(said, "would post to "+srv.URL) ||
		strings.Contains(said, "secret") {
		t.Errorf("%q, %v", said, err)
	}
}
