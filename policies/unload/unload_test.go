package unload

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
)

// DA-50: the models of the agent that is left are unloaded, and no others.
func TestUnloads(t *testing.T) {
	var mu sync.Mutex
	var bodies []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		bodies = append(bodies, r.Method+" "+r.URL.Path+" "+string(body))
		if strings.Contains(string(body), "gone") {
			w.WriteHeader(500)
		}
	}))
	options := []byte(`{"url":"` + srv.URL + `/engines/","agents":{"coder":["big","gone","shared"],"writer":"shared","other":["x"]}}`)
	h, err := Policy().New(trammel.Spec{Config: options})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(s *trammel.Switch) trammel.Answer {
		t.Helper()
		a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.AgentSwitch, Switch: s})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := ask(&trammel.Switch{From: "coder", To: "writer"})
	if want := []string{`POST /engines/_unload {"model":"big"}`, `POST /engines/_unload {"model":"gone"}`}; !slices.Equal(bodies, want) ||
		len(a.Diagnostics) != 2 {
		t.Errorf("%q, %q", bodies, a.Diagnostics)
	}
	bodies = nil
	ask(&trammel.Switch{From: "nobody", To: "coder"})
	ask(&trammel.Switch{From: "coder", To: "coder"})
	ask(nil)
	if len(bodies) > 0 {
		t.Errorf("%q", bodies)
	}
	srv.Close() // a server that is gone is no failure
	if a := ask(&trammel.Switch{From: "other", To: "coder"}); len(a.Diagnostics) != 1 || !strings.Contains(a.Diagnostics[0], "cannot reach") {
		t.Errorf("%q", a.Diagnostics)
	}
	for options, says := range map[string]string{`{"url":"x","agents":{"a":"b"}}`: "url", `{"agent":1}`: "agent"} {
		if _, err := Policy().New(trammel.Spec{Config: []byte(options)}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", options, err)
		}
	}
}

// DA-50, systems 15: docker-agent names the models of the agent that is left.
func TestUnloadsWhatTheHostNames(t *testing.T) {
	h, err := Policy().New(trammel.Spec{Config: []byte(`{"agents":{"coder":["a","listed"],"writer":["shared"]}}`)})
	if err != nil {
		t.Fatal(err)
	}
	got := h.(*handler).left(&trammel.Switch{From: "coder", To: "writer", Models: []trammel.ServedModel{
		{Provider: "dmr", Name: "a", URL: "http://127.0.0.1:1/engines/v1/"},
		{Provider: "dmr", Name: "b", URL: "http://127.0.0.1:1/engines", Unload: "free"},
		{Provider: "dmr", Name: "c", URL: "http://127.0.0.1:1/x?y=1", Unload: "/free"},
		{Provider: "dmr", Name: "d", Unload: "https://elsewhere/free"},
		{Provider: "dmr", Name: "shared", URL: "http://127.0.0.1:1"},
		{Provider: "dmr", Name: "nowhere"},
		{Provider: "openai", Name: "e", URL: "https://api.openai.com/v1"},
	}})
	want := []served{{"a", "http://127.0.0.1:1/engines/_unload"}, {"b", "http://127.0.0.1:1/free"}, {"c", "http://127.0.0.1:1/free?y=1"},
		{"d", "https://elsewhere/free"}, {"listed", "http://127.0.0.1:12434/engines/_unload"}}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestARehearsalUnloadsNothing(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was unloaded") }))
	defer srv.Close()
	h, err := Policy().New(trammel.Spec{Config: []byte(`{"url":"` + srv.URL + `","agents":{"coder":["big"]}}`)})
	if err != nil {
		t.Fatal(err)
	}
	a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.AgentSwitch, Switch: &trammel.Switch{From: "coder", To: "writer"},
		Rehearsal: true})
	if err != nil || !slices.Equal(a.Diagnostics, []string{"model big: would be unloaded"}) {
		t.Errorf("%q, %v", a.Diagnostics, err)
	}
}
