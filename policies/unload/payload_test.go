package unload_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/dockeragent"
	"github.com/trammel-dev/trammel/policies/unload"
)

// DA-50, systems 15: what docker-agent sends on a switch is enough: the payload
// names the models, and those of Docker Model Runner are unloaded.
func TestUnloadsWhatAPayloadNames(t *testing.T) {
	var got []string
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.URL.Path+" "+string(body))
	}))
	defer srv.Close()
	payload := strings.ReplaceAll(`{"session_id":"s","cwd":"/p","hook_event_name":"on_agent_switch","agent_name":"coder","from_agent":"coder",
		"to_agent":"writer","agent_switch_kind":"transfer_task","from_agent_models":[
		{"provider":"dmr","model":"ai/qwen3","base_url":"URL/engines/v1/"},
		{"provider":"dmr","model":"ai/smollm2","base_url":"URL/engines/v1/","unload_api":"/engines/free"},
		{"provider":"anthropic","model":"claude"}]}`, "URL", srv.URL)
	ev, err := dockeragent.Dialect.DecodeEvent([]byte(payload), "on_agent_switch")
	if err != nil {
		t.Fatal(err)
	}
	h, err := unload.Policy().New(trammel.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Handle(t.Context(), ev); err != nil {
		t.Fatal(err)
	}
	if want := `/engines/_unload {"model":"ai/qwen3"} /engines/free {"model":"ai/smollm2"}`; strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}
