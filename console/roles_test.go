package console_test

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/console"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

var control = regexp.MustCompile(`(?s)<button[^>]*>.*?</button>`)

// disabled checks that each button with this text is disabled, and that what it
// is described by says why.
func disabled(t *testing.T, body, text, why string) {
	t.Helper()
	n := 0
	for _, b := range control.FindAllString(body, -1) {
		if !strings.Contains(tags.ReplaceAllString(b, ""), text) {
			continue
		}
		n++
		id := regexp.MustCompile(`aria-describedby="([^"]*)"`).FindStringSubmatch(b)
		if !strings.Contains(b, " disabled") || id == nil {
			t.Errorf("%s: it is not disabled with a reason", b)
			continue
		}
		_, rest, found := strings.Cut(body, `id="`+id[1]+`"`)
		if says, _, _ := strings.Cut(rest, "</"); !found || !strings.Contains(says, why) {
			t.Errorf("%s: %s does not say %q", b, id[1], why)
		}
	}
	if n == 0 {
		t.Errorf("there is no %q", text)
	}
}

// UI-04: what somebody may not do is disabled, with the reason, and refused if
// it is sent all the same.
func TestRoles(t *testing.T) {
	s := newSite(t, full, func(d *console.Deps) {
		d.AllowOnce = func(context.Context, approvals.Denial, approvals.Granter) (*store.Grant, error) {
			t.Error("a viewer has let a call pass")
			return &store.Grant{}, nil
		}
	})
	s.history(t, 10)
	a, granted := s.ask(t, release), s.ask(t, call{tool: "Bash", input: map[string]any{"command": "git push origin main"}})
	al, vi := s.as(t, "al", auth.Approver), s.as(t, "bo", auth.Viewer)
	al.decide(granted.ID, url.Values{"do": {"grant"}, "scope": {"rule"}, "for": {"1h"}})
	const viewer = "logged in as a viewer"
	_, card := vi.get("/approvals/" + a.ID)
	for _, what := range []string{"Approve once", "Deny…", "Edit…", "Grant…"} {
		disabled(t, card, what, viewer)
	}
	_, page := vi.get("/grants")
	disabled(t, page, "Take back", viewer)
	_, page = vi.get("/denied")
	disabled(t, page, "Let exactly this call pass once", viewer)
	_, page = vi.get("/evidence/ev_000002")
	disabled(t, page, "Download the line", "may not export")
	_, page = vi.get("/inbox")
	has(t, page, viewer, "View")
	hasNot(t, page, "Review", `data-decides`)
	f := form(card)
	grants, _ := s.approvals.Store.Grants(t.Context())
	for path, do := range map[string]string{"/approvals/" + a.ID: "approve", "/denied/ev_1": "", "/grants/" + grants[0].ID: ""} {
		f.Set("do", do)
		if status, body := vi.post(path, f); status != 403 {
			t.Errorf("%s: %d", path, status)
		} else {
			has(t, body, viewer)
		}
	}
	if status, _ := vi.get("/evidence/ev_000002?as=proof"); status != 403 {
		t.Error(status)
	}
	if got := s.state(t, a.ID); len(got.Votes) != 0 {
		t.Errorf("%+v", got.Votes)
	}
}

// UI-04: to export is a right of its own: with a list, it is for those who are
// named, whatever their role, and for admins.
func TestWhoMayExport(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 3)
	may := func(name string, role auth.Role) bool {
		v := s.as(t, name, role)
		_, page := v.get("/evidence")
		f := form(page)
		f.Set("as", "csv")
		status, body := v.post("/evidence", f)
		offered := strings.Contains(page, "CSV of this filter")
		if offered != (status == 200) || offered != strings.Contains(body, "ev_000002") {
			t.Errorf("%s: %d, offered: %v", name, status, offered)
		}
		return offered
	}
	if may("bo", auth.Viewer) || !may("al", auth.Approver) || !may("cy", auth.Admin) {
		t.Error("without a list, approvers and admins may")
	}
	s.auth.Exporters = []string{"bo"}
	if !may("bo", auth.Viewer) || may("al", auth.Approver) || !may("cy", auth.Admin) {
		t.Error("with a list, those on it and admins may")
	}
}

// UI-05: times are relative in lists, with the absolute one beside; countdowns
// follow the server's clock, and end with the request.
func TestTimes(t *testing.T) {
	s := newSite(t, full)
	s.clock = time.Date(2026, 11, 15, 9, 30, 0, 0, time.UTC)
	s.history(t, 60)
	a := s.ask(t, release)
	al := s.as(t, "al", auth.Approver)
	const until = "2026-11-15T09:40:00Z"
	for _, path := range []string{"/inbox", "/approvals/" + a.ID} {
		_, body := al.get(path)
		has(t, body, `datetime="`+until+`"`, `data-until="1794735600000"`, "10:00", `data-time="1794735000000"`)
	}
	_, body := al.get("/sessions")
	has(t, body, `<time datetime="2026-11-15T09:29:49Z" title="2026-11-15 09:29:49 UTC">11 s ago</time>`)
	_, body = al.get("/live")
	has(t, body, `<time datetime="2026-11-15T09:29:59Z" title="2026-11-15 09:29:59 UTC" data-clock>09:29:59</time>`)
	s.mu.Lock()
	s.clock = s.clock.Add(4 * time.Minute)
	s.mu.Unlock()
	_, body = al.get("/inbox")
	has(t, body, "06:00")
	al.decide(a.ID, url.Values{"do": {"approve"}})
	if got := s.state(t, a.ID); got.State != store.Approved {
		t.Fatal(got.State)
	}
	for _, path := range []string{"/inbox?tab=history", "/approvals/" + a.ID} {
		_, body = al.get(path)
		hasNot(t, main(body), `data-until="1794735600000"`)
	}
}

// UI-10: filters are saved for their person and page, and dropped again.
func TestSavedFilters(t *testing.T) {
	s := newSite(t, full)
	s.history(t, 10)
	al, bo := s.as(t, "al", auth.Approver), s.as(t, "bo", auth.Viewer)
	const q = `decision:deny tool:"Bash"`
	save := func(v *visitor, page, q, do string) int {
		_, body := v.get("/" + page)
		status, _ := v.post("/filters/"+page, url.Values{"csrf": form(body)["csrf"], "q": {q}, "do": {do}})
		return status
	}
	_, body := al.get("/evidence?q=" + url.QueryEscape(q))
	has(t, body, "Save this filter")
	if status := save(al, "evidence", q, "save"); status != 200 {
		t.Fatal(status)
	}
	save(al, "evidence", "git", "save")
	save(al, "evidence", q, "save") // once is enough
	_, body = al.get("/evidence")
	has(t, body, q, "/evidence?q=git")
	if n := strings.Count(body, "Drop the filter"); n != 2 {
		t.Errorf("%d filters", n)
	}
	_, body = al.get("/evidence?q=" + url.QueryEscape(q))
	hasNot(t, body, "Save this filter")
	for _, other := range []struct {
		v    *visitor
		path string
	}{{al, "/live"}, {bo, "/evidence"}} {
		_, body = other.v.get(other.path)
		hasNot(t, body, "Drop the filter")
	}
	for _, bad := range [][2]string{{"evidence", "tol:x"}, {"evidence", ""}, {"inbox", "machine:x"}} {
		if status := save(bo, bad[0], bad[1], "save"); status != 422 {
			t.Errorf("%s: %d", bad, status)
		}
	}
	for i := range 30 {
		save(bo, "live", strings.Repeat("x", i+1), "save")
	}
	_, body = bo.get("/live")
	if n := strings.Count(body, "Drop the filter"); n != 20 {
		t.Errorf("%d filters", n)
	}
	save(al, "evidence", q, "drop")
	_, body = al.get("/evidence")
	has(t, body, "/evidence?q=git")
	hasNot(t, main(body), "decision:deny+tool")
}
