package console_test

import (
	"context"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/console"
	fullprogram "github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// UI-11, TEAM-25: a person lets exactly one denied call pass once, with a
// reason and a proof; final denials stay.
func TestAllowOnce(t *testing.T) {
	made := 0
	s := newSite(t)
	list := []fullprogram.Denied{{Denial: approvals.Denial{Record: "ev_1", CallKey: "k", Project: "/home/bo/api", Host: "codex",
		Tool: "Bash", Policy: "p1", Hooks: []string{"shell-guard"}, Shown: "it"},
		Time: s.now(), Summary: "rm -rf build", Reason: "it removes files", Payload: []byte(`{"command":"rm -rf build"}`)},
		{Denial: approvals.Denial{Record: "ev_2", Tool: "Bash", Hooks: []string{"self-protection"}}, Time: s.now(), Summary: "rm keys.json",
			Final: "it protects the rules themselves"}}
	deps := func(d *console.Deps) {
		d.Denials = func(context.Context, time.Time, int) ([]fullprogram.Denied, error) { return list, nil }
		d.AllowOnce = func(ctx context.Context, d approvals.Denial, by approvals.Granter) (*store.Grant, error) {
			made++
			return s.approvals.AllowOnce(ctx, d, by)
		}
	}
	s = newSite(t, deps)
	al := s.as(t, "al", auth.Approver)
	_, page := al.get("/denied")
	has(t, page, "rm -rf build", "it removes files", "Allow once", "Nobody can let it pass: it protects the rules themselves")
	f := form(page)
	post := func(v *visitor, id, why string, want int) {
		t.Helper()
		_, page := v.get("/denied")
		f := form(page)
		f.Set("why", why)
		if status, body := v.post("/denied/"+id, f); status != want {
			t.Errorf("%s: %d, want %d: %s", id, status, want, main(body))
		}
	}
	post(al, "ev_2", "because", 403)
	post(al, "ev_9", "because", 404)
	post(s.as(t, "al", auth.Viewer), "ev_1", "because", 403)
	stale := s.with(t, auth.Credential{Kind: auth.Session, Name: "al", Identity: "oidc:al", Role: auth.Approver,
		Proved: s.now().Add(-time.Hour)})
	post(stale, "ev_1", "because", 403)
	list[0].Shown = "else" // somebody has changed the record
	f.Set("why", "because")
	if status, body := al.post("/denied/ev_1", f); status != 409 {
		t.Errorf("another record than the page showed: %d: %s", status, main(body))
	}
	list[0].Shown = "it"
	if made != 0 {
		t.Error("something was allowed")
	}
	post(al, "ev_1", "", 422)
	post(al, "ev_1", "I looked at it", 200)
	grants, _ := s.approvals.Store.Grants(t.Context())
	if len(grants) != 1 || grants[0].Most != 1 || grants[0].Digest != "k" || f.Get("csrf") == "" {
		t.Errorf("%+v", grants)
	}
}
