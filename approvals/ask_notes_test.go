package approvals_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
)

// A vote is about what was shown: under another nonce or digest it does not count.
func TestVoteAboutSomethingElse(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	for name, change := range map[string]func(d *approvals.Decision){
		"another nonce":  func(d *approvals.Decision) { d.Nonce = o.ask(t, call("t", 2), 1).Nonce },
		"no nonce":       func(d *approvals.Decision) { d.Nonce = "" },
		"another digest": func(d *approvals.Decision) { d.Digest = o.ask(t, call("t", 2), 1).Digest },
		"no digest":      func(d *approvals.Decision) { d.Digest = "" },
	} {
		d := o.ballot(a, "al", true)
		change(&d)
		if _, err := o.Decide(t.Context(), d); err == nil {
			t.Errorf("%s: it counts", name)
		} else {
			refused(t, err, approvals.RefusedChanged)
		}
	}
	stands(t, o, a.ID, store.Pending)
}

// A note that another process holds stays with it until its time is up; then the
// next process records it.
func TestNotesOfAnotherProcess(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		g := &store.Grant{ID: "grn_x", Scope: approvals.ScopeOnce, Created: store.At(o.now()), Expires: store.At(o.now().Add(time.Hour))}
		note := store.Note{ID: "ev_x", Kind: "grant.made", Subject: g.ID, At: store.At(o.now()), Held: store.At(o.now().Add(9 * time.Second))}
		if err := o.Store.PutGrant(t.Context(), g, note); err != nil {
			t.Fatal(err)
		}
		free := store.Note{ID: "ev_y", Kind: "grant.used", Subject: g.ID, At: store.At(o.now())}
		change := func(*store.Grant) ([]store.Note, error) { return []store.Note{free}, nil }
		if _, err := o.Store.ChangeGrant(t.Context(), g.ID, change); err != nil {
			t.Fatal(err)
		}
		for _, want := range [][]string{{"grant.used"}, {"grant.used", "grant.made"}} {
			if err := o.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := o.kinds(); !slices.Equal(got, want) {
				t.Errorf("recorded %v, want %v", got, want)
			}
			o.pass(10 * time.Second)
		}
	})
}

// A request that was cancelled is on record with the reason.
func TestCancelledWithItsReason(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	if err := o.Cancel(t.Context(), a.ID, "the session has ended"); err != nil {
		t.Fatal(err)
	}
	last := string(o.notes[len(o.notes)-1].Data)
	if !strings.Contains(last, "cancelled: the session has ended") || !strings.Contains(last, `"why":"the session has ended"`) {
		t.Errorf("on record: %s", last)
	}
	if first := string(o.notes[0].Data); strings.Contains(first, `"why"`) {
		t.Errorf("on record: %s", first)
	}
}

// An approval that was not used in time is on record with who gave it.
func TestLapsedOnRecord(t *testing.T) {
	o := newOffice(t)
	o.approved(t, request(call("s", 1), 1))
	o.pass(time.Hour)
	if err := o.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	last := o.notes[len(o.notes)-1]
	if last.Kind != "approval.lapsed" || !strings.Contains(string(last.Data), "approved by al, but not used in time") {
		t.Errorf("on record: %s %s", last.Kind, last.Data)
	}
}
