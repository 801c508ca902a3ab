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
	for options, says := range map[string]string{`{}`: "agents", `{"url":"x","agents":{"a":"b"}}`: "url", `{"agent":1}`: "agent"} {
		if _, err := Policy().New(trammel.Spec{Config: []byte(options)}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", options, err)
		}
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
