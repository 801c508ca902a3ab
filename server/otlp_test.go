package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"

	"github.com/trammel-dev/trammel/server/auth"
)

// Spans are exported with the names of GenAI beside our own, for events, hooks
// and approvals, and nothing of what an agent sent is in them.
func TestOTLP(t *testing.T) {
	var mu sync.Mutex
	paths, all := map[string]bool{}, ""
	spans := map[string]map[string]string{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		paths[r.URL.Path] = true
		all += string(body)
		var in coltrace.ExportTraceServiceRequest
		if r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &in) != nil {
			return
		}
		for _, s := range in.ResourceSpans[0].ScopeSpans[0].Spans {
			about := map[string]string{}
			for _, a := range s.Attributes {
				about[a.Key] = a.Value.GetStringValue()
			}
			spans[s.Name] = about
		}
	}))
	defer collector.Close()
	w := newWorld(t, gate)
	r := w.start(t, Options{OTLP: collector.URL})
	me, token := r.login(), r.token(auth.Agent)
	<-r.ask(token, w.event("s", "shell", map[string]any{"command": "git push --force PRIVATE"}))
	reply := r.ask(token, w.event("s", "release", map[string]any{"version": "PRIVATE"}))
	a := me.waiting()
	if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), nil); status != 200 {
		t.Fatal(status)
	}
	<-reply
	sent := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return spans["trammel.approval"] != nil && spans["execute_tool shell"] != nil
	}
	for end := time.Now().Add(time.Minute); !sent() && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for span, want := range map[string]map[string]string{
		"execute_tool shell": {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "shell", "trammel.decision": "deny",
			"gen_ai.conversation.id": "s", "trammel.host": "test"},
		"trammel.hook no-force": {"trammel.hook.id": "no-force", "trammel.decision": "deny"},
		"trammel.approval":      {"trammel.approval.id": a.ID, "trammel.hook.id": "release"},
	} {
		for key, value := range want {
			if spans[span][key] != value {
				t.Errorf("%s: %s is %q, want %q", span, key, spans[span][key], value)
			}
		}
	}
	if !paths["/v1/metrics"] || strings.Contains(all, "PRIVATE") {
		t.Errorf("%v; arguments are exported: %v", paths, strings.Contains(all, "PRIVATE"))
	}
}
