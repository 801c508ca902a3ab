//go:build unix

package repohooks

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

// AIC-27: a handler of kind http gets the context as a POST, and its response
// is the HookResult; one that cannot be reached has failed, and a guard blocks.
func TestHTTPHandler(t *testing.T) {
	reply, got := "", ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, reply)
	}))
	defer server.Close()
	w := newWorld(t, map[string]string{".system/hooks/g.yaml": hook("g", "PreAbilityCall", "match: {ability_scope: deploy}",
		"handler: {kind: http, url: "+server.URL+"}")}).trust()
	signal := `{"hook_signals":[{"source_event":"PreAbilityCall","hook_id":"g","kind":"ability_guard","code":"ABILITY_DENIED","payload":` +
		`{"ability_id":"deploy","reason":"Not on Fridays."}}],"usage_recorded":true,"logs":["token ghp_16C7e42F292c6912E7710c838347Ae178B4a"]}`
	for said, want := range map[string]trammel.Decision{signal: trammel.Deny, "{}": trammel.None, "[]": trammel.Deny, "<html>": trammel.Deny,
		strings.Replace(signal, `"hook_id":"g"`, `"hook_id":"x"`, 1): trammel.Deny} {
		reply = said
		r := w.must(call("deploy", map[string]any{"to": "prod"}))
		if r.Decision != want || !strings.Contains(got, `"ability_id":"deploy"`) || said == signal && r.Reason != "Not on Fridays." {
			t.Errorf("%s: %+v after %s", said, r, got)
		}
		if said == signal && (!r.UsageRecorded || strings.Contains(strings.Join(r.Logs, ""), "ghp_16C7e42F292c69")) {
			t.Errorf("AIC-40: %+v", r)
		}
	}
	if r := w.must(call("other", nil)); len(r.Ran) != 0 {
		t.Errorf("ran on another ability: %+v", r)
	}
	server.Close()
	if r := w.must(call("deploy", nil)); r.Decision != trammel.Deny || len(r.Errors) != 1 {
		t.Errorf("%+v", r)
	}
}
