package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
)

func csrfOf(c *http.Cookie) string { return auth.CSRF(c.Value) }

// documented holds an answer against the OpenAPI document.
func documented(t testing.TB, s *Server, method, path string, status int) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	for _, r := range s.routes() {
		pattern := "^" + inPath().ReplaceAllString(r.path, "[^/]+") + "$"
		if r.method == method && regexp.MustCompile(pattern).MatchString(path) {
			if !slices.Contains(r.allStatuses(), status) {
				t.Errorf("%s %s answered %d, which the document does not say", method, path, status)
			}
			return
		}
	}
}

// Every route is in the document, and every documented one is there: with the
// wrong method it says so, and nobody gets in without a credential.
func TestOpenAPI(t *testing.T) {
	r := newWorld(t, gate).start(t, Options{})
	var doc struct {
		Paths map[string]map[string]struct {
			Summary   string
			Security  []any
			Responses map[string]any
		}
		Components struct{ Schemas map[string]any }
	}
	if status := r.call("GET", "/v1/openapi.json", nil, &doc); status != http.StatusOK {
		t.Fatal(status)
	}
	n := 0
	for path, methods := range doc.Paths {
		for method, op := range methods {
			n++
			if op.Summary == "" || len(op.Responses) < 2 {
				t.Errorf("%s %s is not described", method, path)
			}
			res := r.send(strings.ToUpper(method), inPath().ReplaceAllString(path, "x"), "")
			res.Body.Close()
			_, told := op.Responses["404"]
			if res.StatusCode == http.StatusNotFound && !told || res.StatusCode == http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %s", method, path, res.Status)
			}
			if locked := res.StatusCode == http.StatusUnauthorized; len(op.Security) > 0 && !locked {
				t.Errorf("%s %s without a credential: %s", method, path, res.Status)
			}
		}
	}
	if n != len(r.routes()) {
		t.Errorf("%d operations are documented, %d routes are served", n, len(r.routes()))
	}
	text, _ := json.Marshal(doc.Components.Schemas)
	for _, m := range regexp.MustCompile(`"#/components/schemas/(\w+)"`).FindAllStringSubmatch(string(text), -1) {
		if doc.Components.Schemas[m[1]] == nil {
			t.Errorf("the schema %s is missing", m[1])
		}
	}
}

// Events are judged as everywhere: in our own language, or in a host's.
func TestEvents(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	token := r.token(auth.Agent)
	if v := <-r.ask(token, w.event("s", "shell", map[string]any{"command": "git push --force"})); v.Decision != "deny" ||
		!strings.HasPrefix(v.Reason, "No force.") {
		t.Errorf("%+v", v)
	}
	if v := <-r.ask(token, w.event("s", "shell", map[string]any{"command": "ls"})); v.Decision != "none" {
		t.Errorf("%+v", v)
	}
	payload := `{"session_id":"s","cwd":"` + w.project +
		`","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push --force"}}`
	var reply Reply
	in := Wrapped{Host: "claude-code", Event: "PreToolUse", Payload: json.RawMessage(payload)}
	if status := r.call("POST", "/v1/events", in, &reply, "Authorization", "Bearer "+token); status != 200 ||
		!strings.Contains(reply.Stdout, "No force.") {
		t.Errorf("%d %+v", status, reply)
	}
	for body, want := range map[string]int{`{"event":"pre_tool_use","unknown":1}`: 200, `{`: 200, `{"host":"nobody","payload":{}}`: 422,
		`{"payload":{},"extra":1}`: 422} {
		res := r.send("POST", "/v1/events", body, "Authorization", "Bearer "+token)
		res.Body.Close()
		if res.StatusCode != want || want == 200 && res.Header.Get("Trammel-Exit") != "2" {
			t.Errorf("%s: %s, exit %s", body, res.Status, res.Header.Get("Trammel-Exit"))
		}
	}
	// a viewer looks, and changes nothing: an event could use an approval, or end a session
	for _, event := range []string{`{"event":"pre_tool_use"}`, `{"host":"claude-code","event":"SessionEnd","payload":{}}`} {
		res := r.send("POST", "/v1/events", event, "Authorization", "Bearer "+r.token(auth.Viewer))
		if res.Body.Close(); res.StatusCode != http.StatusForbidden {
			t.Errorf("an event of a viewer: %s", res.Status)
		}
	}
	// an agent's token sees nothing
	for _, path := range []string{"/v1/approvals", "/v1/evidence?project=/x", "/v1/stream", "/metrics", "/v1/hooks"} {
		if status := r.call("GET", path, nil, nil, "Authorization", "Bearer "+token); status != http.StatusForbidden {
			t.Errorf("%s: %d", path, status)
		}
	}
	me := r.login()
	var list Evidence
	for end := time.Now().Add(time.Minute); len(list.Records) < 2 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if status := me.call("GET", "/v1/evidence?q=decision:deny+hook:no-force", nil, &list); status != 200 {
			t.Fatal(status)
		}
	}
	if len(list.Records) != 2 || list.Records[0].Project != w.project {
		t.Errorf("%+v", list)
	}
	for _, path := range []string{"/v1/evidence?q=nothing:here", "/v1/approvals?q=tool:~[", "/v1/evidence?before=x"} {
		if status := me.call("GET", path, nil, nil); status != 422 {
			t.Errorf("%s: %d", path, status)
		}
	}
	var hooks HookList
	if status := me.call("GET", "/v1/hooks?dir="+w.project, nil, &hooks); status != 200 || len(hooks.Hooks) < 2 {
		t.Errorf("%d %+v", status, hooks)
	}
	res := me.send("GET", "/metrics", "")
	defer res.Body.Close()
	text := new(strings.Builder)
	if _, err := io.Copy(text, res.Body); err != nil || !strings.Contains(text.String(),
		`trammel_events_total{decision="deny",event="pre_tool_use",host="test"} 1`) {
		t.Errorf("%v %s", err, text)
	}
}

// A call waits, a person approves with the secret, and it goes on, once.
func TestApproval(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	me, token := r.login(), r.token(auth.Agent)
	reply := r.ask(token, w.event("s", "release", map[string]any{"version": "2.0"}))
	a := me.waiting()
	for name, c := range map[string]struct {
		change func(d *Decision)
		want   int
		code   string
	}{
		"without a proof":   {func(d *Decision) { d.Secret = "" }, 401, "proof"},
		"with a wrong one":  {func(d *Decision) { d.Secret = "guess" }, 401, "proof"},
		"another nonce":     {func(d *Decision) { d.Nonce = "x" }, 409, "changed"},
		"another digest":    {func(d *Decision) { d.Digest = "x" }, 409, "changed"},
		"neither yes or no": {func(d *Decision) { d.Decision = "maybe" }, 422, ""},
	} {
		d, p := a.approve(), Problem{}
		c.change(&d)
		if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", d, &p); status != c.want || p.Code != c.code {
			t.Errorf("%s: %d %+v", name, status, p)
		}
	}
	if status := me.call("POST", "/v1/approvals/apr_none/decision", a.approve(), nil); status != 404 {
		t.Errorf("unknown: %d", status)
	}
	var after Approval
	if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), &after); status != 200 || after.State != "approved" &&
		after.State != "consumed" {
		t.Fatalf("%d %+v", status, after)
	}
	if v := <-reply; v.Decision != "allow" {
		t.Errorf("%+v", v)
	}
	if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), nil); status != 409 {
		t.Errorf("replayed: %d", status)
	}
}

// A server that ends answers who waits, and the request outlives it (FIM-22).
func TestRestart(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{})
	me, token := r.login(), r.token(auth.Agent)
	event := w.event("s", "release", map[string]any{"version": "2.0"})
	reply := r.ask(token, event)
	a := me.waiting()
	started := time.Now()
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	if v := <-reply; v.Decision != "deny" || !strings.Contains(v.Reason, a.ID) {
		t.Errorf("%+v", v)
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("it took %s to end", took)
	}
	next := w.start(t, Options{})
	again := *next
	again.cookie, again.csrf = me.cookie, me.csrf // the session outlives it, too
	if status := again.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), nil); status != 200 {
		t.Fatal(status)
	}
	if v := <-next.ask(token, event); v.Decision != "allow" {
		t.Errorf("%+v", v)
	}
}

// A client says how long it waits, in the words of RFC 7240: its call is parked
// in time, and people have as long as it waits (FIM-25).
func TestClientSaysHowLongItWaits(t *testing.T) {
	for header, want := range map[string]time.Duration{"": 0, "wait=600": 10 * time.Minute, "respond-async, Wait = 5": 5 * time.Second,
		`wait="7"`: 7 * time.Second, "wait=-1": 0, "wait=soon": 0, "wait": 0, "waits=5": 0, "wait=4000000000": maxWait, "wait=99999999999": 0} {
		if got := waitOf(http.Header{"Prefer": {header}}); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
	w := newWorld(t, strings.Replace(gate, "hold: 2m", "hold: 10m", 1))
	r := w.start(t, Options{})
	token := r.token(auth.Agent)
	for wait := 3; ; wait *= 2 { // a slow machine takes longer to ask at all
		var got verdict
		began := time.Now()
		status := r.call("POST", "/v1/events", json.RawMessage(w.event("s1", "release", map[string]any{"v": 1})), &got,
			"Authorization", "Bearer "+token, "Prefer", fmt.Sprint("wait=", wait))
		took := time.Since(began)
		if status != 200 || got.Decision != "deny" || took > time.Duration(wait)*time.Second+time.Minute || wait > 60 {
			t.Fatalf("%d %+v after %s", status, got, took)
		}
		if strings.Contains(got.Reason, "is waiting for") {
			return
		}
	}
}
