package console_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/console"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/liveness"
	fullprogram "github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// history puts n made-up events into the index, the last of them now.
func (s *site) history(t testing.TB, n int) {
	t.Helper()
	batch := make([]store.Event, 0, 1000)
	commands := []string{"git status", "go test ./...", "git push --force", "rm -rf build", "curl https://example.com", "./release.sh 2.0"}
	for i := range n {
		e := store.Event{Machine: "m1", Log: "api", Seq: uint64(i + 1), ID: fmt.Sprintf("ev_%06d", i),
			Time: store.At(s.now().Add(-time.Duration(n-i) * time.Second)),
			Host: []string{"codex", "claude-code"}[i/50%2], Event: "pre_tool_use", Session: fmt.Sprintf("s%d", i/50),
			Turn: fmt.Sprintf("t%d", i/10), Project: "/home/bo/api",
			Tool: "Bash", Action: "shell", Summary: commands[i%len(commands)], Decision: "none", Micros: int64(300 + i%700),
			Runs: []store.Run{{Hook: "shell-guard", Phase: "guard", Decision: "none", Micros: 120}, {Hook: "tidy", Phase: "observe",
				Trial: []string{"nothing", "deny"}[i%2], Micros: 40}}}
		if i%2 == 1 {
			e.Is = []string{"trial"}
		}
		switch i % 6 {
		case 2:
			e.Decision, e.Reason, e.Runs[0].Decision = "deny", "force pushes are not allowed here", "deny"
		case 5:
			e.Decision, e.Reason, e.Runs[0].Decision = "ask", "This publishes a release", "ask"
		}
		if i%50 > 40 {
			e.Agent, e.AgentID = "reviewer", "agent-7"
		}
		if batch = append(batch, e); len(batch) == cap(batch) || i == n-1 {
			if err := s.approvals.Store.(store.Events).Index(t.Context(), batch...); err != nil {
				t.Fatal(err)
			}
			batch = batch[:0]
		}
	}
}

// large puts one session of n events into the index.
func (s *site) large(t testing.TB, n int) {
	t.Helper()
	list := make([]store.Event, n)
	for i := range list {
		list[i] = store.Event{Machine: "m1", Log: "large", Seq: uint64(i + 1), ID: fmt.Sprintf("ev_large%d", i), Host: "codex",
			Event: "pre_tool_use", Session: "large", Turn: fmt.Sprintf("t%d", i/20), Project: "/home/bo/large", Tool: "Bash",
			Summary: fmt.Sprintf("go test ./part%d", i), Decision: []string{"none", "none", "none", "deny"}[i%4],
			Time: store.At(s.now().Add(-time.Duration(n-i) * time.Second))}
	}
	if err := s.approvals.Store.(store.Events).Index(t.Context(), list...); err != nil {
		t.Fatal(err)
	}
}

func full(d *console.Deps) {
	d.Hooks = func(context.Context) (console.Configuration, error) {
		return console.Configuration{Digest: "9ab4c1d2e3f4", Notes: []string{"a project file has changed"}, Hooks: []console.Hook{
			{ID: "shell-guard", About: "denies dangerous commands", Source: "trammel.yaml:3", Layer: "project", May: "deny", Status: "in force",
				On: []string{"pre_tool_use"}},
			{ID: "tidy", Source: "trammel.yaml:14", Layer: "project", Trial: true, Status: "in force"},
			{ID: "idle", Source: "trammel.yaml:20", Layer: "user", Status: "in force"}},
			Presets: []console.Preset{{Name: "standard", About: "what most want", On: true, Hooks: []string{"shell-guard"}},
				{Name: "strict", About: "more"}}}, nil
	}
	d.Hosts = func(context.Context) ([]liveness.HostHealth, error) {
		return []liveness.HostHealth{{Host: "codex", State: liveness.Protected, Wired: true, Version: "1.2", LastEvent: time.Now(),
			Checks: []liveness.Check{{Name: "wiring", OK: true, Detail: "the hooks are in its settings"}}},
			{Host: "claude-code", State: liveness.Unprotected, Why: []string{"its settings do not name Trammel"},
				Checks: []liveness.Check{{Name: "wiring", Detail: "no entries", Fix: "trammel init --host claude-code"}}}}, nil
	}
	d.Gap = func(_ context.Context, s *store.Session, _ []string) (*liveness.Gap, error) {
		if s.ID != "s0" {
			return nil, nil
		}
		return &liveness.Gap{Session: s.ID, Calls: 52, Recorded: 50, First: s.First.Time, Last: s.Last.Time, Missing: []string{"toolu_1"}}, nil
	}
	d.Case = func([]byte) ([]byte, error) { return []byte("tests:\n"), nil }
	d.Denials = func(context.Context, time.Time, int) ([]fullprogram.Denied, error) {
		return []fullprogram.Denied{{Denial: approvals.Denial{Record: "ev_1", Project: "/home/bo/api", Host: "codex", Tool: "Bash",
			Hooks: []string{"shell-guard"}},
			Time: time.Now(), Summary: "rm -rf build", Reason: "it removes files", Payload: []byte(`{"command":"rm -rf build"}`)}}, nil
	}
	d.Record = func(_ context.Context, e *store.Event) (evidence.Entry, error) {
		entry := evidence.Entry{Body: []byte(`{"id":"` + e.ID + `","tool":{"name":"Bash"}}`), Line: []byte(`{"seq":1}`)}
		entry.Hash, entry.Prev = strings.Repeat("ab", 32), strings.Repeat("cd", 32)
		return entry, nil
	}
	d.Verify = func(context.Context) ([]console.Chain, error) {
		return []console.Chain{{Log: "api-1f",
			Report: transparency.Report{Report: evidence.Report{Records: 600, Head: strings.Repeat("ab", 32)},
				Pruned: []*transparency.Tombstone{{Records: 1234, By: "alice"}}}}}, nil
	}
}

// paths are all pages, for somebody with history.
var paths = []string{"/inbox", "/inbox?tab=mine", "/inbox?tab=history", "/denied", "/live", "/sessions", "/sessions/codex/s0",
	"/evidence", "/evidence/ev_000002", "/hooks", "/hooks/shell-guard", "/policies", "/trials", "/hosts", "/hosts/codex",
	"/grants"}

// UI-14 to UI-19, UI-21: every page has what it is for, and says what to do
// where it has nothing.
func TestPages(t *testing.T) {
	s := newSite(t, full)
	al := s.as(t, "al", auth.Approver)
	for path, texts := range map[string][]string{
		"/live": {"No events yet", "trammel init"}, "/sessions": {"No sessions yet"}, "/evidence": {"No records yet", "1 log is whole",
			"1234 up to", "alice"},
		"/hooks": {"shell-guard", "never", "a project file has changed"}, "/grants": {"There are no grants"},
		"/inbox?tab=history": {"Nothing was decided yet"},
		"/hosts":             {"PROTECTED", "UNPROTECTED", "trammel init --host claude-code"}, "/trials": {"Would have", "done nothing"},
		"/inbox": {"Nothing waits, 0 decided today"},
	} {
		if _, body := al.get(path); true {
			has(t, body, texts...)
		}
	}
	s.history(t, 600)
	for path, texts := range map[string][]string{
		"/live":                {"git push --force", "DENY", "/min", "<rect", "As a table", "2 hooks"},
		"/live?q=decision:ask": {"./release.sh 2.0"},
		"/sessions":            {"codex", "50", "/sessions/codex/s0"},
		"/sessions/codex/s0":   {"Turn", "agent reviewer", "9 calls", "denied", "force pushes are not allowed here"},
		"/evidence":            {"Older", "ev_000599"},
		"/evidence/ev_000002":  {"abababab", "Hooks, in order", "shell-guard", "guard", "Raw JSON", "Download the line", "git push --force"},
		"/hooks":               {"shell-guard", "600", "100", "p50, p99", "<path", "9ab4c1d2e3f4"},
		"/hooks/shell-guard":   {"denies dangerous commands", "Latest denials"},
		"/trials?since=7d":     {"denied 300", "of 600 events", "trial: true", "trammel.yaml:14", "20 examples"},
		"/policies":            {"standard", "ON", "On trial", "trammel policies preset strict"},
	} {
		status, body := al.get(path)
		if has(t, body, texts...); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
	_, body := al.get("/live?q=decision:ask")
	hasNot(t, main(body), "git push --force")
}

// UI-10: a filter that cannot be read is an error with its column, never
// ignored and never an empty list.
func TestWrongFilters(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 10)
	s.ask(t, release)
	al := s.as(t, "al", auth.Approver)
	for _, path := range []string{"/inbox", "/live", "/sessions", "/evidence"} {
		for _, q := range []string{"tol:Bash", "tool:~(", `"`, strings.Repeat("x", 2000)} {
			status, body := al.get(path + "?q=" + url.QueryEscape(q))
			has(t, body, "column")
			hasNot(t, main(body), "git status", "release.sh", "No event", "No request", "No session", "No record")
			if status != http.StatusUnprocessableEntity {
				t.Errorf("%s %s: %d", path, q, status)
			}
		}
	}
	_, body := al.get("/inbox?q=tool:Read")
	has(t, body, "No request matches")
	_, body = al.get("/inbox?q=is:mine+tool:Bash")
	has(t, body, "release.sh")
}

// UI-07: rows that are shown stay where they are; what came since is counted.
func TestRowsStay(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	a, b := s.ask(t, call{tool: "one", expires: 5 * time.Minute}), s.ask(t, call{tool: "two", expires: time.Minute})
	_, body := al.get("/inbox")
	if strings.Index(body, b.ID) > strings.Index(body, a.ID) {
		t.Error("what ends first is not first")
	}
	s.ask(t, call{tool: "three", expires: time.Second * 30})
	al.decide(b.ID, url.Values{"do": {"deny"}})
	_, body = al.get("/inbox?rows=" + a.ID + "," + b.ID)
	has(t, body, "1 new", "Rejected by al")
	hasNot(t, main(body), ">three<")
	if strings.Index(body, `id="`+a.ID) > strings.Index(body, `id="`+b.ID) {
		t.Error("rows have moved")
	}
}

// UI-30: what came after a row is asked for by number.
func TestLiveAfter(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 5)
	al := s.as(t, "al", auth.Approver)
	_, body := al.get("/live?after=3")
	has(t, body, "ev_000004", "ev_000003")
	hasNot(t, body, `id="ev_000002"`)
	if strings.Index(body, "ev_000004") > strings.Index(body, "ev_000003") {
		t.Error("the newest is not first")
	}
}

// UI-13: a grant shows what it would let through, is listed, and can be taken back.
func TestGrants(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 60)
	al, bo := s.as(t, "al", auth.Approver), s.as(t, "bo", auth.Approver)
	a := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "git push https://git.example/api main"}})
	_, body := al.get("/approvals/" + a.ID)
	has(t, body, "runs git push", "would have matched")
	for _, bad := range []url.Values{{"scope": {"all"}, "for": {"1h"}}, {"scope": {"rule"}, "for": {"999h"}}, {"scope": {"rule"}}} {
		bad.Set("do", "grant")
		if status, _ := al.decide(a.ID, bad); status != 422 || s.state(t, a.ID).State != store.Pending {
			t.Errorf("%v: %d", bad, status)
		}
	}
	_, body = al.decide(a.ID, url.Values{"do": {"grant"}, "scope": {"rule"}, "for": {"1h"}, "why": {"release day"}})
	has(t, body, "release day", "runs git push", "Take back")
	grants, _ := s.approvals.Store.Grants(t.Context())
	if len(grants) != 1 || s.state(t, a.ID).State != store.Approved {
		t.Fatalf("%v", grants)
	}
	_, page := bo.get("/grants")
	has(t, page, "Only al or an admin can take this back")
	for want, v := range map[int]*visitor{403: bo, 200: al} {
		_, p := v.get("/inbox")
		if status, _ := v.post("/grants/"+grants[0].ID, form(p)); status != want {
			t.Errorf("%d, want %d", status, want)
		}
	}
	if _, page = al.get("/grants"); true {
		has(t, page, "TAKEN BACK")
	}
	two := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "ls"}, n: 2})
	_, body = al.get("/approvals/" + two.ID)
	has(t, body, "nobody can grant it alone")
	if status, _ := al.decide(two.ID, url.Values{"do": {"grant"}, "scope": {"rule"}, "for": {"1h"}}); status != 403 ||
		len(s.state(t, two.ID).Votes) != 0 {
		t.Error(status)
	}
}

// UI-03, UI-29: exports are whole, safe for spreadsheets, limited and recorded.
func TestExport(t *testing.T) {
	var recorded []string
	s := newSite(t, func(d *console.Deps) {
		d.Exported = func(_ context.Context, who, query string, n int) error {
			recorded = append(recorded, fmt.Sprint(who, query, n))
			return nil
		}
	})
	err := s.approvals.Store.(store.Events).Index(t.Context(), store.Event{Log: "l", Seq: 1, ID: "ev_1", Event: "pre_tool_use",
		Time: store.At(s.now()), Summary: `=HYPERLINK("x")`},
		store.Event{Log: "l", Seq: 2, ID: "ev_2", Event: "pre_tool_use", Time: store.At(s.now()),
			Summary: "ghp_abcdefghijklmnopqrstuvwxyz0123456789"})
	if err != nil {
		t.Fatal(err)
	}
	al := s.as(t, "al", auth.Approver)
	_, page := al.get("/evidence")
	f := form(page)
	f.Set("as", "csv")
	_, body := al.post("/evidence?q=event:pre_tool_use", f)
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(rows) != 3 || !strings.Contains(body, "[REDACTED") || strings.Contains(body, "ghp_abc") ||
		!strings.Contains(body, `'=HYPERLINK`) {
		t.Errorf("%v %q", err, rows)
	}
	if len(recorded) != 1 || recorded[0] != "alevent:pre_tool_use2" {
		t.Errorf("%q", recorded)
	}
	f.Set("as", "jsonl")
	if _, body = al.post("/evidence", f); strings.Count(body, "\n") != 2 || strings.Contains(body, "ghp_abc") {
		t.Error(body)
	}
	f.Set("as", "xml")
	if status, _ := al.post("/evidence", f); status != 422 {
		t.Error(status)
	}
	f.Set("as", "csv")
	al.post("/evidence", f)
	al.post("/evidence", f)
	if status, _ := al.post("/evidence", f); status != 429 {
		t.Error(status)
	}
	vi := s.as(t, "al", auth.Viewer)
	_, page = vi.get("/evidence")
	has(t, page, "You may not export")
	g := form(page)
	g.Set("as", "csv")
	if status, _ := vi.post("/evidence", g); status != 403 {
		t.Error(status)
	}
}

// UI-06: a broken chain is reported with the number of the record.
func TestBrokenChain(t *testing.T) {
	s := newSite(t, func(d *console.Deps) {
		d.Verify = func(context.Context) ([]console.Chain, error) {
			return []console.Chain{{Log: "api-1f",
					Report: transparency.Report{Report: evidence.Report{Broken: &evidence.Broken{Seq: 42, Fault: evidence.HashMismatch}}}}},
				nil
		}
	})
	al := s.as(t, "al", auth.Approver)
	for _, path := range []string{"/evidence", "/inbox", "/live"} {
		_, body := al.get(path)
		has(t, body, "broken at record 42")
	}
}

// UI-06: without the store there is a banner, and no deciding.
func TestStoreDown(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	a := s.ask(t, release)
	_, open := al.get("/approvals/" + a.ID)
	f := form(open)
	f.Set("do", "approve")
	s.broken.Store(true)
	status, body := al.get("/inbox")
	has(t, body, "cannot be read")
	if status != 503 {
		t.Error(status)
	}
	if status, _ = al.post("/approvals/"+a.ID, f); status != 503 || len(s.state(t, a.ID).Votes) != 0 {
		t.Error(status)
	}
}

// Test 12: nothing that was planted as a secret is in any byte of any page (APR-15).
func TestNoSecretIsServed(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	s := newSite(t, full)
	a := s.ask(t, call{tool: "Bash", input: map[string]any{"command": "curl -H 'Authorization: token " + token + "' x",
		"env": map[string]any{"T": token}}})
	err := s.approvals.Store.(store.Events).Index(t.Context(), store.Event{Log: "l", Seq: 1, ID: "ev_000002", Event: "pre_tool_use",
		Host: "codex", Session: "s0",
		Time: store.At(s.now()), Tool: "Bash", Summary: "echo " + token, Reason: token, Decision: "deny",
		Runs: []store.Run{{Hook: "shell-guard", Decision: "deny"}}})
	if err != nil {
		t.Fatal(err)
	}
	al := s.as(t, "al", auth.Approver)
	for _, path := range append(paths, "/approvals/"+a.ID) {
		status, body := al.get(path)
		if hasNot(t, body, token); status != 200 {
			t.Errorf("%s: %d", path, status)
		}
	}
}
