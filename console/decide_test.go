package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

var release = call{tool: "Bash", input: map[string]any{"command": "./release.sh 2.0"}, effects: []string{"git push origin v2.0",
	"github.com"}}

// UI-11: the inbox and the card say what is asked, why, for whom and until when.
func TestInboxAndCard(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	_, body := al.get("/inbox")
	has(t, body, "Nothing waits, 0 decided today")
	a := s.ask(t, release)
	s.ask(t, call{tool: "Bash", input: release.input, session: "b2"})
	_, body = al.get("/inbox")
	has(t, body, "./release.sh 2.0", "×2 same", "0 of 1", "Review", "ASK", `data-until="`)
	_, body = al.get("/approvals/" + a.ID)
	has(t, body, "release-gate (trammel.yaml:14)", "This publishes a release", "main > reviewer", "you can decide", "git push origin v2.0",
		a.Digest, "/home/bo/api", "1 of group:release", "the call does not run", "can be made for 5 minutes")
	if strings.Index(body, `value="approve"`) < strings.Index(body, `id="args-end"`) {
		t.Error("approve comes before the arguments")
	}
}

// UI-12: deciding without script; what is shown is what the store has.
func TestDecide(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	a := s.ask(t, release)
	status, body := al.decide(a.ID, url.Values{"do": {"approve"}})
	has(t, body, "Approved by al", "can be used for")
	hasNot(t, body, `id="decide"`)
	if got := s.state(t, a.ID); status != 200 || got.State != store.Approved || got.Votes[0].Channel != "console" {
		t.Errorf("%d %+v", status, got)
	}
	b := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "rm"}})
	_, body = al.decide(b.ID, url.Values{"do": {"deny"}, "comment": {"not today"}})
	has(t, body, "Rejected by al", "not today")
	c := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "mv"}})
	_, body = al.decide(c.ID, url.Values{"do": {"deny"}, "option": {"Not now: ask again later."}})
	has(t, body, "Not now: ask again later.")
}

// UI-11, UI-13: other arguments are shown as a diff with what the guards say,
// and masked values stay references.
func TestEdit(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	a := s.ask(t, call{tool: "pay", input: map[string]any{"amount": int64(60000), "token": token, "to": "a\u202eb"}})
	_, body := al.get("/approvals/" + a.ID)
	hasNot(t, body, token, "\u202e")
	has(t, body, `a\u202eb`, "[REDACTED:github-token]", "1 value is masked", "<U+202E>")
	args := `{"amount":500,"to":"a\u202eb","token":"[REDACTED:github-token]"}`
	status, body := al.decide(a.ID, url.Values{"do": {"preview"}, "args": {args}})
	has(t, body, "shell-guard: nothing against it", "Approve as edited", `"amount": 500`, `"amount": 60000`)
	if got := s.state(t, a.ID); status != 200 || got.State != store.Pending || got.Edit != nil {
		t.Errorf("a preview has decided: %d %+v", status, got)
	}
	_, body = al.decide(a.ID, url.Values{"do": {"approve-edit"}, "args": {args}})
	has(t, body, "Approved by al", "What an approver has changed")
	got := s.state(t, a.ID)
	if got.State != store.Approved || !strings.Contains(string(got.Edit.Args), token) || !strings.Contains(string(got.Edit.Args), "500") {
		t.Errorf("%+v", got.Edit)
	}
	for args, want := range map[string]string{
		`{"amount":1,"token":"x [REDACTED:github-token]"}`: "has a masked value",
		`{"amount":`:                   "not a JSON object",
		`{"amount":1,"amount":2}`:      "not a JSON object",
		`{"amount":1,"token":"force"}`: "no-force denies the edited call",
	} {
		b := s.ask(t, call{tool: "pay", input: map[string]any{"amount": int64(len(args)), "token": token}})
		status, body := al.decide(b.ID, url.Values{"do": {"approve-edit"}, "args": {args}})
		has(t, body, want)
		if status != http.StatusUnprocessableEntity || s.state(t, b.ID).State != store.Pending {
			t.Errorf("%s: %d", args, status)
		}
	}
}

// UI-12, UI-28: every decision that does not count is refused with its reason,
// and changes nothing.
func TestRefusedDecisions(t *testing.T) {
	stale := func(s *site, t *testing.T) *visitor {
		return s.with(t, auth.Credential{Kind: auth.Session, Name: "al", Identity: "oidc:al", Role: auth.Approver,
			Proved: s.now().Add(-time.Hour)})
	}
	as := func(name string, role auth.Role) func(*site, *testing.T) *visitor {
		return func(s *site, t *testing.T) *visitor { return s.as(t, name, role) }
	}
	yes := url.Values{"do": {"approve"}}
	with := func(key, value string) url.Values { return url.Values{"do": {"approve"}, key: {value}} }
	for name, c := range map[string]struct {
		who    func(*site, *testing.T) *visitor
		call   call
		change url.Values
		before func(*testing.T, *site, *store.Approval)
		status int
		says   string
	}{
		"viewer":          {who: as("al", auth.Viewer), change: yes, status: 403, says: "viewer"},
		"not an approver": {who: as("di", auth.Approver), change: yes, status: 403, says: "not a known approver"},
		"requester":       {call: call{tool: "x", user: "oidc:al"}, change: yes, status: 403, says: "asked for this"},
		"stale proof":     {who: stale, change: yes, status: 403, says: "proof"},
		"wrong secret":    {who: stale, change: with("secret", "guess"), status: 403, says: "not the authority secret"},
		"another nonce":   {change: with("nonce", "x"), status: 409, says: "changed since you saw it"},
		"another digest":  {change: with("digest", "x"), status: 409, says: "changed since you saw it"},
		"foreign form":    {change: with("csrf", "x"), status: 403, says: "does not belong to your session"},
		"no form token":   {change: url.Values{"do": {"approve"}, "csrf": nil}, status: 403, says: "does not belong to your session"},
		"nothing to do":   {change: url.Values{}, status: 400, says: "does not say what to do"},
		"no reason":       {call: call{tool: "x", comment: true}, change: url.Values{"do": {"deny"}}, status: 422, says: "needs a reason"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			if c.who == nil {
				c.who = as("al", auth.Approver)
			}
			if c.call.tool == "" {
				c.call = release
			}
			a := s.ask(t, c.call)
			status, body := c.who(s, t).decide(a.ID, c.change)
			has(t, body, c.says)
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			if got := s.state(t, a.ID); got.State != store.Pending || len(got.Votes) != 0 {
				t.Errorf("it counted: %+v", got)
			}
		})
	}
}

// Test 5: what has ended while the card was open is final, and a late click
// says that nothing ran.
func TestTooLate(t *testing.T) {
	s := newSite(t)
	s.clock = time.Now()
	al, bo := s.as(t, "al", auth.Approver), s.as(t, "bo", auth.Approver)
	a := s.ask(t, release)
	_, open := al.get("/approvals/" + a.ID)
	if _, body := bo.decide(a.ID, url.Values{"do": {"deny"}, "comment": {"no"}}); !strings.Contains(body, "Rejected by bo") {
		t.Fatal(body)
	}
	f := form(open)
	f.Set("do", "approve")
	status, body := al.post("/approvals/"+a.ID, f)
	has(t, body, "it was rejected by bo")
	if status != 409 {
		t.Error(status)
	}
	b := s.ask(t, call{tool: "x"})
	_, open = al.get("/approvals/" + b.ID)
	s.mu.Lock()
	s.clock = s.clock.Add(time.Hour)
	s.mu.Unlock()
	al = s.as(t, "al", auth.Approver)
	f = form(open)
	f.Set("do", "approve")
	_, page := al.get("/inbox")
	f.Set("csrf", form(page).Get("csrf"))
	status, body = al.post("/approvals/"+b.ID, f)
	has(t, body, "has expired, nothing ran")
	if status != 410 {
		t.Error(status)
	}
}

// UI-28: where the proof is old or cannot be kept, the secret is asked for with
// each decision.
func TestSecretWithEachDecision(t *testing.T) {
	s := newSite(t)
	al := s.nobody(t)
	if status, body := al.post("/login", url.Values{"secret": {theSecret}, "next": {"/inbox"}}); status != 200 {
		t.Fatal(status, body)
	}
	a := s.ask(t, release)
	_, body := al.get("/approvals/" + a.ID)
	has(t, body, `name="secret"`)
	if status, _ := al.decide(a.ID, url.Values{"do": {"approve"}}); status != 403 {
		t.Error(status)
	}
	_, body = al.decide(a.ID, url.Values{"do": {"approve"}, "secret": {theSecret}})
	has(t, body, "Approved by al")
	hasNot(t, body, theSecret)
}

// UI-13: several are denied with one reason, and each says what came of it.
func TestDenySeveral(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	a, b := s.ask(t, call{tool: "one"}), s.ask(t, call{tool: "two"})
	chosen := func(a *store.Approval) string { return a.ID + " " + a.Nonce + " " + a.Digest }
	_, page := al.get("/inbox")
	f := form(page)
	f["chosen"], f["comment"] = []string{chosen(a), b.ID + " x y"}, []string{"not in the freeze"}
	status, body := al.post("/inbox", f)
	has(t, body, "Rejected by al", "changed since you saw it")
	if status != 200 || s.state(t, a.ID).State != store.Rejected || s.state(t, b.ID).State != store.Pending {
		t.Error(status, s.state(t, a.ID).State, s.state(t, b.ID).State)
	}
	for want, change := range map[string]url.Values{"A reason is needed": {"comment": {" "}}, "Nothing was selected": {"chosen": nil}} {
		g := form(page)
		g["chosen"], g["comment"] = []string{chosen(b)}, []string{"x"}
		for k, v := range change {
			g[k] = v
		}
		status, body := al.post("/inbox", g)
		if has(t, body, want); status != 422 || s.state(t, b.ID).State != store.Pending {
			t.Error(status)
		}
	}
	if status, _ := s.as(t, "al", auth.Viewer).post("/inbox", f); status != 403 {
		t.Error(status)
	}
}

// UI-01, UI-28: looking changes nothing, who is not logged in sees nothing, and
// links lead back after the login.
func TestStrangers(t *testing.T) {
	s := newSite(t)
	a := s.ask(t, release)
	n := s.nobody(t)
	for _, path := range []string{"/inbox", "/approvals/" + a.ID} {
		_, body := n.get(path)
		has(t, body, "Log in to Trammel", `value="`+path+`"`)
		hasNot(t, body, "release.sh", a.Nonce)
	}
	for _, path := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "javascript:alert(1)"} {
		_, body := n.get("/login?next=" + url.QueryEscape(path))
		has(t, body, `name="next" value="/"`)
	}
	if status, _ := n.get("/stream"); status != 200 { // the page to log in
		t.Error(status)
	}
	if status, _ := n.post("/approvals/"+a.ID, url.Values{"do": {"approve"}}); status != 401 {
		t.Error(status)
	}
	al := s.as(t, "al", auth.Approver)
	al.get("/approvals/" + a.ID + "?do=approve&nonce=" + a.Nonce + "&digest=" + a.Digest)
	if got := s.state(t, a.ID); got.State != store.Pending {
		t.Error("a link has decided")
	}
}

// UI-29: at most 60 decisions a minute.
func TestLimitOfDecisions(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	a := s.ask(t, release)
	for i := range 61 {
		status, _ := al.decide(a.ID, url.Values{"do": {"approve"}, "nonce": {"x"}})
		if want := map[bool]int{true: 429, false: 409}[i == 60]; status != want {
			t.Fatalf("%d: %d, want %d", i, status, want)
		}
	}
}

// UI-27, UI-29: whatever a model writes is text.
func TestHostileArguments(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	long := strings.Repeat("x", 1<<20)
	a := s.ask(t, call{tool: `<img src=x onerror=alert(1)>`, input: map[string]any{
		"<b>key": `"><form hx-post="/approvals/x" hx-trigger="load"></form>`, "ansi": "\x1b[2J", "long": long,
		"nested": map[string]any{"a": []any{"</script>", int64(1)}}}})
	status, body := al.get("/approvals/" + a.ID)
	if status != 200 {
		t.Fatal(status)
	}
	hasNot(t, body, "<img", "<form hx-post", "\x1b", "<b>key", "</script>\"")
	has(t, body, "<img src=x", "<form hx-post=", "<U+001B>", long, "</script>")
	_, body = al.get("/inbox")
	hasNot(t, body, "<img", "<form hx-post", "\x1b")
}
