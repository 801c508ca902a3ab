package console_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/console"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// UI-16: what hooks did is counted, each number leads to the records that it
// counts, and hooks that never ran are listed.
func TestHooks(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 90)
	now := s.now()
	err := s.approvals.Store.(store.Events).Index(t.Context(), store.Event{Machine: "m", Log: "f", Seq: 1, ID: "ev_f1", Event: "pre_tool_use",
		Time: store.At(now.Add(-time.Minute)), Codes: []string{"timeout"}, Runs: []store.Run{{Hook: "shell-guard", Code: "timeout",
			Micros: 900_000}}},
		store.Event{Machine: "m", Log: "f", Seq: 2, ID: "ev_f2", Event: "stop", Time: store.At(now.Add(-12 * 24 * time.Hour)),
			Runs: []store.Run{{Hook: "idle", Decision: "none"}}})
	if err != nil {
		t.Fatal(err)
	}
	al := s.as(t, "al", auth.Approver)
	_, body := al.get("/hooks?since=1h")
	has(t, body, "shell-guard", "trammel.yaml:3 in force", "timeout 1", "0.1 ms, 900 ms", "on trial", "9ab4c1d2e3f4", "12 days ago",
		"Counted over 91")
	hasNot(t, body, "never in 30 days")
	if err := s.approvals.Store.(store.Events).Index(t.Context(), store.Event{Machine: "m", Log: "f", Seq: 3, ID: "ev_f3", Event: "stop",
		Time: store.At(now.Add(-3 * 24 * time.Hour)), Runs: []store.Run{{Hook: "idle", Decision: "none"}}}); err != nil {
		t.Fatal(err)
	}
	_, again := al.get("/hooks?since=1h") // what came since the page before
	has(t, again, "3 days ago")
	_, upTo, err := s.approvals.Store.(store.Events).Ran(t.Context(), now.Add(-time.Hour), 0)
	if fresh, _, err2 := s.approvals.Store.(store.Events).Ran(t.Context(), now.Add(-time.Hour), upTo); err != nil || err2 != nil ||
		len(fresh) != 1 {
		t.Errorf("after row %d, which was the last within an hour, only idle ran: %v %v %v", upTo, fresh, err, err2)
	}
	links := regexp.MustCompile(`href="(/evidence\?q=hook%3a[^"]*)">(?:\w+ )?(\d+)</a>`).FindAllStringSubmatch(body, -1)
	if len(links) < 5 {
		t.Errorf("%d numbers are links: %q", len(links), links)
	}
	for _, l := range links {
		_, list := al.get(strings.ReplaceAll(html.UnescapeString(l[1]), " ", "+"))
		if n := fmt.Sprint(strings.Count(list, `class="row `)); n != l[2] {
			t.Errorf("%s says %s, and leads to %s", l[1], l[2], n)
		}
	}
	id := regexp.MustCompile(`href="/evidence/(ev_\d+)"><time`).FindStringSubmatch(body)
	if id == nil || id[1] != "ev_000086" { // the last one of 6 that is denied
		t.Errorf("the last denial is %s", id)
	}
	s2 := newSite(t, full)
	_, body = s2.as(t, "al", auth.Viewer).get("/hooks")
	has(t, body, "never in 30 days")
	_, body = al.get("/hooks/shell-guard?since=1h")
	has(t, body, "91, 15 denied, 15 asked, 1 failed with timeout", "pre_tool_use", "project trammel.yaml:3")
	if status, _ := al.get("/hooks/nobody"); status != 404 {
		t.Error(status)
	}
}

// UI-17: the trial report says what a hook on trial would have done, to whom,
// and which line to remove; an example that would have been wrong names its
// command.
func TestTrialReport(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 90)
	al := s.as(t, "al", auth.Approver)
	for _, path := range []string{"/trials?since=7d", "/policies?since=7d"} {
		_, body := al.get(path)
		has(t, body, "denied 45", "of 90 events", "By project: api 45", "By tool: Bash 45",
			"remove trial: true at trammel.yaml:14", "20 examples", "trammel test --from ev_000089 --expect none",
			"/evidence/ev_000089")
		if n := strings.Count(body, "--expect none"); n != 20 {
			t.Errorf("%d examples", n)
		}
		hasNot(t, body, "ev_000088")
	}
	_, body := al.get("/policies")
	has(t, body, "standard", "ON", "strict")
}

// UI-17: a record with a wrong decision can be exported as a test of the rules.
func TestWrongRecord(t *testing.T) {
	s := newSite(t, full, func(d *console.Deps) {
		d.Case = func(body []byte) ([]byte, error) {
			if strings.Contains(string(body), "ev_000003") {
				return nil, errors.New("the evidence keeps no payload of it")
			}
			return []byte("tests:\n  - name: x\n"), nil
		}
	})
	s.history(t, 5)
	al, vi := s.as(t, "al", auth.Approver), s.as(t, "bo", auth.Viewer)
	_, body := al.get("/evidence/ev_000002")
	has(t, body, "This was wrong", "trammel test --from ev_000002", "?as=test")
	if status, text := al.get("/evidence/ev_000002?as=test"); status != 200 || text != "tests:\n  - name: x\n" {
		t.Error(status, text)
	}
	status, body := al.get("/evidence/ev_000003?as=test")
	if has(t, body, "keeps no payload"); status != 422 {
		t.Error(status)
	}
	_, body = vi.get("/evidence/ev_000002")
	has(t, body, "trammel test --from ev_000002")
	hasNot(t, body, "?as=test")
	if status, _ := vi.get("/evidence/ev_000002?as=test"); status != 403 {
		t.Error(status)
	}
}

// UI-18: the evidence says when its logs were checked, where they end and how
// old the newest checkpoint is; a record has its fields, its hash, its
// neighbors, and the line that proves it.
func TestEvidence(t *testing.T) {
	const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	line := `{"seq":3,"hash":"` + strings.Repeat("ab", 32) + `","payload":"` + token + `"}`
	s := newSite(t, full, func(d *console.Deps) {
		d.Verify = func(context.Context) ([]console.Chain, error) {
			return []console.Chain{{Log: "api-1f",
				Report: transparency.Report{Report: evidence.Report{Records: 600, Head: strings.Repeat("ef", 32)}}, Signed: 580,
				Checkpoint: time.Now().Add(-3 * time.Hour)}, {Log: "web-2a",
				Report: transparency.Report{Report: evidence.Report{Records: 7, Head: "12"}}}}, nil
		}
		d.Record = func(context.Context, *store.Event) (evidence.Entry, error) {
			e := evidence.Entry{Body: []byte(`{"payload":"` + token + `","tool":{"name":"Bash"}}`), Line: []byte(line)}
			e.Hash, e.Prev = strings.Repeat("ab", 32), strings.Repeat("cd", 32)
			return e, nil
		}
	})
	s.history(t, 120)
	al := s.as(t, "al", auth.Approver)
	_, body := al.get("/evidence")
	has(t, body, "2 logs are whole", "checked", "600", "efefefefefef", "3 h ago, 580 records", "none: trammel evidence checkpoint")
	_, body = al.get("/evidence/ev_000002")
	has(t, body, strings.Repeat("ab", 32), strings.Repeat("cd", 32), "Record 3", `id="older" href="/evidence/ev_000001"`,
		`id="newer" href="/evidence/ev_000003"`, "Raw JSON", "[REDACTED:")
	hasNot(t, body, token)
	if status, text := al.get("/evidence/ev_000002?as=proof"); status != 200 || text != line+"\n" {
		t.Errorf("%d %q", status, text)
	}
	if status, _ := al.get("/evidence/ev_000002?as=else"); status != 422 {
		t.Error(status)
	}
	_, body = al.get("/evidence")
	_, rest, _ := strings.Cut(body, `id="older" rel="next" href="`)
	next, _, _ := strings.Cut(html.UnescapeString(rest), `"`)
	_, second := al.get(next)
	if n := strings.Count(second, `class="row `); n != 20 {
		t.Errorf("%d rows on the second page", n)
	}
	_, body = al.get("/evidence?q=tool:Read")
	has(t, body, "No record matches this filter", "tool:Read")
}
